"""The assignments without a dialogue that counts, and who could do one of them instead."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from accounts.models import Person
from campaigns.interests import Interests
from campaigns.models import Assignment, Campaign, Role
from dialogues.actions.reassigning import had_pair
from dialogues.models import Dialogue

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class ToDoFilters:
    """`bot` is an alias, `tester` a user name."""

    bot: str = ""
    tester: str = ""

    def said(self) -> dict[str, str]:
        return {name: value for name in self.__slots__ if (value := getattr(self, name))}


def to_do_filters_of(asked: Mapping[str, str]) -> ToDoFilters:
    return ToDoFilters(**{name: asked.get(name, "").strip()[:200] for name in ToDoFilters.__slots__})


def assignments_to_do(campaign: Campaign, filters: ToDoFilters) -> QuerySet[Assignment]:
    """In the order of each tester's list. What was imported is nobody's to do, nor is what a withdrawn bot has not begun."""
    of_each = Dialogue.objects.filter(assignment=OuterRef("pk"))
    done = of_each.filter(Q(pk__in=Dialogue.objects.counted().values("pk")) | Q(origin=Dialogue.Origin.IMPORTED))
    found = campaign.assignments.exclude(Exists(done)).filter(entry__withdrawn_at=None)
    if filters.bot:
        found = found.filter(entry__alias=filters.bot)
    if filters.tester:
        found = found.filter(tester__username=filters.tester)
    named = found.select_related("tester", "entry__bot__team", "scenario")
    return named.order_by("tester__username", "position", "pk")


def free_testers(campaign: Campaign, assignment: Assignment) -> list[tuple[str, int]]:
    """The testers who could do the assignment, with how many they have left to do, those with fewest first."""
    at_work = campaign.roles.at_work().filter(role=Role.TESTER).values("person")
    testers = Person.objects.filter(pk__in=at_work, is_active=True)
    testers = testers.exclude(pk__in=had_pair(assignment).values("tester"))
    testers = testers.exclude(pk__in=Interests(campaign).barred_from(assignment.entry.bot.team_id))
    left = assignments_to_do(campaign, ToDoFilters()).order_by().values_list("tester").annotate(n=Count("pk"))
    n_left = dict(left)
    return sorted(((one.username, n_left.get(one.pk, 0)) for one in testers), key=lambda one: (one[1], one[0]))
