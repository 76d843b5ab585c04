"""The runs that teams hand in, the calls to their services, and the workers that score them."""

import uuid
from datetime import datetime, timedelta
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from automatic_tasks.models.tasks import AutomaticTask, Split, StoredFile
from leaderboards.computations import Computed
from participants.models import Team
from participants.team_names import called_after
from reading.findings import Finding, in_words
from reading.kinds import URL_LIMIT


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

    run = models.ForeignKey("automatic_tasks.Run", on_delete=models.CASCADE, related_name="scores")
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


class BoardStatistics(Computed):
    """How sure the board of a task on one split is, as the worker computed it last for that version of the board.

    `scores_version` is that of the leaderboard of people that it was compared with.
    """

    task = models.ForeignKey(AutomaticTask, on_delete=models.CASCADE, related_name="board_statistics")
    split = models.CharField(max_length=12, choices=Split.choices)
    content = models.JSONField(default=dict)
    board_version = models.PositiveIntegerField(default=0)
    scores_version = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["task", "split"], name="statistics_once_a_board"),
            models.CheckConstraint(condition=Q(split__in=Split.values), name="statistics_split_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.task} on {self.split} v{self.board_version}"


NOTE_LIMIT = 200


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
        """What counts against a quota: everything but failures, whatever their fault."""
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
    """A team's answers to one task, or a baseline. `team` is empty for baselines, `file` for service runs.

    Runs that one file was handed in for have the same `submission` and the same number.

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
    submission = models.UUIDField(default=uuid.uuid4, editable=False)
    baseline = models.CharField(max_length=60, blank=True)
    submitted_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="runs", null=True, blank=True)
    note = models.CharField(max_length=NOTE_LIMIT, blank=True)
    file = models.ForeignKey(StoredFile, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    file_name = models.CharField(max_length=200, blank=True)
    url = models.CharField(max_length=URL_LIMIT, blank=True)
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
        ordering: ClassVar = ["-submitted_at", "-number", "pk"]
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
    def called(self) -> str:
        """The name with the team as the reader calls it."""
        return self.name if self.team is None else called_after(self.name, self.team.name, self.team.name_en)

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
    detail = models.JSONField(default=list, blank=True)
    n_calls = models.PositiveSmallIntegerField(default=1)
    took_ms = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["run", "number"], name="batch_once_a_run")]

    def __str__(self) -> str:
        return f"batch {self.number} of {self.run}"

    @property
    def what_happened(self) -> Finding | None:
        """Why there is no answer; None with an answer, or with an invalid one, which `findings` explain."""
        return Finding.from_json(self.detail) if self.detail else None

    @property
    def findings(self) -> list[Finding]:
        """What deviates from the protocol, or why the answer is invalid."""
        return [Finding.from_json(stored) for stored in self.problems]


class WorkerPresence(models.Model):
    """When a worker was last there; without one, runs wait, and pages say so."""

    name = models.CharField(max_length=60, unique=True)
    seen_at = models.DateTimeField()
    n_troubles = models.PositiveIntegerField(default=0)
    trouble = models.CharField(max_length=200, blank=True)
    trouble_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name
