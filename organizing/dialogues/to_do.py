"""Assignments without a dialogue that counts: rows, deadlines, and testers who could take one over."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet

from accounts.models import Person
from campaigns.interests import Interests
from campaigns.models import Assignment, Campaign, Role
from dialogues.actions.deciding import had_pair
from dialogues.models import Dialogue, LedgerEvent
from dialogues.pauses import BotPause, bot_pause, too_late_at

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
    at_work = campaign.roles.at_work().testers().values("person")
    testers = Person.objects.filter(pk__in=at_work, is_active=True)
    testers = testers.exclude(pk__in=had_pair(assignment).values("tester"))
    testers = testers.exclude(pk__in=Interests(campaign).barred_from(assignment.entry.bot.team_id))
    left = assignments_to_do(campaign, ToDoFilters()).order_by().values_list("tester").annotate(n=Count("pk"))
    n_left = dict(left)
    return sorted(((one.username, n_left.get(one.pk, 0)) for one in testers), key=lambda one: (one[1], one[0]))


@dataclass(frozen=True, slots=True)
class ToDoRow:
    """It waits for its tester, and before for its bot where there is a `pause`; at `until` it is too late to begin it.

    `away_since` is since when its tester pauses, and `away_because` why; `is_barred` that the tester has an interest in the bot.
    """

    assignment: Assignment
    since: datetime
    until: datetime | None
    pause: BotPause | None = None
    away_since: datetime | None = None
    away_because: str = ""
    is_barred: bool = False


def to_do_rows(campaign: Campaign, assignments: Iterable[Assignment], at: datetime) -> list[ToDoRow]:
    """In four queries, whatever their number."""
    found, interests = list(assignments), Interests(campaign)
    again = _stopped_counting(found)
    pauses = campaign.roles.filter(role=Role.TESTER).exclude(paused_at=None)
    away = {
        person: (since, because)
        for person, since, because in pauses.values_list("person", "paused_at", "paused_because")
    }
    return [
        ToDoRow(
            one,
            again.get(one.pk, one.made_at),
            too_late_at(campaign),
            bot_pause(one.entry, campaign, at),
            *away.get(one.tester_id, (None, "")),
            is_barred=interests.bars(one.tester_id, one.entry.bot.team_id),
        )
        for one in found
    ]


def _stopped_counting(assignments: Iterable[Assignment]) -> dict[int, datetime]:
    """When what was said last of each stopped counting: the last line in the ledgers of its dialogues."""
    dialogues = Dialogue.objects.filter(assignment__in=[one.pk for one in assignments if one.started_at])
    events = LedgerEvent.objects.filter(dialogue__in=dialogues).order_by()
    return dict(events.values_list("dialogue__assignment").annotate(last=Max("at")))
