"""Scenarios with their parts, and the assignments: who talks to which bot about what."""

from typing import Any, ClassVar

from django.db import models
from django.utils import timezone

from accounts.models import Person
from campaigns.campaign_file.campaign_settings import IMPORTED_SCENARIO
from campaigns.models.campaigns import Campaign
from campaigns.models.entries import Entry
from campaigns.models.ordered_json import OrderedJSONField
from campaigns.origins import Originated, origin_is_known
from participants.limits import NAME_LIMIT, SUBTASK_KIND_LIMIT
from rubrics.bilingual import Bilingual


class ScenarioQuerySet(models.QuerySet["Scenario"]):
    def declared(self) -> "ScenarioQuerySet":
        """Those that there is something to talk about in: not the one of imported dialogues."""
        return self.exclude(key=IMPORTED_SCENARIO)

    def tested(self) -> "ScenarioQuerySet":
        """Those that testers talk about: not those that teams practise on."""
        return self.declared().filter(is_practice=False)


class Scenario(Bilingual, Originated):
    """What a tester tries to do; `facts` are shown on the goal card, `context` goes to the bot."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="scenarios")
    key = models.SlugField(max_length=60)
    position = models.PositiveIntegerField()
    title_zh = models.CharField(max_length=NAME_LIMIT, blank=True)
    title_en = models.CharField(max_length=NAME_LIMIT, blank=True)
    opening = models.TextField(blank=True)
    opening_en = models.TextField(blank=True)
    instructions_zh = models.TextField(blank=True)
    instructions_en = models.TextField(blank=True)
    facts = OrderedJSONField(default=dict, blank=True)
    skill = models.SlugField(max_length=60, blank=True)
    # What the tester was given to use, one text each: when all of it is used, the dialogue may end.
    items = models.JSONField(default=list, blank=True)
    context = models.JSONField(default=dict, blank=True)
    # Teams talk to their own bots about it; testers never do, and it is in no figure.
    is_practice = models.BooleanField(default=False)

    objects = ScenarioQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "key"], name="scenario_key_once"),
            origin_is_known("scenario"),
        ]

    def __str__(self) -> str:
        return self.key

    def given_to_bots(self, campaign: Campaign) -> dict[str, Any]:
        """All that a bot is told of it: the context, and where the campaign sends the goal, the facts; a `goal` that the context has itself stays."""
        if not (campaign.sends_goal and self.facts):
            return dict(self.context)
        return {"goal": self.facts, **self.context}

    @property
    def title(self) -> str:
        return self.text("title") or self.key

    @property
    def instructions(self) -> str:
        return self.text("instructions")

    def has_begun(self) -> bool:
        begun = self.assignments(manager="everything").filter(started_at__isnull=False)
        return bool(begun.exists())


class Subtask(models.Model):
    """One part of a scenario, in order; `turn_cap` is missing where one cap spans the dialogue."""

    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="subtasks")
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=SUBTASK_KIND_LIMIT)
    turn_cap = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["scenario", "position"], name="subtask_position_once"),
            models.CheckConstraint(
                condition=models.Q(turn_cap__isnull=True) | models.Q(turn_cap__gte=1),
                name="subtask_cap_is_positive",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scenario}#{self.position} {self.kind}"


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def of_tester(self, tester: Person) -> "AssignmentQuerySet":
        return self.filter(tester=tester)

    def of_the_plan(self) -> "AssignmentQuerySet":
        """Those that a plan drew, with bots that still take part."""
        return self.filter(is_drawn=True, entry__withdrawn_at=None)

    def in_order(self) -> "AssignmentQuerySet":
        return self.order_by("position", "pk")

    def with_names(self) -> "AssignmentQuerySet":
        return self.select_related("campaign", "entry", "scenario")


class NotPractice(models.Manager.from_queryset(AssignmentQuerySet)):  # type: ignore[misc]
    def get_queryset(self) -> AssignmentQuerySet:
        found: AssignmentQuerySet = super().get_queryset()
        return found.filter(is_practice=False)


class OfPeople(NotPractice):
    def get_queryset(self) -> AssignmentQuerySet:
        return super().get_queryset().filter(is_apart=False)


class Assignment(models.Model):
    """One tester × bot × scenario × repetition to be done; it has at most one counted dialogue.

    What teams practise, and what programs do beside the plan (`is_apart`), is left out wherever nobody asks for it by name: no list,
    count or figure can forget to.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="assignments")
    tester = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="assignments")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="assignments")
    scenario = models.ForeignKey(Scenario, on_delete=models.PROTECT, related_name="assignments")
    repetition = models.PositiveIntegerField(default=1)
    position = models.PositiveIntegerField()
    is_drawn = models.BooleanField(default=True)
    # Since when it waits to be begun.
    made_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    is_practice = models.BooleanField(default=False)
    # A program's that counts nowhere: its dialogues are `Dialogue.Origin.PROGRAM`.
    is_apart = models.BooleanField(default=False, db_default=False)
    # Of a rehearsal by script: what programs found leaves it out, too.
    is_rehearsal = models.BooleanField(default=False, db_default=False)

    # Set where a tester's list is read: an interest in the bot bars its tester.
    is_barred: bool

    objects = OfPeople()
    with_programs = NotPractice()
    everything = AssignmentQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tester", "entry", "scenario", "repetition"], name="assignment_drawn_once")
        ]

    def __str__(self) -> str:
        return f"{self.tester} × {self.entry.alias} × {self.scenario.key}"
