"""The queue of runs: leases, so that a killed worker's run is taken up by another, and no state is ever stuck.

A worker claims a run for the length of a lease and renews it while it works. Every write of a worker is bound to its own
name, so that one that lost its lease (stopped, then woken) changes nothing any more. Pages read from the queue what a run
waits for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Literal

from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from automatic_tasks.boards.feedback import best_of, is_revealed
from automatic_tasks.models import AutomaticTask, Comparison, Run, RunState, Score, Split, WorkerPresence
from reading.findings import Finding

FIRST_S = 1.0


def pause_s(n_in_a_row: int, *, longest_s: float) -> float:
    """Doubles from one second with every failure in a row, up to the longest."""
    return min(longest_s, FIRST_S * 2.0 ** min(n_in_a_row - 1, 30))


LONGEST_BOARD_PAUSE_S = 600.0
# A run that is unfit for thousands of reasons is described well enough by the first.
REASONS_KEPT = 20
INTERRUPTED = Finding("", gettext_noop("The platform was interrupted each time it scored this run."))
LEASE = timedelta(seconds=15)
# A worker silent for longer is dead.
PRESENT_FOR = 2 * LEASE
ATTEMPT_LIMIT = 3
Lane = Literal["files", "services"]


@dataclass(frozen=True, slots=True)
class SplitScore:
    """What is stored of a run's score on one split."""

    figures: dict[str, float | None]
    intervals: dict[str, tuple[float, float]]
    notes: dict[str, str]
    sums: bytes
    version: str


def claim_run(*, worker: str, lane: Lane, at: datetime) -> Run | None:
    """The oldest run that is due, now this worker's; None if there is none. A run that was tried too often fails."""
    due = Run.objects.due(at).filter(url="") if lane == "files" else Run.objects.due(at).exclude(url="")
    for run in due.order_by("submitted_at", "number")[:10]:
        same = Run.objects.filter(pk=run.pk, state=run.state, worker=run.worker, lease_until=run.lease_until)
        if run.n_attempts >= ATTEMPT_LIMIT:
            same.update(
                state=_state_without_new_score(run),
                fault=run.fault if run.reasons else Run.Fault.PLATFORM,
                reasons=run.reasons or [INTERRUPTED.to_json()],
                finished_at=at,
            )
            continue
        claimed = same.update(
            state=RunState.RUNNING,
            worker=worker,
            lease_until=at + LEASE,
            n_attempts=run.n_attempts + 1,
            started_at=run.started_at or at,
        )
        if claimed:
            return Run.objects.select_related("task__campaign", "file", "team", "plan").get(pk=run.pk)
    return None


def renew_lease(*, run: Run, worker: str, at: datetime) -> bool:
    """False where the run is no longer this worker's, who must then stop."""
    return bool(_held(run, worker).update(lease_until=at + LEASE))


@dataclass(frozen=True, slots=True)
class Troubles:
    """What a worker met that nobody foresaw: how often, and what was the last."""

    n: int = 0
    last: str = ""
    at: datetime | None = None


def report_presence(*, worker: str, at: datetime, troubles: Troubles = Troubles()) -> None:
    """Records that this worker runs and what troubles it met, and drops entries not seen for a day."""
    met = {"n_troubles": troubles.n, "trouble": troubles.last[:200], "trouble_at": troubles.at}
    WorkerPresence.objects.update_or_create(name=worker, defaults={"seen_at": at} | met)
    WorkerPresence.objects.filter(seen_at__lt=at - timedelta(days=1)).delete()


def workers_there(at: datetime) -> QuerySet[WorkerPresence]:
    """The workers that reported within the last two leases."""
    return WorkerPresence.objects.filter(seen_at__gt=at - PRESENT_FOR).order_by("name")


def has_worker(at: datetime) -> bool:
    return workers_there(at).exists()


def give_back(*, run: Run, worker: str, fault: str, reasons: Sequence[Finding]) -> None:
    """Puts the run back into the queue: scoring broke in a way that may pass. Otherwise `reasons` stand."""
    _held(run, worker).update(state=RunState.QUEUED, worker="", lease_until=None, fault=fault, reasons=_stored(reasons))


def give_back_unharmed(*, run: Run, worker: str) -> None:
    """Puts the run back as if it had not been taken: the worker was told to end."""
    _held(run, worker).update(state=RunState.QUEUED, worker="", lease_until=None, n_attempts=run.n_attempts - 1)


def fail_run(*, run: Run, worker: str, fault: str, reasons: Sequence[Finding], at: datetime) -> None:
    """Ends the run without a new score, and says why."""
    _held(run, worker).update(
        state=_state_without_new_score(run),
        fault=fault,
        reasons=_stored(reasons),
        finished_at=at,
        worker="",
        lease_until=None,
    )


def _stored(reasons: Sequence[Finding]) -> list[Any]:
    return [reason.to_json() for reason in reasons[:REASONS_KEPT]]


def _state_without_new_score(run: Run) -> RunState:
    """Failed; but a run that was to be scored again keeps the score that it has."""
    return RunState.SCORED if run.scores.exists() else RunState.FAILED


@transaction.atomic
def finish_run(*, run: Run, worker: str, scores: Mapping[Split, SplitScore], warnings: list[Any], at: datetime) -> bool:
    """Stores the scores and what the team may see of them. False where the run is no longer this worker's."""
    task = AutomaticTask.objects.select_for_update().get(pk=run.task_id)
    if not _held(run, worker).exists():
        return False
    is_revealed = _is_revealed(task, run, scores)
    # Before the comparisons that go with them: storing a comparison locks its scores first.
    _locked(Score.objects.filter(run=run))
    Score.objects.filter(run=run).delete()
    Score.objects.bulk_create(
        Score(
            run=run,
            split=split,
            figures=score.figures,
            intervals=score.intervals,
            notes=score.notes,
            sums=score.sums,
            version=score.version,
        )
        for split, score in scores.items()
    )
    note_changed_board(task=task)
    return bool(
        _held(run, worker).update(
            state=RunState.SCORED,
            fault=Run.Fault.NOBODY,
            reasons=[],
            warnings=warnings,
            is_revealed=is_revealed,
            finished_at=at,
            worker="",
            lease_until=None,
        )
    )


def _is_revealed(task: AutomaticTask, run: Run, scores: Mapping[Split, SplitScore]) -> bool:
    """Scoring a run again neither shows nor hides what its team saw before."""
    if run.scores.exists():
        return run.is_revealed
    development = scores.get(Split.DEVELOPMENT)
    if development is None or run.team is None:
        return True
    key = task.ranking_rule[0]
    scores_of_team = Score.objects.current(task).filter(run__team=run.team, split=Split.DEVELOPMENT).exclude(run=run)
    shown = scores_of_team.filter(run__is_revealed=True).values_list("figures", flat=True)
    return is_revealed(development.figures, best_of(list(shown), key), key, task.min_gain)


@transaction.atomic
def store_comparison(*, one: Score, other: Score, p_values: dict[str, float]) -> None:
    """Stores the p-values of a pair, unless one of the runs was scored again while it was compared."""
    if len(_locked(Score.objects.filter(pk__in=[one.pk, other.pk]))) == 2:
        Comparison.objects.update_or_create(one=one, other=other, defaults={"p_values": p_values})


def note_changed_board(*, task: AutomaticTask) -> None:
    """Has the runs on the task's boards compared again. A change may be what mends a board in trouble, so it ends the pause."""
    changed = {"board_version": F("board_version") + 1, "board_changed_at": Now(), "compare_again_at": None}
    AutomaticTask.objects.filter(pk=task.pk).update(**changed)


def settle_boards(*, task: AutomaticTask, troubles: Sequence[Finding], at: datetime) -> None:
    """Records that the runs on a task's boards were compared, or what stopped it and when it is tried again.

    Bound to the version that was looked at: a change that came meanwhile is compared at the next look.
    """
    looked_at = AutomaticTask.objects.filter(pk=task.pk, board_version=task.board_version)
    if not troubles:
        AutomaticTask.objects.filter(pk=task.pk).update(compared_version=task.board_version)
        looked_at.update(board_troubles=[], n_board_troubles=0, board_trouble_at=None, compare_again_at=None)
        return
    n_in_a_row = task.n_board_troubles + 1
    looked_at.update(
        board_troubles=[trouble.to_json() for trouble in troubles],
        n_board_troubles=n_in_a_row,
        board_trouble_at=at,
        compare_again_at=at + timedelta(seconds=pause_s(n_in_a_row, longest_s=LONGEST_BOARD_PAUSE_S)),
    )


def _locked(scores: QuerySet[Score]) -> list[int]:
    """Locks the scores, in the order of their keys so that no two writers wait for each other; gives the keys.

    Read as rows: for an aggregate over them the database would lock nothing.
    """
    return list(scores.select_for_update().order_by("pk").values_list("pk", flat=True))


def _held(run: Run, worker: str) -> Any:
    return Run.objects.filter(pk=run.pk, state=RunState.RUNNING, worker=worker)


@dataclass(frozen=True, slots=True)
class RunWait:
    """`since` is missing where a run waits to be scored again: nothing tells since when."""

    since: datetime | None
    who: str
    until: str


class QueueSeen:
    """The queue at one moment, read at most once whatever the number of runs that ask."""

    def __init__(self, at: datetime) -> None:
        self._at = at

    def wait_of(self, run: Run) -> RunWait | None:
        """In the reader's language; None for a run that is over."""
        if run.is_over:
            return None
        if run.state == RunState.RUNNING and run not in self._due:
            return RunWait(
                run.started_at,
                _("for its worker"),
                _("until it is scored; if the worker stops, until another takes it up"),
            )
        since = None if run.scores.all() else run.submitted_at
        if not self._has_worker:
            return RunWait(since, _("for an organizer"), _("until a worker is started"))
        return RunWait(since, _("for a worker"), _until_taken(self._n_before(run)))

    def _n_before(self, run: Run) -> int:
        """Runs of files and of services are taken by different workers."""
        place = (run.submitted_at, run.number)
        of_lane = (one for one in self._due if one.is_service == run.is_service)
        return sum((one.submitted_at, one.number) < place for one in of_lane)

    @cached_property
    def _has_worker(self) -> bool:
        return has_worker(self._at)

    @cached_property
    def _due(self) -> list[Run]:
        return list(Run.objects.due(self._at).only("submitted_at", "number", "url"))


def _until_taken(n_before: int) -> str:
    if not n_before:
        return _("until a worker is free: it is the next")
    text = ngettext(
        "until a worker is free: %(n)d run is before it", "until a worker is free: %(n)d runs are before it", n_before
    )
    return text % {"n": n_before}
