"""The bots entered: their addresses, and the aliases under which testers meet them."""

from typing import ClassVar

from django.db import models

from accounts.models import Person
from campaigns.models.campaigns import Campaign
from campaigns.origins import Origin, Originated, origin_is_known
from participants.limits import REASON_LIMIT
from participants.models import Bot
from participants.secrets import SecretField, SecretLost
from scoring.kinds import URL_LIMIT


class EntryQuerySet(models.QuerySet["Entry"]):
    def declared(self) -> "EntryQuerySet":
        """Those that somebody entered, in a file or in the browser: not those that only imported records made."""
        return self.exclude(origin=Origin.IMPORT)

    def taking_part(self) -> "EntryQuerySet":
        """Those that the plan is drawn over: with an address and not withdrawn, also while they pause."""
        return self.exclude(url="").filter(withdrawn_at=None)

    def with_address(self) -> "EntryQuerySet":
        """Those that can be talked to now: testers are offered no others."""
        return self.taking_part().filter(paused_at=None)


class Entry(Originated):
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
    # Who registered it in the browser or over the API, and when; nobody where a file or records entered it.
    registered_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    registered_at = models.DateTimeField(null=True, blank=True)
    has_imported_records = models.BooleanField(default=False)
    # `paused_because` says why the bot pauses, or why it was withdrawn.
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_because = models.CharField(max_length=REASON_LIMIT, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

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
    def can_be_talked_to(self) -> bool:
        return bool(self.url) and self.paused_at is None and self.withdrawn_at is None

    def has_begun(self) -> bool:
        return self.assignments.filter(started_at__isnull=False).exists()

    @property
    def has_secret(self) -> bool:
        """Whether there is one, readable or not; nothing is unsealed for that."""
        return bool(self.__dict__["secret"])

    def has_lost_its_secret(self) -> bool:
        """Whether the secret was sealed with a key that the platform no longer has, so that nobody can be asked."""
        try:
            return self.secret is None
        except SecretLost:
            return True
