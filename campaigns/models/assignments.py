"""Who talks to which bot about what."""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from accounts.models import Person
from campaigns.models.campaigns import Campaign
from campaigns.models.entries import Entry
from campaigns.models.scenarios import Scenario


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


class Assignment(models.Model):
    """One tester × bot × scenario × repetition to be done; it has at most one counted dialogue.

    What teams practise is left out wherever nobody asks for `everything`: no list, count or figure can forget to.
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

    # Set where a tester's list is read: an interest in the bot bars its tester.
    is_barred: bool

    objects = NotPractice()
    everything = AssignmentQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tester", "entry", "scenario", "repetition"], name="assignment_drawn_once")
        ]

    def __str__(self) -> str:
        return f"{self.tester} × {self.entry.alias} × {self.scenario.key}"
