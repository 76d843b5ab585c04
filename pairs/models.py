"""Pairs of systems as people compare them: who was shown which two, on which side, and which one they prefer."""

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import Exists, F, OuterRef, Q

from accounts.models import Person
from campaigns.models import Campaign, Entry, Scenario
from dialogues.models import Dialogue
from dialogues.turn_taking import UNCOUNTED

KEY_LIMIT = 120
EXTERNAL_LIMIT = 200


class PairQuerySet(models.QuerySet["Pair"]):
    def of_campaign(self, campaign: Campaign) -> "PairQuerySet":
        return self.filter(campaign=campaign)

    def held(self) -> "PairQuerySet":
        """Those that were not given up: to be compared, or compared."""
        return self.filter(released_at=None)

    def drawn(self) -> "PairQuerySet":
        """Those that the platform drew, not those that a file brought."""
        return self.filter(origin=Pair.Origin.DRAWN)

    def of_judge(self, judge: Person) -> "PairQuerySet":
        return self.filter(judge=judge)

    def to_do(self) -> "PairQuerySet":
        return self.held().filter(~Exists(PairVote.objects.given().filter(pair=OuterRef("pk"))))

    def with_names(self) -> "PairQuerySet":
        return self.select_related("campaign", "scenario", "left", "right", "left_dialogue", "right_dialogue")


class Pair(models.Model):
    """Two systems side by side in front of one judge; `left` and `right` are the sides as the judge saw them.

    The dialogues stay rows of their own room; a pair refers to them, and an imported pair has none. `key` names the two
    whatever their sides, so that the database refuses the same pair to a judge twice. `number` counts the drawn pairs of a
    campaign in order: with `seed` and `draw` each drawing can be repeated from the pairs before it. A pair with
    `released_at` is compared by nobody any more.
    """

    class Kind(models.TextChoices):
        LIVE = "live"
        FINISHED = "finished"

    class Draw(models.TextChoices):
        BALANCED = "balanced"
        ADAPTIVE = "adaptive"

    class Origin(models.TextChoices):
        DRAWN = "drawn"
        IMPORTED = "imported"

    class Released(models.TextChoices):
        UNCOUNTED = "uncounted"
        INTEREST = "interest"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="pairs")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    origin = models.CharField(max_length=8, choices=Origin.choices, default=Origin.DRAWN)
    external_id = models.CharField(max_length=EXTERNAL_LIMIT, blank=True)
    scenario = models.ForeignKey(Scenario, on_delete=models.PROTECT, related_name="pairs")
    left = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="pairs_left")
    right = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="pairs_right")
    left_dialogue = models.ForeignKey(
        Dialogue, on_delete=models.PROTECT, null=True, blank=True, related_name="pairs_left"
    )
    right_dialogue = models.ForeignKey(
        Dialogue, on_delete=models.PROTECT, null=True, blank=True, related_name="pairs_right"
    )
    # For whom it was drawn; NULL where it was imported.
    judge = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="pairs")
    key = models.CharField(max_length=KEY_LIMIT)
    position = models.PositiveIntegerField(default=0)
    number = models.PositiveIntegerField(null=True, blank=True)
    draw = models.CharField(max_length=8, choices=Draw.choices, blank=True)
    seed = models.BigIntegerField(default=0)
    drawn_at = models.DateTimeField()
    released_at = models.DateTimeField(null=True, blank=True)
    released_because = models.CharField(max_length=10, choices=Released.choices, blank=True)

    objects = PairQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["judge", "key"], name="nobody_sees_a_pair_twice"),
            models.UniqueConstraint(fields=["campaign", "number"], name="pair_number_once"),
            models.CheckConstraint(condition=~Q(left=F("right")), name="a_pair_is_of_two_systems"),
            models.CheckConstraint(
                condition=Q(origin="imported", judge=None, number=None)
                | Q(
                    origin="drawn",
                    judge__isnull=False,
                    number__isnull=False,
                    left_dialogue__isnull=False,
                    right_dialogue__isnull=False,
                ),
                name="a_drawn_pair_has_its_judge_and_dialogues",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["campaign", "origin", "judge"], name="pairs_of_a_judge")]

    def __str__(self) -> str:
        return f"{self.left_id} | {self.right_id} ({self.key})"

    @property
    def is_live(self) -> bool:
        return self.kind == self.Kind.LIVE


class PairVoteQuerySet(models.QuerySet["PairVote"]):
    def given(self) -> "PairVoteQuerySet":
        """Those that stand: a vote that was taken back has no verdict."""
        return self.exclude(verdict="")

    def counted(self, campaign: Campaign) -> "PairVoteQuerySet":
        """Those that the board is made of: given by people, of pairs whose dialogues count, in a stable order."""
        found = self.given().filter(pair__campaign=campaign, pair__released_at=None, is_of_program=False)
        found = found.exclude(judge__kind=Person.Kind.PROGRAM, pair__origin=Pair.Origin.DRAWN)
        for side in ("left", "right"):
            # An imported pair has no dialogue: NULL is not among the uncounted, and not outside of them either.
            void = Q(**{f"pair__{side}_dialogue__status__in": list(UNCOUNTED)})
            found = found.filter(Q(**{f"pair__{side}_dialogue": None}) | ~void)
        return found.order_by("at", "pair__pk", "pk")


class PairVote(models.Model):
    """What a judge prefers of a pair, by sides as shown. `verdict` is empty where the vote was taken back.

    `evidence_turn` of the dialogue at `evidence_side` shows why. `version` counts the states that were stored: a vote against
    an older one is a conflict. Of an imported vote, `judge` is who imported it, `external_judge` the id in the file, and
    `is_of_program` says that a program gave it: no board holds it.
    """

    class Verdict(models.TextChoices):
        LEFT = "left"
        RIGHT = "right"
        TIE = "tie"
        BOTH_BAD = "both_bad"

    class Side(models.TextChoices):
        LEFT = "left"
        RIGHT = "right"

    pair = models.ForeignKey(Pair, on_delete=models.CASCADE, related_name="votes")
    judge = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="pair_votes")
    external_judge = models.CharField(max_length=EXTERNAL_LIMIT, blank=True)
    is_of_program = models.BooleanField(default=False, db_default=False)
    verdict = models.CharField(max_length=8, choices=Verdict.choices, blank=True)
    reason = models.TextField(blank=True)
    evidence_side = models.CharField(max_length=5, choices=Side.choices, blank=True)
    evidence_turn = models.PositiveIntegerField(null=True, blank=True)
    at = models.DateTimeField()
    version = models.PositiveIntegerField(default=1)

    objects = PairVoteQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pair", "judge"], name="one_vote_a_judge"),
            models.CheckConstraint(
                condition=Q(verdict__in=["", "left", "right", "tie", "both_bad"]), name="pair_verdict_is_known"
            ),
            models.CheckConstraint(
                condition=Q(evidence_side="", evidence_turn=None)
                | (Q(evidence_side__in=["left", "right"]) & Q(evidence_turn__isnull=False)),
                name="evidence_of_a_vote_has_side_and_turn",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pair_id}: {self.verdict}"
