"""One reviewer's work on one dialogue: ratings, subtask verdicts, and the trail of every change."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from accounts.models import Person
from rubrics.models import Criterion
from testing_console.models import Dialogue


class Review(models.Model):
    """`version` counts the submitted states; who saves against an older one gets a conflict, nothing is overwritten.

    `draft` is what the reviewer has chosen since, not handed in yet; NULL where there is nothing. It counts nowhere.
    """

    dialogue = models.ForeignKey(Dialogue, on_delete=models.PROTECT, related_name="reviews")
    reviewer = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="reviews")
    comment = models.TextField(blank=True)
    is_submitted = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=0)
    draft = models.JSONField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["dialogue", "reviewer"], name="one_review_a_reviewer"),
            models.CheckConstraint(
                condition=Q(is_submitted=False) | Q(submitted_at__isnull=False), name="submitted_has_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reviewer} on {self.dialogue_id}"


class Rating(models.Model):
    """A score on one criterion; the scale's ends are stored with it, so that the database can enforce them."""

    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="ratings")
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="ratings")
    score = models.SmallIntegerField()
    lowest = models.SmallIntegerField()
    highest = models.SmallIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["review", "criterion"], name="one_rating_a_criterion"),
            models.CheckConstraint(
                condition=Q(score__gte=F("lowest"), score__lte=F("highest")), name="score_is_on_its_scale"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.criterion.key}={self.score}"


class SubtaskVerdict(models.Model):
    """Whether the reviewer holds the subtask for finished."""

    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="verdicts")
    subtask = models.PositiveSmallIntegerField()
    is_finished = models.BooleanField()

    class Meta:
        ordering: ClassVar = ["subtask"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["review", "subtask"], name="one_verdict_a_subtask")]

    def __str__(self) -> str:
        return f"{self.subtask}: {self.is_finished}"


class ReviewChange(models.Model):
    """One line of the audit trail: who changed a review when, from what to what. Rows are only ever added.

    `before` is NULL where nothing was handed in before, `after` where the only hand-in was undone.
    """

    class Kind(models.TextChoices):
        HANDED_IN = "handed_in"
        UNDONE = "undone"

    review = models.ForeignKey(Review, on_delete=models.PROTECT, related_name="changes")
    version = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.HANDED_IN)
    changed_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="review_changes")
    at = models.DateTimeField()
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)

    class Meta:
        ordering: ClassVar = ["version"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["review", "version"], name="one_change_a_version")]

    def __str__(self) -> str:
        return f"{self.review_id} v{self.version}"
