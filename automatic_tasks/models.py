"""Automatic tasks of a campaign, the runs that teams hand in, and what they scored."""

import hashlib
import json
import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from automatic_tasks.findings import Finding, in_words
from automatic_tasks.task_types import TASK_TYPES
from automatic_tasks.task_types.contract import TaskType
from campaigns.models import Campaign
from leaderboards.ranking import RankingKey
from participants.models import Person, Team
from rubrics.bilingual import Bilingual


class Split(models.TextChoices):
    DEVELOPMENT = "development", _("development split")
    HIDDEN = "hidden", _("hidden split")


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

    def note_changed_board(self, task: "AutomaticTask") -> None:
        """A change may be what mends a board in trouble, so it ends the pause."""
        self.filter(pk=task.pk).update(board_version=models.F("board_version") + 1, compare_again_at=None)


class AutomaticTask(Bilingual, models.Model):
    """One automatic task: gold, splits, quota and what feedback gives away."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="automatic_tasks")
    key = models.SlugField(max_length=60)
    position = models.PositiveIntegerField()
    type = models.CharField(max_length=60)
    name_zh = models.CharField(max_length=200)
    name_en = models.CharField(max_length=200)
    gold = models.ForeignKey(StoredFile, on_delete=models.PROTECT, related_name="+")
    noise = models.ForeignKey(StoredFile, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    options = models.JSONField(default=dict, blank=True)
    ranking = models.JSONField(default=list, blank=True)
    development_ids = models.JSONField(default=list, blank=True)
    n_items = models.PositiveIntegerField(default=0)
    quota_total = models.PositiveIntegerField()
    quota_per_day = models.PositiveIntegerField()
    decimals = models.PositiveSmallIntegerField(null=True, blank=True)
    min_gain = models.FloatField(null=True, blank=True)
    batch_size = models.PositiveIntegerField(default=50)
    deadline_s = models.FloatField(default=4.0)
    noise_ratio = models.FloatField(default=0.0)
    defaults = models.JSONField(default=dict, blank=True)
    is_open = models.BooleanField(default=True)
    board_is_open = models.BooleanField(default=False)
    released_at = models.DateTimeField(null=True, blank=True)
    board_version = models.PositiveIntegerField(default=0)
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
    def ranking_labels(self) -> list[str]:
        """The keys of the ranking as a reader sees them: label, and an arrow for the order of the ranks."""
        return labels_of(self.task_type, self.ranking_rule)

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


def labels_of(task_type: TaskType, rule: Iterable[RankingKey]) -> list[str]:
    labels = {figure.name: figure.label for figure in task_type.figures}
    return [f"{labels[key.figure]}{'↓' if key.better == 'higher' else '↑'}" for key in rule]


class Service(models.Model):
    """Where a team's service for a task listens."""

    task = models.ForeignKey(AutomaticTask, on_delete=models.CASCADE, related_name="services")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="services")
    url = models.CharField(max_length=2000)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["task", "team"], name="one_service_a_team")]

    def __str__(self) -> str:
        return f"{self.team} for {self.task}"


class RunState(models.TextChoices):
    QUEUED = "queued", _("waiting")
    RUNNING = "running", _("running")
    SCORED = "scored", _("scored")
    FAILED = "failed", _("failed")


class RunQuerySet(models.QuerySet["Run"]):
    def of_team(self, team: Team | None) -> "RunQuerySet":
        """Runs of the team; none for who has no team, and not the baselines, which have none either."""
        return self.none() if team is None else self.filter(team=team)

    def using_quota(self) -> "RunQuerySet":
        """What counts against a quota: everything but what failed, whoever's fault that was."""
        return self.exclude(state=RunState.FAILED)

    def due(self, at: datetime) -> "RunQuerySet":
        """Waiting runs, and those whose worker has not been heard of for the length of a lease."""
        return self.filter(Q(state=RunState.QUEUED) | Q(state=RunState.RUNNING, lease_until__lt=at))

    def scored_on(self, split: str) -> "RunQuerySet":
        """Runs that have a score on the split, also while they wait to be scored again."""
        return self.filter(scores__split=split)

    def with_names(self) -> "RunQuerySet":
        return self.select_related("task__campaign", "team", "submitted_by")

    def with_scores(self) -> "RunQuerySet":
        return self.prefetch_related(models.Prefetch("scores", Score.objects.defer("sums")))


class Run(models.Model):
    """One submission of a team, or a baseline. `team` is empty for baselines, `file` for service runs.

    `reasons` say why it has no score (or no new one), as findings, so that each reader gets them in their own language.
    """

    class Fault(models.TextChoices):
        NOBODY = "nobody", _("nobody's fault")
        TEAM = "team", _("the team's fault")
        PLATFORM = "platform", _("the platform's fault")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(AutomaticTask, on_delete=models.PROTECT, related_name="runs")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="runs", null=True, blank=True)
    number = models.PositiveIntegerField()
    baseline = models.CharField(max_length=60, blank=True)
    submitted_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="runs", null=True, blank=True)
    note = models.CharField(max_length=200, blank=True)
    file = models.ForeignKey(StoredFile, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    file_name = models.CharField(max_length=200, blank=True)
    url = models.CharField(max_length=2000, blank=True)
    seed = models.BigIntegerField(default=0)
    state = models.CharField(max_length=10, choices=RunState.choices, default=RunState.QUEUED)
    fault = models.CharField(max_length=10, choices=Fault.choices, default=Fault.NOBODY)
    reasons = models.JSONField(default=list, blank=True)
    warnings = models.JSONField(default=list, blank=True)
    is_revealed = models.BooleanField(default=True)
    is_chosen = models.BooleanField(default=False)
    submitted_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    worker = models.CharField(max_length=60, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    n_attempts = models.PositiveIntegerField(default=0)
    n_done = models.PositiveIntegerField(default=0)
    n_total = models.PositiveIntegerField(default=0)

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-submitted_at", "-number"]
        indexes: ClassVar = [models.Index(fields=["state", "submitted_at"], name="runs_to_do")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["task", "team", "number"], name="run_number_once_a_team"),
            models.UniqueConstraint(fields=["task", "team"], condition=Q(is_chosen=True), name="one_chosen_run_a_team"),
            models.CheckConstraint(condition=Q(state__in=RunState.values), name="run_state_is_known"),
            models.CheckConstraint(
                condition=~Q(state=RunState.RUNNING) | Q(lease_until__isnull=False), name="a_running_run_has_a_lease"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.task}"

    @property
    def name(self) -> str:
        """As in the tables of NTCIR: `BL-uniform`, `Team-run3`."""
        return f"BL-{self.baseline}" if self.team is None else f"{self.team.name}-run{self.number}"

    @property
    def is_service(self) -> bool:
        return bool(self.url)

    @property
    def message(self) -> str:
        return in_words(self.why)

    @property
    def why(self) -> list[Finding]:
        return [Finding.from_json(kept) for kept in self.reasons]

    @property
    def findings(self) -> list[Finding]:
        """The warnings of its check or of the answers it got."""
        return [Finding.from_json(kept) for kept in self.warnings]

    def is_outdated(self, version: str) -> bool:
        """Whether it has a score of another than this `score_version` of its task."""
        return any(score.version != version for score in self.scores.all())

    @property
    def is_over(self) -> bool:
        return self.state in {RunState.SCORED, RunState.FAILED}

    @property
    def took(self) -> timedelta | None:
        if self.started_at is None or self.finished_at is None:
            return None
        return self.finished_at - self.started_at


class ServicePlan(models.Model):
    """What a service run asks, fixed when it starts: a later change of the task changes no question and no score of it.

    `order` holds each sentence as `mixing.Order` does; numbers that a service answers count from its start.
    """

    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="plan")
    gold = models.ForeignKey(StoredFile, on_delete=models.PROTECT, related_name="+")
    noise = models.ForeignKey(StoredFile, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    order = models.JSONField()
    batch_size = models.PositiveIntegerField()
    deadline_s = models.FloatField()

    def __str__(self) -> str:
        return f"plan of {self.run}"


class Batch(models.Model):
    """One call to a team's service, stored before the next one is made, so that a killed run goes on where it was."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="batches")
    number = models.PositiveIntegerField()
    answers = models.JSONField(default=dict)
    problems = models.JSONField(default=list)
    failure = models.CharField(max_length=40, blank=True)
    detail = models.TextField(blank=True)
    n_calls = models.PositiveSmallIntegerField(default=1)
    took_ms = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["run", "number"], name="batch_once_a_run")]

    def __str__(self) -> str:
        return f"batch {self.number} of {self.run}"


class ScoreQuerySet(models.QuerySet["Score"]):
    def outdated(self, task: AutomaticTask) -> "ScoreQuerySet":
        """Scores of the task that were made by another version of its measure, or from other gold or options."""
        return self.filter(run__task=task).exclude(version=task.score_version)

    def current(self, task: AutomaticTask) -> "ScoreQuerySet":
        return self.filter(run__task=task, version=task.score_version)


class Score(models.Model):
    """A run's figures on one split; `sums` are the rows per item that intervals and tests are drawn from.

    `version` is the task's `score_version` at the time.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="scores")
    split = models.CharField(max_length=12, choices=Split.choices)
    figures = models.JSONField()
    intervals = models.JSONField(default=dict)
    notes = models.JSONField(default=dict)
    sums = models.BinaryField()
    version = models.CharField(max_length=60)

    objects = ScoreQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["run", "split"], name="score_once_a_split"),
            models.CheckConstraint(condition=Q(split__in=Split.values), name="split_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.run} on {self.split}"


class Comparison(models.Model):
    """p-values by figure that two runs differ by chance alone. `one` is the score of the run with the smaller id.

    It belongs to two scores, not to two runs: a run that is scored again loses its comparisons with its old score.
    """

    one = models.ForeignKey(Score, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Score, on_delete=models.CASCADE, related_name="+")
    p_values = models.JSONField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["one", "other"], name="pair_compared_once")]

    def __str__(self) -> str:
        return f"{self.one} against {self.other}"


class WorkerPresence(models.Model):
    """When a worker was last there; without one, runs wait, and pages say so."""

    name = models.CharField(max_length=60, unique=True)
    seen_at = models.DateTimeField()
    n_troubles = models.PositiveIntegerField(default=0)
    trouble = models.CharField(max_length=200, blank=True)
    trouble_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


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
