"""Automatic tasks of a campaign: gold, splits, printed figures."""

import hashlib
import json
from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign
from campaigns.origins import Originated, origin_is_known
from measures.ranking import RankingKey
from participants.limits import NAME_LIMIT, REASON_LIMIT
from participants.models import Team
from reading.findings import Finding
from registration.models import DataPackage
from rubrics.bilingual import Bilingual
from scoring import splits
from scoring.task_types import TASK_TYPES
from scoring.task_types.contract import Figure, TaskType


class Split(models.TextChoices):
    DEVELOPMENT = splits.DEVELOPMENT, _("development split")
    HIDDEN = splits.HIDDEN, _("hidden split")


class StoredFile(models.Model):
    """A file as it came, byte for byte; the same bytes are kept once."""

    sha256 = models.CharField(max_length=64, unique=True)
    content = models.BinaryField()

    def __str__(self) -> str:
        return self.sha256[:12]


class AutomaticTaskQuerySet(models.QuerySet["AutomaticTask"]):
    def with_changed_boards(self) -> "AutomaticTaskQuerySet":
        """Tasks whose boards changed since their runs were last compared."""
        return self.filter(board_version__gt=models.F("compared_version"))

    def due_for_comparison(self, at: datetime) -> "AutomaticTaskQuerySet":
        """Changed boards, those whose comparison failed only when their pause is over."""
        return self.with_changed_boards().filter(Q(compare_again_at=None) | Q(compare_again_at__lte=at))


class AutomaticTask(Originated, Bilingual, models.Model):
    """One automatic task: gold, splits, quota and what feedback gives away."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="automatic_tasks")
    key = models.SlugField(max_length=60)
    position = models.PositiveIntegerField()
    type = models.CharField(max_length=60)
    name_zh = models.CharField(max_length=NAME_LIMIT)
    name_en = models.CharField(max_length=NAME_LIMIT)
    gold = models.ForeignKey(StoredFile, on_delete=models.PROTECT, related_name="+")
    noise = models.ForeignKey(StoredFile, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    options = models.JSONField(default=dict, blank=True)
    ranking = models.JSONField(default=list, blank=True)
    development_ids = models.JSONField(default=list, blank=True)
    n_items = models.PositiveIntegerField(default=0)
    handed_in_with = models.ForeignKey(
        "self", on_delete=models.PROTECT, related_name="joined", null=True, blank=True, default=None
    )
    # Files with what a run answers, without the answers (`automatic_tasks.inputs`).
    inputs = models.ManyToManyField(DataPackage, related_name="tasks", blank=True)
    quota_total = models.PositiveIntegerField()
    quota_per_day = models.PositiveIntegerField()
    decimals = models.PositiveSmallIntegerField(null=True, blank=True)
    min_gain = models.FloatField(null=True, blank=True)
    batch_size = models.PositiveIntegerField(default=50)
    deadline_s = models.FloatField(default=4.0)
    noise_ratio = models.FloatField(default=0.0)
    defaults = models.JSONField(default=dict, blank=True)
    runs_from = models.DateTimeField(null=True, blank=True)
    runs_until = models.DateTimeField(null=True, blank=True)
    is_open = models.BooleanField(default=True)
    board_is_open = models.BooleanField(default=False)
    released_at = models.DateTimeField(null=True, blank=True)
    board_version = models.PositiveIntegerField(default=0)
    board_changed_at = models.DateTimeField(null=True, blank=True)
    compared_version = models.PositiveIntegerField(default=0)
    board_troubles = models.JSONField(default=list, blank=True)
    n_board_troubles = models.PositiveIntegerField(default=0)
    board_trouble_at = models.DateTimeField(null=True, blank=True)
    compare_again_at = models.DateTimeField(null=True, blank=True)

    objects = AutomaticTaskQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "key"], name="task_key_once"),
            models.CheckConstraint(condition=Q(batch_size__gte=1), name="batches_hold_a_sentence"),
            models.CheckConstraint(condition=Q(noise_ratio__gte=0, noise_ratio__lte=100), name="noise_ratio_in_limits"),
            models.CheckConstraint(condition=Q(deadline_s__gt=0, deadline_s__lte=120), name="batch_deadline_in_limits"),
            origin_is_known("task"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign.slug}/{self.key}"

    @property
    def name(self) -> str:
        return self.text("name")

    @property
    def task_type(self) -> TaskType:
        return TASK_TYPES[self.type]

    @property
    def all_options(self) -> dict[str, Any]:
        return self.task_type.default_options() | self.options

    @property
    def changed_defaults(self) -> list[tuple[str, Any, Any]]:
        """Settings that were left to the task type, whose default is another now: name, what the task has, the default."""
        now = self.task_type.default_settings()
        return [(name, was, now[name]) for name, was in sorted(self.defaults.items()) if now.get(name, was) != was]

    @property
    def lacks_noise(self) -> bool:
        """Whether its service is asked nothing but sentences that count, and so knows which do."""
        return self.task_type.is_service and (self.noise_id is None or self.noise_ratio == 0)

    @property
    def score_version(self) -> str:
        """What a score of today is made by: the version of the measure, its figures, and the gold, options and split.

        Scores of different versions are never compared: a changed default of an option is another version too.
        """
        figures = [figure.name for figure in self.task_type.figures]
        made_by = [self.type, figures, self.gold_id, self.all_options, sorted(self.development_ids)]
        digest = hashlib.sha256(json.dumps(made_by, sort_keys=True).encode()).hexdigest()
        return f"{self.task_type.version}:{digest[:16]}"

    @property
    def board_findings(self) -> list[Finding]:
        """Why the runs of the boards could not be compared when it was last tried."""
        return [Finding.from_json(kept) for kept in self.board_troubles]

    @property
    def ranking_rule(self) -> tuple[RankingKey, ...]:
        """The keys of the task's ranking, each with the direction that its figure has.

        Figures that a later release dropped are passed over; where none is left, the task type's ranking holds.
        """
        better = {figure.name: figure.better for figure in self.task_type.figures}
        return (
            tuple(RankingKey(name, better[name]) for name in self.ranking if name in better) or self.task_type.ranking
        )

    @property
    def ranking_figures(self) -> list[Figure]:
        """The figures that rank, the one that decides first in front."""
        figures = {figure.name: figure for figure in self.task_type.figures}
        return [figures[key.figure] for key in self.ranking_rule]

    @property
    def has_development(self) -> bool:
        return bool(self.development_ids)

    @property
    def has_hidden(self) -> bool:
        return len(self.development_ids) < self.n_items

    @property
    def splits(self) -> list[Split]:
        return [
            split
            for split, is_there in ((Split.DEVELOPMENT, self.has_development), (Split.HIDDEN, self.has_hidden))
            if is_there
        ]


class PublishedFigures(models.Model):
    """A system's figures as a paper printed them; they stand on the board beside the runs, without items behind them."""

    task = models.ForeignKey(AutomaticTask, on_delete=models.CASCADE, related_name="published_figures")
    split = models.CharField(max_length=12, choices=Split.choices)
    name = models.CharField(max_length=200)
    source = models.CharField(max_length=200, blank=True)
    figures = models.JSONField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["task", "split", "name"], name="published_once"),
            models.CheckConstraint(condition=Q(split__in=Split.values), name="published_split_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.name} on {self.task}"


class TeamQuota(Originated, models.Model):
    """How many runs a team has for a task in place of the task's own quota; what is None is as for everybody."""

    task = models.ForeignKey(AutomaticTask, on_delete=models.CASCADE, related_name="team_quotas")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="task_quotas")
    total = models.PositiveIntegerField(null=True, blank=True)
    per_day = models.PositiveIntegerField(null=True, blank=True)
    reason = models.CharField(max_length=REASON_LIMIT)

    class Meta:
        ordering: ClassVar = ["team__name"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["task", "team"], name="one_quota_a_team"),
            models.CheckConstraint(
                condition=Q(total__isnull=False) | Q(per_day__isnull=False), name="a_quota_says_something"
            ),
            origin_is_known("team_quota"),
        ]

    def __str__(self) -> str:
        return f"quota of {self.team} for {self.task}"
