"""What happened that somebody may want to hear of, and to whom it is told.

Event ──▶ Delivery to a webhook ── posted, signed
     └──▶ Delivery to a person ── a mail at once, or a line of a digest
"""

import uuid
from datetime import datetime
from typing import ClassVar, Self

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from campaigns.models import Campaign
from participants.limits import EMAIL_LIMIT, URL_LIMIT
from participants.secrets import HasSecret, SecretField
from reading.findings import Finding


class Kind(models.TextChoices):
    """What a message is about. The values are stored, and sent to webhooks."""

    BOT_PAUSED = "bot.paused", _("A system was paused")
    BOT_DRIFTED = "bot.drifted", _("A system drifts")
    CHECK_FAILED = "check.failed", _("A system failed its check")
    APPLICATION_ANSWERED = "application.answered", _("An application was answered")
    DIALOGUE_RETURNED = "dialogue.returned", _("A dialogue was returned")
    DECISION_WAITS = "decision.waits", _("A decision has waited for over a day")
    BOARD_PUBLISHED = "board.published", _("A leaderboard was published")
    BOARD_WITHDRAWN = "board.withdrawn", _("A leaderboard was withdrawn")
    BACKUP_FAILED = "backup.failed", _("A backup failed")
    TEST = "test", _("Test message")


# Of the whole installation: no campaign's webhook hears of it.
OF_THE_SITE = frozenset({Kind.BACKUP_FAILED})
OF_CAMPAIGNS = tuple(kind for kind in Kind if kind not in OF_THE_SITE and kind != Kind.TEST)


class Reading(models.Model):
    """The one row that says how far happenings are told: lines of the trail to that number, boards published since then."""

    ONLY = 1

    line = models.PositiveBigIntegerField()
    since = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=models.Q(pk=1), name="one_reading")]

    def __str__(self) -> str:
        return f"up to {self.line}"


class WebhookQuerySet(models.QuerySet["Webhook"]):
    def in_use(self) -> Self:
        return self.filter(removed_at=None)


class Webhook(HasSecret):
    """Where programs of a campaign's organizers hear what happened. `kinds` are values of `Kind`. Its key signs each message.

    The row stays once it is removed, without its key: its deliveries say what was sent.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=URL_LIMIT)
    kinds = models.JSONField(default=list)
    secret = SecretField(blank=True)
    made_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)

    objects = WebhookQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["made_at", "pk"]

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.campaign_id}"

    @property
    def owner_of_secret(self) -> str:
        return f"webhook {self.pk}"

    @property
    def labels(self) -> list[str]:
        return [str(Kind(kind).label) for kind in self.kinds if kind in Kind.values]


class Choice(models.Model):
    """What a person wants to be told of, and how; without a row, nothing."""

    class Mail(models.TextChoices):
        NONE = "none", _("No mails")
        AT_ONCE = "once", _("At once")
        DAILY = "daily", _("Once a day, together")

    person = models.OneToOneField(Person, on_delete=models.CASCADE, related_name="message_choice")
    mail = models.CharField(max_length=5, choices=Mail.choices, default=Mail.NONE)
    kinds = models.JSONField(default=list)
    digest_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.person}: {self.mail}"


class ConfirmedAddress(models.Model):
    """The person's mail address, once a link that was mailed there was followed; only the hash of its token is stored."""

    person = models.OneToOneField(Person, on_delete=models.CASCADE, related_name="confirmed_address")
    address = models.CharField(max_length=EMAIL_LIMIT)
    digest = models.CharField(max_length=64, unique=True)
    asked_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"address of {self.person}"


class Event(models.Model):
    """Something that happened. `key` names it once and for all, so that it is stored once, however often it is found."""

    key = models.CharField(max_length=80, unique=True)
    kind = models.CharField(max_length=20, choices=Kind.choices)
    at = models.DateTimeField()
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, null=True, blank=True, related_name="+")

    class Meta:
        indexes: ClassVar = [models.Index(fields=["kind", "campaign", "-at"], name="events_of_a_kind")]

    def __str__(self) -> str:
        return self.key


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def due(self, at: datetime) -> Self:
        return self.filter(state=Delivery.State.WAITING, next_try_at__lte=at).order_by("next_try_at", "pk")

    def latest_first(self) -> Self:
        return self.order_by("-made_at", "pk")


class Delivery(models.Model):
    """A message on its way to one webhook or one person; `path` is where its link leads.

    Who takes it up moves `next_try_at` behind the try before anything is sent: a process that dies leaves it to be tried
    again, with the same id. Those of one digest share a `digest`. `answer` is a finding: what became of the last try.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("delivered")
        FAILED = "failed", _("given up")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="deliveries")
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, null=True, blank=True, related_name="deliveries")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    path = models.CharField(max_length=200)
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    n_tries = models.PositiveSmallIntegerField(default=0)
    made_at = models.DateTimeField()
    next_try_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    answer = models.JSONField(default=list, blank=True)
    is_of_digest = models.BooleanField(default=False)
    digest = models.UUIDField(null=True, blank=True)

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(webhook__isnull=False, person__isnull=True)
                | models.Q(webhook__isnull=True, person__isnull=False),
                name="delivery_has_one_receiver",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["next_try_at"], condition=models.Q(state="waiting"), name="deliveries_that_wait"),
            models.Index(fields=["webhook", "-made_at"], name="deliveries_of_a_webhook"),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def message_id(self) -> str:
        """By which a receiver knows a message that it got before."""
        return f"msg_{self.pk.hex}"

    @property
    def answer_in_words(self) -> str:
        """What became of the last try, in the reader's language; empty before it."""
        return str(Finding.from_json(self.answer)) if self.answer else ""
