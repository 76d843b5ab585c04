"""Replays: a dialogue's lines put to a system once more, turn by turn, and the rounds in which the sentinel asks for them.

They stand apart from dialogues: no figure, list or limit of dialogues reads these tables.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from campaigns.models import Campaign, Entry
from conformance.models import Fingerprint
from dialogues.models import Dialogue, Turn
from participants.limits import REASON_LIMIT
from reading.findings import Finding


class ReplayState(models.TextChoices):
    QUEUED = "queued", _("waiting")
    RUNNING = "running", _("being replayed")
    DONE = "done", _("done")
    # The system answered nothing at all, or could not be asked.
    FAILED = "failed", _("without an answer")
    STOPPED = "stopped", _("stopped")


UNDER_WAY = (ReplayState.QUEUED, ReplayState.RUNNING)


class Settled(models.TextChoices):
    """What an organizer said of a drift: it is known, or the system is compared with dialogues held since."""

    NOTED = "noted", _("noted")
    ACCEPTED = "accepted", _("accepted as it is now")


class SentinelRoundQuerySet(models.QuerySet["SentinelRound"]):
    def of_campaign(self, campaign: Campaign) -> "SentinelRoundQuerySet":
        return self.filter(entry__campaign=campaign)

    def standing(self) -> "SentinelRoundQuerySet":
        """Drifts of systems that take part, which are the latest of their systems and that nobody settled."""
        ended = SentinelRound.objects.filter(
            entry=models.OuterRef("entry"), ended_at__isnull=False, drift__isnull=False
        )
        latest = models.Subquery(ended.order_by("-began_at", "-pk").values("pk")[:1])
        return self.filter(is_flagged=True, settled_at=None, pk=latest, entry__withdrawn_at=None)


class SentinelRound(models.Model):
    """The canaries of one system, put to it on one day; `drift` is missing until it ended, and where nothing was answered.

    `distance`, `spread` and `drift` are those of `drift.py`, in [0, 1]; `limit_percent` is the limit that was set then.
    """

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="sentinel_rounds")
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    n_canaries = models.PositiveSmallIntegerField(default=0)
    distance = models.FloatField(null=True, blank=True)
    spread = models.FloatField(null=True, blank=True)
    drift = models.FloatField(null=True, blank=True)
    limit_percent = models.PositiveSmallIntegerField()
    is_flagged = models.BooleanField(default=False)
    settled = models.CharField(max_length=8, choices=Settled.choices, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    settled_because = models.CharField(max_length=REASON_LIMIT, blank=True)

    objects = SentinelRoundQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-began_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["entry"], condition=Q(ended_at__isnull=True), name="one_open_round_of_a_system"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["entry", "-began_at"], name="rounds_of_a_system")]

    def __str__(self) -> str:
        return f"round of {self.entry_id} at {self.began_at}"

    @property
    def drift_percent(self) -> int:
        return round(100 * (self.drift or 0))

    @property
    def distance_percent(self) -> int:
        return round(100 * (self.distance or 0))

    @property
    def spread_percent(self) -> int:
        return round(100 * (self.spread or 0))


class ReplayQuerySet(models.QuerySet["Replay"]):
    def of_campaign(self, campaign: Campaign) -> "ReplayQuerySet":
        return self.filter(against__campaign=campaign)

    def under_way(self) -> "ReplayQuerySet":
        return self.filter(state__in=UNDER_WAY)

    def due(self, at: datetime) -> "ReplayQuerySet":
        """Those that wait, and those whose worker let its lease run out; people's before the sentinel's."""
        lost = Q(state=ReplayState.RUNNING, lease_until__lt=at)
        return self.filter(Q(state=ReplayState.QUEUED) | lost).order_by("is_of_sentinel", "asked_at", "pk")

    def with_names(self) -> "ReplayQuerySet":
        return self.select_related(
            "against__bot__team", "against__campaign", "dialogue__assignment__scenario", "asked_by",
            "dialogue__assignment__entry__bot__team", "dialogue__assignment__campaign",
        )  # fmt: skip


class Replay(models.Model):
    """The tester's lines of `dialogue` put to the system `against`.

    Each attempt at it is a talk of its own at the system (`talk_id`): an interrupted replay restarts, since nothing that reached
    a system is sent again. `fingerprint` is the latest one of the system when it began. `n_lines` is the number of calls that it asks
    for; the figures are those of `drift.compared`. `failure` is a finding: why nothing came of it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    dialogue = models.ForeignKey(Dialogue, on_delete=models.CASCADE, related_name="replays")
    against = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="replays")
    round = models.ForeignKey(SentinelRound, on_delete=models.CASCADE, null=True, blank=True, related_name="replays")
    is_of_sentinel = models.BooleanField(default=False)
    asked_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    # By its own team, which reads it; all others are the organizers' alone.
    is_of_team = models.BooleanField(default=False)
    asked_at = models.DateTimeField()
    n_lines = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=ReplayState.choices, default=ReplayState.QUEUED)
    worker = models.CharField(max_length=200, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    n_attempts = models.PositiveSmallIntegerField(default=0)
    began_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    protocol = models.CharField(max_length=40, blank=True)
    fingerprint = models.ForeignKey(Fingerprint, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    n_turns = models.PositiveIntegerField(default=0)
    n_changed = models.PositiveIntegerField(default=0)
    parts_at = models.PositiveIntegerField(null=True, blank=True)
    distance = models.FloatField(null=True, blank=True)
    failure = models.JSONField(default=list, blank=True)

    objects = ReplayQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-asked_at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["against", "-asked_at"], name="replays_against_a_system"),
            models.Index(
                fields=["state", "asked_at"], condition=Q(state__in=["queued", "running"]), name="replays_due"
            ),
        ]

    def __str__(self) -> str:
        return f"replay {self.pk} of {self.dialogue_id}"

    @property
    def talk_id(self) -> str:
        """What the system knows the talk by, new with each attempt."""
        return str(uuid.uuid5(self.id, str(self.n_attempts)))

    @property
    def is_over(self) -> bool:
        return self.state not in UNDER_WAY

    @property
    def look(self) -> str:
        """How its state is set."""
        return {"done": "good", "failed": "fail", "running": "now"}.get(self.state, "")

    @property
    def failure_in_words(self) -> str:
        return str(Finding.from_json(self.failure)) if self.failure else ""


class ReplayTurn(models.Model):
    """One line as it was put to the system in one attempt, and what came of it: a reply, or a failure.

    `texts` are masked and cut as testers see them, with the same `flags`. The other columns are those of a request in the ledger
    (`dialogues.Attempt`); `earlier` are the requests that it superseded. The tester's words stand in `turn` alone.
    """

    class Outcome(models.TextChoices):
        REPLY = "reply", _("answered")
        FAILURE = "failure", _("no answer")

    replay = models.ForeignKey(Replay, on_delete=models.CASCADE, related_name="turns", db_index=False)
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="replays")
    attempt = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField()
    outcome = models.CharField(max_length=8, choices=Outcome.choices)
    texts = models.JSONField(default=list, blank=True)
    flags = models.JSONField(default=list, blank=True)
    has_left = models.BooleanField(default=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    kind = models.CharField(max_length=20, blank=True)
    fault = models.CharField(max_length=10, blank=True)
    detail = models.JSONField(default=list, blank=True)
    evidence = models.TextField(blank=True)
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    wire = models.JSONField(default=dict, blank=True)
    earlier = models.JSONField(default=list, blank=True)
    ended_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["attempt", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["replay", "attempt", "number"], name="replayed_once_an_attempt"),
        ]

    def __str__(self) -> str:
        return f"{self.replay_id}/{self.attempt}.{self.number} {self.outcome}"

    @property
    def answer(self) -> Sequence[str] | None:
        return [str(text) for text in self.texts] if self.outcome == self.Outcome.REPLY else None

    @property
    def what_happened(self) -> Finding | None:
        return Finding.from_json(self.detail) if self.detail else None
