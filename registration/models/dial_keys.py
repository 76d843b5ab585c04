"""Keys of bots that connect to the platform, and where each bot is connected now."""

from datetime import datetime, timedelta

from django.db import models

from accounts.models import Person
from campaigns.models import Entry

# A process that still holds a bot's socket says so this often; one that has not for long is gone, and the socket with it.
SEEN_EVERY = timedelta(seconds=10)
GONE_AFTER = timedelta(seconds=30)


class DialKey(models.Model):
    """A bot's one key: another one ends it. Only its hash is stored.

    `connection` names the socket that the bot has, or had until `left_at`, and `server` the process that holds it.
    """

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="dial_key")
    digest = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField()
    connection = models.CharField(max_length=32, blank=True)
    server = models.CharField(max_length=100, blank=True)
    connected_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    left_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"key of {self.entry}"

    def is_connected(self, at: datetime) -> bool:
        return self.left_at is None and self.seen_at is not None and at - self.seen_at < GONE_AFTER

    @property
    def last_seen_at(self) -> datetime | None:
        """When the bot was connected last, while it is not."""
        return self.left_at or self.seen_at
