"""What was frozen, published and withdrawn, and freezes that are ordered."""

import hashlib
from datetime import datetime
from typing import Any, ClassVar

from django.db import models

from accounts.models import Person
from campaigns.models import Campaign, Entry
from leaderboards.computations import percent_of
from participants.limits import REASON_LIMIT


class NeverChanges(Exception):
    """A snapshot is what was frozen: it can be neither changed nor deleted."""


# Which board is meant: the key of a combined board, or the task and split of a board of runs; empty for the leaderboard.
OF_LEADERBOARD = ""
BOARD_KEY_LIMIT = 80


class SnapshotQuerySet(models.QuerySet["Snapshot"]):
    def of_leaderboard(self) -> "SnapshotQuerySet":
        """Those of the board of people, in which rows are systems."""
        return self.filter(of_board=OF_LEADERBOARD)

    def update(self, **kwargs: Any) -> int:
        raise NeverChanges

    def delete(self) -> tuple[int, dict[str, int]]:
        raise NeverChanges

    def bulk_update(self, *args: Any, **kwargs: Any) -> int:
        raise NeverChanges


class Snapshot(models.Model):
    """A leaderboard as it was frozen: `board` is its canonical JSON, `digest` the SHA-256 of these very bytes.

    The database refuses every change of a row, too: a trigger of the first migration. `made_by` is missing where the
    campaign's file asked for it. The bundle stands on the disk under its own digest. `of_board` says which board it is of,
    `has_people` whether people's scores are on it.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="snapshots")
    of_board = models.CharField(max_length=BOARD_KEY_LIMIT, blank=True)
    has_people = models.BooleanField(default=True)
    number = models.PositiveIntegerField()
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="snapshots")
    hides_teams = models.BooleanField()
    board = models.TextField()
    digest = models.CharField(max_length=64)
    bundle_digest = models.CharField(max_length=64, blank=True)
    bundle_bytes = models.PositiveBigIntegerField(default=0)

    objects = SnapshotQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["campaign", "number"], name="snapshot_number_once")]

    def __str__(self) -> str:
        return f"{self.campaign}/{self.number}"

    def save_base(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise NeverChanges
        super().save_base(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise NeverChanges

    @property
    def is_intact(self) -> bool:
        """Whether the stored text still has the digest that was told."""
        return hashlib.sha256(self.board.encode()).hexdigest() == self.digest

    @property
    def cited_digest(self) -> str:
        """The one digest that pages, citations and answers print: the bundle's, from which all is computed again."""
        return self.bundle_digest or self.digest


class PublicationQuerySet(models.QuerySet["Publication"]):
    def of_board(self, key: str) -> "PublicationQuerySet":
        return self.filter(snapshot__of_board=key)

    def with_people(self) -> "PublicationQuerySet":
        """Those by which people's scores became public."""
        return self.filter(snapshot__has_people=True)

    def closing_scores(self) -> "PublicationQuerySet":
        """Those that make the campaign a published one: of people's scores, and where no system takes part to be scored, of any board."""
        entries = Entry.objects.filter(campaign=models.OuterRef("snapshot__campaign"))
        return self.filter(models.Q(snapshot__has_people=True) | ~models.Exists(entries))

    def standing(self) -> "PublicationQuerySet":
        """Publications that are not withdrawn, also before their day."""
        return self.filter(withdrawn_at=None)

    def public(self, at: datetime) -> "PublicationQuerySet":
        """Publications that everybody may read, the newest first."""
        return self.standing().exclude(_before_its_day(at)).order_by("-public_from", "-pk")

    def waiting(self, at: datetime) -> "PublicationQuerySet":
        """Those whose day is to come, the next first."""
        return self.standing().filter(_before_its_day(at)).order_by("public_from")


def _before_its_day(at: datetime) -> models.Q:
    """The campaign's day counts as it is now: it may have been moved since somebody published."""
    return models.Q(public_from__gt=at) | models.Q(snapshot__campaign__publication_at__gt=at)


class Publication(models.Model):
    """That a snapshot was published, from when on everybody may read it, and that it was withdrawn, by whom and why.

    The rows are the audit: none is deleted, and a trigger refuses every change but a withdrawal.
    """

    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="publications")
    public_from = models.DateTimeField()
    published_at = models.DateTimeField()
    published_by = models.ForeignKey(
        Person, on_delete=models.PROTECT, null=True, blank=True, related_name="publications"
    )
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(
        Person, on_delete=models.PROTECT, null=True, blank=True, related_name="withdrawn_publications"
    )
    withdrawn_because = models.CharField(max_length=REASON_LIMIT, blank=True)

    objects = PublicationQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["snapshot"], condition=models.Q(withdrawn_at=None), name="snapshot_published_once_at_a_time"
            ),
            models.CheckConstraint(
                condition=models.Q(withdrawn_at=None, withdrawn_because="")
                | models.Q(withdrawn_at__isnull=False) & ~models.Q(withdrawn_because=""),
                name="withdrawn_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.snapshot} from {self.public_from}"

    @property
    def opens_at(self) -> datetime:
        """When everybody may read it: on the day that was chosen, or on the campaign's where that was moved behind it."""
        day = self.snapshot.campaign.publication_at
        return self.public_from if day is None else max(self.public_from, day)


class FreezeOrderQuerySet(models.QuerySet["FreezeOrder"]):
    def under_way(self) -> "FreezeOrderQuerySet":
        """Orders that wait or are being carried out; a failed one is neither."""
        return self.filter(failure="")


class FreezeOrder(models.Model):
    """That a board is to be frozen: the server does it beside its pages, for a bundle takes its time.

    A board has one order at a time: the next one takes its place. It is gone once the snapshot is made. Nobody begins it again
    before `next_at`; `failure` says in English why it could not be done.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="freeze_orders")
    asked_at = models.DateTimeField()
    asked_by = models.ForeignKey(Person, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    of_board = models.CharField(max_length=BOARD_KEY_LIMIT, blank=True)
    hides_teams = models.BooleanField()
    next_at = models.DateTimeField()
    began_at = models.DateTimeField(null=True, blank=True)
    share_done = models.FloatField(null=True, blank=True)
    failure = models.TextField(blank=True)

    objects = FreezeOrderQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "of_board"], name="freeze_ordered_once_a_board")
        ]

    def __str__(self) -> str:
        return f"{self.campaign}, asked {self.asked_at}"

    @staticmethod
    def begun_anew(at: datetime) -> dict[str, Any]:
        """The columns of an order that nobody has carried out or failed to."""
        return {"asked_at": at, "next_at": at, "began_at": None, "share_done": None, "failure": ""}

    @property
    def percent_done(self) -> int | None:
        """None while nobody carries it out."""
        return percent_of(self.share_done)
