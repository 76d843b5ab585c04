"""What programs did as testers: dialogues of language models with model, manner and cost; rehearsals with the dialogues they gave."""

import uuid
from datetime import datetime
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from campaigns.models import Assignment, Campaign
from dialogues.models import Dialogue
from participants.limits import REASON_LIMIT

KEY_LIMIT, MODEL_LIMIT, DIGEST_LIMIT = 60, 200, 64


class SimulatedDialogueQuerySet(models.QuerySet["SimulatedDialogue"]):
    def of_campaign(self, campaign: Campaign) -> "SimulatedDialogueQuerySet":
        return self.filter(dialogue__assignment__campaign=campaign)


class SimulatedDialogue(models.Model):
    """`prompt_digest` is that of the first prompt: goal card, persona and difficulty as they were put.

    `seed` is the dialogue's own, drawn from the seed of the run. `cost` is in the currency of the endpoint, which the key of its
    declaration names. `is_rehearsal`: it was opened before the campaign's time of testing.
    """

    dialogue = models.OneToOneField(Dialogue, on_delete=models.CASCADE, related_name="simulated")
    endpoint = models.CharField(max_length=KEY_LIMIT)
    model = models.CharField(max_length=MODEL_LIMIT)
    persona = models.CharField(max_length=KEY_LIMIT)
    difficulty = models.CharField(max_length=KEY_LIMIT)
    temperature = models.FloatField()
    seed = models.BigIntegerField()
    prompt_digest = models.CharField(max_length=DIGEST_LIMIT, blank=True)
    is_rehearsal = models.BooleanField(default=False)
    n_calls = models.PositiveIntegerField(default=0)
    n_bad_answers = models.PositiveIntegerField(default=0)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    cost = models.DecimalField(max_digits=18, decimal_places=8, default=0)
    began_at = models.DateTimeField()

    objects = SimulatedDialogueQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"{self.dialogue_id} by {self.model}"


class RehearsalState(models.TextChoices):
    QUEUED = "queued", _("waiting")
    RUNNING = "running", _("under way")
    DONE = "done", _("done")
    STOPPED = "stopped", _("stopped")
    # Its process ended in the middle too often, or it broke off.
    BROKEN = "broken", _("broken off")


UNDER_WAY = (RehearsalState.QUEUED, RehearsalState.RUNNING)
LOOKS = {RehearsalState.RUNNING: "now", RehearsalState.DONE: "good", RehearsalState.BROKEN: "fail"}


class RehearsalQuerySet(models.QuerySet["Rehearsal"]):
    def latest_first(self) -> "RehearsalQuerySet":
        return self.order_by("-asked_at", "-pk")

    def under_way(self) -> "RehearsalQuerySet":
        return self.filter(state__in=UNDER_WAY)

    def due(self, at: datetime) -> "RehearsalQuerySet":
        """Those that wait, and those whose worker let its lease run out."""
        lost = models.Q(state=RehearsalState.RUNNING, lease_until__lt=at)
        return self.filter(models.Q(state=RehearsalState.QUEUED) | lost).order_by("asked_at", "pk")


class Rehearsal(models.Model):
    """A scripted tester's dialogues with systems of a campaign, asked for by an organizer; they stand apart and count nowhere.

    A server process carries it out under a lease; what its process left goes on in another. `stop_asked_at` is when an organizer
    stopped it: dialogues that are open then are given up, none is begun.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="rehearsals")
    program = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    n_each = models.PositiveSmallIntegerField()
    at_once = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=12, choices=RehearsalState, default=RehearsalState.QUEUED)
    worker = models.CharField(max_length=200, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    n_attempts = models.PositiveSmallIntegerField(default=0)
    asked_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    asked_at = models.DateTimeField()
    stop_asked_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = RehearsalQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            # Two at once would measure each other.
            models.UniqueConstraint(
                fields=["campaign"],
                condition=models.Q(state__in=["queued", "running"]),
                name="one_open_rehearsal_a_campaign",
            ),
        ]

    def __str__(self) -> str:
        return f"rehearsal {self.pk} of {self.campaign_id}"

    @property
    def is_over(self) -> bool:
        return self.state not in UNDER_WAY

    @property
    def is_stopping(self) -> bool:
        return not self.is_over and self.stop_asked_at is not None

    @property
    def look(self) -> str:
        return LOOKS.get(RehearsalState(self.state), "")


class RehearsedAssignment(models.Model):
    """An assignment of a rehearsal. `broken` is why its dialogue could not be begun or go on: a sentence in the campaign's language."""

    rehearsal = models.ForeignKey(Rehearsal, on_delete=models.CASCADE, related_name="parts")
    assignment = models.OneToOneField(Assignment, on_delete=models.CASCADE, related_name="rehearsed")
    broken = models.CharField(max_length=REASON_LIMIT, blank=True)

    class Meta:
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"{self.assignment_id} of {self.rehearsal_id}"
