"""The bots entered: their addresses, and the aliases under which testers meet them."""

from datetime import datetime, timedelta
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.hours import hours_of
from campaigns.models.campaigns import Campaign
from campaigns.origins import Origin, Originated, origin_is_known
from campaigns.stages import has_fresh_report
from participants.bot_form import DIAL_OUT
from participants.limits import HOURS_LIMIT, PARALLEL, REASON_LIMIT
from participants.models import Bot
from participants.secrets import HasSecret, SecretField
from reading.kinds import URL_LIMIT


class EntryQuerySet(models.QuerySet["Entry"]):
    def declared(self) -> "EntryQuerySet":
        """Those that somebody entered, in a file or in the browser: not those that only imported records made."""
        return self.exclude(origin=Origin.IMPORT)

    def listed(self) -> "EntryQuerySet":
        """Those that lists and filters name: without those that were withdrawn before anybody talked to them."""
        begun = self.filter(
            assignments__started_at__isnull=False, assignments__is_practice=False, assignments__is_apart=False
        ).values("pk")
        return self.filter(models.Q(withdrawn_at=None) | models.Q(has_imported_records=True) | models.Q(pk__in=begun))

    def taking_part(self) -> "EntryQuerySet":
        """Those that the plan is drawn over: with an address, admitted and not withdrawn, also while they pause."""
        return self.exclude(~models.Q(protocol=DIAL_OUT), url="").filter(withdrawn_at=None, draft_since=None)

    def planned(self, campaign: Campaign, at: datetime) -> "EntryQuerySet":
        """Those of the campaign that drawing schedules: a bot without the report that is asked for keeps what it has."""
        fresh = self.with_fresh_report(campaign, at)
        drawn = self.filter(assignments__is_drawn=True).values("pk")
        return self.taking_part() & (fresh | self.filter(pk__in=drawn))

    def with_address(self) -> "EntryQuerySet":
        """Those that can be talked to now: testers are offered no others."""
        return self.taking_part().filter(paused_at=None)

    def offered(self, campaign: Campaign, at: datetime) -> "EntryQuerySet":
        """Those of the campaign that testers may open a dialogue with now."""
        found = self.with_address() & self.with_fresh_report(campaign, at)
        closed = [one.pk for one in campaign.entries.exclude(hours="") if not one.is_open(campaign, at)]
        return found.exclude(pk__in=closed) if closed else found

    def with_fresh_report(self, campaign: Campaign, at: datetime) -> "EntryQuerySet":
        """Those whose latest report is green and as recent as the campaign demands; all of them where it demands none."""
        if not campaign.green_report_hours:
            return self.all()
        return self.filter(green_at__gte=at - timedelta(hours=campaign.green_report_hours))


class PausedBy(models.TextChoices):
    """Who paused a bot. What the platform paused it also resumes; what a person paused waits for a person."""

    PERSON = "person"
    PLATFORM = "platform"


class Entry(HasSecret, Originated):
    """A bot's place in a campaign: its address there, and the alias under which testers and reviewers meet it.

    The address belongs to the entry, so that no campaign changes another's. Entries that only imported records made have
    none, and the campaign file does not know them.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="entries")
    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="entries")
    key = models.CharField(max_length=200)
    alias = models.CharField(max_length=10)
    protocol = models.CharField(max_length=40, blank=True)
    url = models.CharField(max_length=URL_LIMIT, blank=True)
    secret = SecretField(blank=True)
    options = models.JSONField(default=dict, blank=True)
    # How many turns it is asked at a time; the others wait for a place.
    parallel = models.PositiveSmallIntegerField(default=PARALLEL)
    # Who registered it in the browser or over the API, and when; nobody where a file or records entered it.
    registered_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    registered_at = models.DateTimeField(null=True, blank=True)
    # By an organizer who was not of its team.
    registered_for_team = models.BooleanField(default=False)
    has_imported_records = models.BooleanField(default=False)
    # `paused_because` says why the bot pauses, or why it was withdrawn; the platform's own reason is said by `paused_by`.
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_by = models.CharField(max_length=8, choices=PausedBy.choices, blank=True)
    paused_because = models.CharField(max_length=REASON_LIMIT, blank=True)
    # Since when it can be talked to again: failures from before count no longer for the next pause.
    resumed_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    # Set while an organizer has not admitted it: nobody talks to a draft. `returned_because` says why it was sent back.
    draft_since = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    returned_because = models.CharField(max_length=REASON_LIMIT, blank=True)
    admitted_at = models.DateTimeField(null=True, blank=True)
    admitted_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    # By an organizer, before the date of the campaign or without one.
    frozen_at = models.DateTimeField(null=True, blank=True)
    # When testers may open dialogues with it: `campaigns/hours.py`.
    hours = models.CharField(max_length=HOURS_LIMIT, blank=True, default="", db_default="")
    # When the latest conformance report on this address ended, if it was green.
    green_at = models.DateTimeField(null=True, blank=True)

    objects = EntryQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "key"], name="entry_key_once"),
            models.UniqueConstraint(fields=["campaign", "alias"], name="alias_once"),
            models.UniqueConstraint(fields=["campaign", "bot"], name="bot_once_in_a_campaign"),
            origin_is_known("entry"),
        ]

    def __str__(self) -> str:
        return f"{self.alias} ({self.campaign})"

    @property
    def is_declared(self) -> bool:
        return self.origin != Origin.IMPORT

    @property
    def is_dial_out(self) -> bool:
        """Whether the bot connects to the platform, which therefore needs no URL."""
        return self.protocol == DIAL_OUT

    @property
    def has_address(self) -> bool:
        return bool(self.url) or self.is_dial_out

    @property
    def takes_part(self) -> bool:
        """The same as the query `taking_part`, of one bot."""
        return self.has_address and self.withdrawn_at is None and self.draft_since is None

    @property
    def reached_at(self) -> str:
        """What adapters know the bot by: its URL, or a name that only this platform knows."""
        return f"{DIAL_OUT}:{self.pk}" if self.is_dial_out else self.url

    @property
    def can_be_talked_to(self) -> bool:
        return self.takes_part and self.paused_at is None

    @property
    def why_paused(self) -> str:
        """The reason as its reader reads it: the platform's own is in their language, a person's in that person's words."""
        is_ours = self.paused_by == PausedBy.PLATFORM and self.withdrawn_at is None
        return _(self.paused_because) if is_ours else self.paused_because

    @property
    def owner_of_secret(self) -> str:
        return f"{self.campaign.slug}: {self.bot}"

    @property
    def withdrawn_because(self) -> str:
        return self.paused_because if self.withdrawn_at is not None else ""

    def has_fresh_report(self, campaign: Campaign, at: datetime) -> bool:
        """The same as the query `with_fresh_report`, of one bot."""
        return has_fresh_report(self, campaign.green_report_hours, at)

    def is_open(self, campaign: Campaign, at: datetime) -> bool:
        """Whether the moment is within its hours."""
        return hours_of(self.hours).is_open(at, campaign.zone)

    def has_begun(self) -> bool:
        """Whether anybody has talked to it, be it its own team that practised."""
        begun = self.assignments(manager="everything").filter(started_at__isnull=False)
        return bool(begun.exists())

    def has_met_testers(self) -> bool:
        """Whether a tester has talked to it."""
        return self.assignments.filter(started_at__isnull=False).exists()

    @property
    def secret_to_hide(self) -> str:
        """The secret to hide in what the bot said; empty where it cannot be decrypted, and so hides nothing."""
        return "" if self.has_lost_its_secret() else self.secret
