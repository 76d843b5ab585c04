"""Judges that are models, and what each of them scored. Their scores stand apart from those of people.

Judge ──▶ JudgeReview   one dialogue under one prompt: the samples, and what they come to
     └──▶ JudgeReport   the judge against people, as it was computed last
"""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from campaigns.models import Campaign
from dialogues.models import Dialogue
from judging.limits import MAKER_LIMIT, SAMPLES_LIMIT
from language_models.models import ModelEndpoint
from participants.limits import KEY_LIMIT
from reviews.models import Review


class JudgeQuerySet(models.QuerySet["Judge"]):
    def newest(self) -> "JudgeQuerySet":
        """Each judge in its newest version."""
        all_of_key = Judge.objects.filter(campaign=models.OuterRef("campaign"), key=models.OuterRef("key"))
        return self.filter(version=models.Subquery(all_of_key.order_by("-version").values("version")[:1]))


class Judge(models.Model):
    """A model with a prompt. Whatever changes its answers makes the next `version` of its key: another judge, with scores of its own.

    `prompt_digest` covers the prompt's words, the rubric, the model, its options, temperature and samples. `share` is the percentage of
    the dialogues that is drawn for it by `seed`. `account` is the account of a program under which its scores are handed in where they count.
    """

    class Language(models.TextChoices):
        ZH = "zh", _("Chinese")
        EN = "en", _("English")

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="judges_declared")
    endpoint = models.ForeignKey(ModelEndpoint, on_delete=models.PROTECT, related_name="judges")
    key = models.CharField(max_length=KEY_LIMIT)
    version = models.PositiveSmallIntegerField(default=1)
    language = models.CharField(max_length=2, choices=Language.choices)
    n_samples = models.PositiveSmallIntegerField(default=3)
    temperature = models.FloatField(default=0.0)
    share = models.PositiveSmallIntegerField(default=100)
    seed = models.PositiveIntegerField(default=0)
    instructions = models.TextField(blank=True)
    maker = models.CharField(max_length=MAKER_LIMIT, blank=True)
    prompt_digest = models.CharField(max_length=64)
    account = models.OneToOneField(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="judge")
    declared_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    declared_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = JudgeQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["key", "-version"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "key", "version"], name="judge_version_once"),
            models.CheckConstraint(
                condition=models.Q(n_samples__range=(1, SAMPLES_LIMIT)), name="judge_samples_within_limits"
            ),
            models.CheckConstraint(condition=models.Q(share__range=(1, 100)), name="judge_share_is_a_percentage"),
            models.CheckConstraint(
                condition=models.Q(temperature__range=(0, 2)), name="judge_temperature_within_limits"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return f"{self.key} v{self.version}"


class JudgeReviewQuerySet(models.QuerySet["JudgeReview"]):
    def to_do(self) -> "JudgeReviewQuerySet":
        return self.filter(state=JudgeReview.State.TO_DO).order_by("position", "pk")

    def done(self) -> "JudgeReviewQuerySet":
        return self.filter(state=JudgeReview.State.DONE).order_by("position", "pk")


class JudgeReview(models.Model):
    """What a judge scored of a dialogue. `variant` is how its prompt was changed to probe the judge; empty: it was not.

    `samples` hold each answer as a review holds it: `ratings`, `evidence`, `verdicts`. `content` is what they come to, in the same
    shape, `means` the mean of each scale's samples. `n_refused` answers were off the scale or named a turn that does not exist.
    It is no review of `reviews/`: nothing there sees it, unless `review` says that it was handed in.
    """

    class State(models.TextChoices):
        TO_DO = "to_do", _("to do")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    judge = models.ForeignKey(Judge, on_delete=models.CASCADE, related_name="reviews")
    dialogue = models.ForeignKey(Dialogue, on_delete=models.CASCADE, related_name="judge_reviews")
    variant = models.CharField(max_length=20, blank=True)
    position = models.PositiveIntegerField()
    drawn_at = models.DateTimeField()
    state = models.CharField(max_length=6, choices=State.choices, default=State.TO_DO)
    judged_at = models.DateTimeField(null=True, blank=True)
    failed_because = models.CharField(max_length=30, blank=True)
    samples = models.JSONField(default=list, blank=True)
    content = models.JSONField(null=True, blank=True)
    means = models.JSONField(default=dict, blank=True)
    n_asked = models.PositiveSmallIntegerField(default=0)
    n_refused = models.PositiveSmallIntegerField(default=0)
    tokens_in = models.PositiveBigIntegerField(default=0)
    tokens_out = models.PositiveBigIntegerField(default=0)
    cost = models.DecimalField(max_digits=18, decimal_places=9, default=0)
    speaks_to_judge = models.BooleanField(default=False)
    is_submitted = models.BooleanField(default=False)
    review = models.OneToOneField(Review, on_delete=models.PROTECT, null=True, blank=True, related_name="judge_review")

    objects = JudgeReviewQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["judge", "dialogue", "variant"], name="one_judge_review_a_variant"),
            models.CheckConstraint(
                condition=models.Q(state="to_do", judged_at=None) | models.Q(judged_at__isnull=False),
                name="judged_reviews_have_a_time",
            ),
            models.CheckConstraint(
                condition=models.Q(is_submitted=False) | models.Q(review__isnull=False),
                name="submitted_judge_reviews_have_a_review",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.judge_id} on {self.dialogue_id} {self.variant}".rstrip()


class JudgeReport(models.Model):
    """A judge against people, as `workbench.py` computed it; figures with intervals as JSON."""

    judge = models.OneToOneField(Judge, on_delete=models.CASCADE, related_name="report")
    computed_at = models.DateTimeField()
    content = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"report on {self.judge_id}"
