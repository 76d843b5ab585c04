"""Checks with what they found, and the fingerprints by which a changed bot is known; those of bots, and what those of services share."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar, NamedTuple

from django.db import models

from accounts.models import Person
from campaigns.models import Entry
from conformance.results import Result, Verdict, is_green
from reading.findings import Finding
from reading.kinds import URL_LIMIT


class CheckState(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    # Its process ended in the middle too often, or others talked to the bot all the time.
    INTERRUPTED = "interrupted"


OPEN = (CheckState.QUEUED, CheckState.RUNNING)


class Routes(NamedTuple):
    """The names of the routes of one kind of checks: of one subject's, of a single one and of its badge."""

    all: str
    one: str
    badge: str


class CheckQuerySet(models.QuerySet[Any]):
    def open(self) -> "CheckQuerySet":
        return self.filter(state__in=OPEN)

    def latest_first(self) -> "CheckQuerySet":
        return self.order_by("-asked_at", "-pk")

    def due(self, at: datetime) -> "CheckQuerySet":
        """Those that wait, and those whose worker let its lease run out."""
        lost = models.Q(state=CheckState.RUNNING, lease_until__lt=at)
        return self.filter(models.Q(state=CheckState.QUEUED) | lost).order_by("asked_at", "pk")


class AnyCheck(models.Model):
    """One check of a subject, by the address and options it had when the check was taken up. `results` are `Result`s as JSON, added one by one while it runs."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    asked_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    asked_at = models.DateTimeField()
    state = models.CharField(max_length=12, choices=CheckState, default=CheckState.QUEUED)
    worker = models.CharField(max_length=200, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    n_attempts = models.PositiveSmallIntegerField(default=0)
    began_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    protocol = models.CharField(max_length=40)
    url = models.CharField(max_length=URL_LIMIT)
    options = models.JSONField(default=dict, blank=True)
    verdict = models.CharField(max_length=4, blank=True)
    results = models.JSONField(default=list, blank=True)

    objects = CheckQuerySet.as_manager()

    class Meta:
        abstract = True

    @property
    def subject(self) -> Any:
        """The bot's entry, or the service."""
        raise NotImplementedError

    @property
    def is_over(self) -> bool:
        return self.state not in OPEN

    @property
    def is_green(self) -> bool:
        return self.state == CheckState.DONE and is_green(self.verdict)

    @property
    def found(self) -> list[Result]:
        return [Result.from_json(stored) for stored in self.results]

    def n(self, verdict: str) -> int:
        return sum(stored["verdict"] == verdict for stored in self.results)

    @property
    def n_passed(self) -> int:
        return self.n(Verdict.PASS)

    @property
    def n_warned(self) -> int:
        return self.n(Verdict.WARN)

    @property
    def n_failed(self) -> int:
        return self.n(Verdict.FAIL)


class Check(AnyCheck):
    """A check of a bot."""

    routes = Routes("checks", "check", "check-badge")

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="checks")

    class Meta:
        constraints: ClassVar = [
            # Two at once would measure each other.
            models.UniqueConstraint(
                fields=["entry"], condition=models.Q(state__in=["queued", "running"]), name="one_open_check_per_bot"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["entry", "-asked_at"], name="checks_of_a_bot")]

    def __str__(self) -> str:
        return f"check {self.pk} of {self.entry_id}"

    @property
    def subject(self) -> Entry:
        return self.entry


# What `is_changed` says of a row, for the database.
HAS_CHANGED = ~models.Q(differs=[]) | models.Q(is_other_version=True)


class AnyFingerprint(models.Model):
    """What a subject said to the canary questions at some moment. The reference is the one taken at its admission.

    Without answers and without a failure it is being taken. One that failed is tried again in its own row: `taken_at` is when it was
    tried last, `n_tries` how often. `answers` are the samples per question, as texts; `differs` says which questions were answered otherwise
    than then, `is_other_version` whether its server named another version. `failure` is a finding.
    """

    taken_at = models.DateTimeField()
    protocol = models.CharField(max_length=40)
    url = models.CharField(max_length=URL_LIMIT)
    version = models.CharField(max_length=200, blank=True)
    answers = models.JSONField(default=list, blank=True)
    is_reference = models.BooleanField(default=False)
    differs = models.JSONField(default=list, blank=True)
    is_other_version = models.BooleanField(default=False)
    failure = models.JSONField(default=list, blank=True)
    n_tries = models.PositiveSmallIntegerField(default=1)

    class Meta:
        abstract = True
        ordering: ClassVar = ["-taken_at", "-pk"]

    @property
    def subject(self) -> Any:
        raise NotImplementedError

    @property
    def has_failed(self) -> bool:
        """Whether it brought nothing: there was no answer, or the process ended that asked."""
        return bool(self.failure) or not self.answers

    @property
    def failure_in_words(self) -> str:
        """Why it brought nothing, in the reader's language; empty where it brought something."""
        return str(Finding.from_json(self.failure)) if self.failure else ""

    @property
    def is_under_way(self) -> bool:
        """Whether nothing is stored of it yet: it is being taken, or its process ended meanwhile."""
        return not self.failure and not self.answers

    def is_of_address_of(self, subject: Any) -> bool:
        """Whether it was taken where the subject is reached now."""
        return bool((self.url, self.protocol) == (subject.url, subject.protocol))

    @property
    def is_changed(self) -> bool:
        return bool(self.differs) or self.is_other_version


class Fingerprint(AnyFingerprint):
    """What a bot answered."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="fingerprints")

    class Meta(AnyFingerprint.Meta):
        indexes: ClassVar = [models.Index(fields=["entry", "-taken_at"], name="fingerprints_of_a_bot")]

    def __str__(self) -> str:
        return f"fingerprint of {self.entry_id} at {self.taken_at}"

    @property
    def subject(self) -> Entry:
        return self.entry


def samples_of(answers: Any) -> Sequence[Sequence[str]]:
    """The stored samples per question."""
    return [list(map(str, samples)) for samples in answers]
