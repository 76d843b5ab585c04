"""What is scored: a rubric holds criteria, each with a scale of points."""

from typing import ClassVar

from django.db import models

from rubrics.bilingual import Bilingual


class Rubric(Bilingual, models.Model):
    """One version of a rubric; a changed preset is a new row, and campaigns keep the version they were made with."""

    key = models.SlugField(max_length=60)
    version = models.PositiveSmallIntegerField(default=1)
    name_zh = models.CharField(max_length=200)
    name_en = models.CharField(max_length=200)
    asks_for_verdicts = models.BooleanField(default=True)
    shows_latency = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["key", "version"], name="rubric_version_once")]

    def __str__(self) -> str:
        return f"{self.key} v{self.version}"


class Criterion(Bilingual, models.Model):
    """One thing that is scored; it applies to a dialogue, a subtask or a turn.

    `letter` is its name in a table of figures; `better` is the direction that ranks higher. A scale has scores, of which
    means are taken; a label set has names alone. `skills` are those of the scenarios it is asked for (empty: all).
    A score below `evidence_below` asks for a turn that shows it.
    """

    class Better(models.TextChoices):
        HIGHER = "higher"
        LOWER = "lower"

    class Kind(models.TextChoices):
        SCALE = "scale"
        LABEL = "label"

    class Scope(models.TextChoices):
        DIALOGUE = "dialogue"
        SUBTASK = "subtask"
        TURN = "turn"

    rubric = models.ForeignKey(Rubric, on_delete=models.CASCADE, related_name="criteria")
    position = models.PositiveSmallIntegerField()
    key = models.SlugField(max_length=60)
    letter = models.CharField(max_length=10)
    name_zh = models.CharField(max_length=100)
    name_en = models.CharField(max_length=100)
    better = models.CharField(max_length=6, choices=Better.choices, default=Better.HIGHER)
    kind = models.CharField(max_length=5, choices=Kind.choices, default=Kind.SCALE)
    scope = models.CharField(max_length=10, choices=Scope.choices, default=Scope.DIALOGUE)
    question_zh = models.TextField(blank=True)
    question_en = models.TextField(blank=True)
    skills = models.JSONField(default=list, blank=True)
    is_required = models.BooleanField(default=True)
    evidence_below = models.SmallIntegerField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["rubric", "key"], name="criterion_key_once_in_a_rubric"),
            models.UniqueConstraint(fields=["rubric", "position"], name="criterion_position_once"),
            models.CheckConstraint(
                condition=models.Q(better__in=["higher", "lower"]), name="criterion_has_a_direction"
            ),
            models.CheckConstraint(
                condition=models.Q(scope__in=["dialogue", "subtask", "turn"]), name="criterion_has_a_scope"
            ),
            models.CheckConstraint(
                condition=models.Q(kind="scale") | models.Q(kind="label", evidence_below__isnull=True),
                name="only_scores_ask_for_evidence",
            ),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def name(self) -> str:
        return self.text("name")

    def scores(self) -> list[int]:
        """The scores of the scale, lowest first."""
        return sorted(point.score for point in self.points.all())


class ScalePoint(Bilingual, models.Model):
    """One point of a scale, or one label of a label set: then `key` is its name, `score` its number, and `speaker` whose words it is for."""

    class Speaker(models.TextChoices):
        TESTER = "tester"
        BOT = "bot"

    criterion = models.ForeignKey(Criterion, on_delete=models.CASCADE, related_name="points")
    score = models.SmallIntegerField()
    key = models.CharField(max_length=30, blank=True)
    speaker = models.CharField(max_length=6, choices=Speaker.choices, blank=True)
    label_zh = models.CharField(max_length=100)
    label_en = models.CharField(max_length=100)

    class Meta:
        ordering: ClassVar = ["score"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["criterion", "score"], name="score_once_on_a_scale"),
            # Ratings name a label by its key.
            models.UniqueConstraint(
                fields=["criterion", "key"], condition=~models.Q(key=""), name="label_once_in_a_set"
            ),
            models.CheckConstraint(
                condition=models.Q(speaker__in=["", "tester", "bot"]), name="label_is_for_a_speaker"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.criterion}={self.score}"

    @property
    def label(self) -> str:
        return self.text("label")
