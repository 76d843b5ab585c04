"""Computes outdated statistics of task boards and of combined boards."""

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from automatic_tasks.boards.statistics import ReportProgress, go_on, statistics_of, tau_with_people
from automatic_tasks.combined.statistics import published_statistics, version_of
from automatic_tasks.combined.statistics import statistics_of as combined_statistics_of
from automatic_tasks.models import AutomaticTask, BoardStatistics, CombinedBoard, CombinedStatistics, Split
from leaderboards.computations import claim, noting_progress
from leaderboards.live_board import LIVE, stored_board
from leaderboards.models import StoredBoard

# As for live boards: a computation that has stored nothing by then is dead, and a long one is followed by a long rest.
GIVEN_UP_AFTER = timedelta(minutes=10)
REST = timedelta(seconds=30)
PAUSES_PER_COMPUTATION = 10


def refresh_outdated_board_statistics(*, at: datetime, report_progress: ReportProgress = go_on) -> int:
    """Computes the statistics of boards that changed, and compares those that did not with a leaderboard that did; gives how many.

    Of several workers one does each.
    """
    n_computed = 0
    people = dict(StoredBoard.objects.filter(key=LIVE).values_list("campaign_id", "scores_version"))
    tasks = AutomaticTask.objects.filter(board_version__gt=0).select_related("campaign")
    for task in tasks.prefetch_related("board_statistics"):
        stored = {one.split: one for one in task.board_statistics.all()}
        for split in task.splits:
            found, scores_version = stored.get(split), people.get(task.campaign_id, 0)
            if found is None or found.board_version != task.board_version:
                refresh = _refresh_claimed
            elif found.scores_version != scores_version:
                refresh = _compare_claimed
            else:
                continue
            if _is_claimed(task, split, at):
                refresh(task, split, at, report_progress)
                n_computed += 1
    return n_computed


def _compare_claimed(task: AutomaticTask, split: Split, at: datetime, report_progress: ReportProgress) -> None:
    """Compares the ranking with that of people again; everything else stays."""
    rows = BoardStatistics.objects.filter(task=task, split=split)
    try:
        stored = rows.get()
        compared = _compared_with_people(task, split)
        # A computation that was stored meanwhile has compared by itself, and its figures are not put back.
        same = rows.filter(board_version=stored.board_version, computed_at=stored.computed_at)
        content = stored.content | {"people": compared.tau}
        same.update(content=content, scores_version=compared.scores_version, next_at=at + REST)
    except Exception:
        # As for a computation: the claim is not waited for.
        rows.update(next_at=at + REST)
        raise


@dataclass(frozen=True, slots=True)
class _Compared:
    tau: dict[str, Any] | None
    scores_version: int


def _compared_with_people(task: AutomaticTask, split: Split) -> _Compared:
    # Read first: a leaderboard that is computed meanwhile has another version, and is compared again.
    version = stored_board(task.campaign).scores_version
    return _Compared(tau_with_people(task, split), version)


def _refresh_claimed(task: AutomaticTask, split: Split, at: datetime, report_progress: ReportProgress) -> None:
    try:
        refresh_board_statistics(task=task, split=split, at=at, report_progress=report_progress)
    except Exception:
        # Whoever comes next need not wait until the claim is given up; nor is a board in trouble tried without a pause.
        BoardStatistics.objects.filter(task=task, split=split).update(next_at=at + REST, share_done=None)
        raise


def _is_claimed(task: AutomaticTask, split: Split, at: datetime) -> bool:
    stored, _ = BoardStatistics.objects.get_or_create(task=task, split=split)
    return claim(BoardStatistics.objects.filter(pk=stored.pk), at=at, given_up_after=GIVEN_UP_AFTER)


def refresh_board_statistics(
    *, task: AutomaticTask, split: Split, at: datetime, report_progress: ReportProgress = go_on
) -> None:
    """Nothing is locked while it computes; a board that changes meanwhile has another version than what is stored."""
    version, began = task.board_version, time.monotonic()
    compared = _compared_with_people(task, split)
    stored, _ = BoardStatistics.objects.get_or_create(task=task, split=split)
    rows = BoardStatistics.objects.filter(pk=stored.pk)
    content = statistics_of(task, split, noting_progress(rows, report_progress)) | {"people": compared.tau}
    pause = max(REST, timedelta(seconds=PAUSES_PER_COMPUTATION * (time.monotonic() - began)))
    # Before the figures: a newer computation that is stored by now stays, and nothing is under way here any more.
    rows.update(share_done=None)
    rows.filter(board_version__lte=version).update(
        content=content,
        board_version=version,
        scores_version=compared.scores_version,
        computed_at=at,
        next_at=at + pause,
    )


def refresh_outdated_combined_statistics(*, at: datetime, report_progress: ReportProgress = go_on) -> int:
    """Computes the statistics of combined boards whose parts or rule changed; gives how many. Of several workers one does each."""
    n_computed = 0
    for board in CombinedBoard.objects.select_related("campaign__rubric", "statistics"):
        stored = getattr(board, "statistics", None)
        if stored is not None and stored.version == version_of(board):
            continue
        row, _ = CombinedStatistics.objects.get_or_create(board=board)
        if claim(CombinedStatistics.objects.filter(pk=row.pk), at=at, given_up_after=GIVEN_UP_AFTER):
            refresh_claimed(board=board, at=at, report_progress=report_progress)
            n_computed += 1
    return n_computed


def refresh_claimed(*, board: CombinedBoard, at: datetime, report_progress: ReportProgress = go_on) -> None:
    """Computes what was claimed then, or is now; a claim that comes to nothing is given back."""
    try:
        refresh_combined_statistics(board=board, at=at, report_progress=report_progress)
    except Exception:
        # Whoever comes next need not wait until the claim is given up; nor is a board in trouble tried without a pause.
        CombinedStatistics.objects.filter(board=board, began_at=at).update(next_at=at + REST, share_done=None)
        raise


def refresh_combined_statistics(
    *, board: CombinedBoard, at: datetime, report_progress: ReportProgress = go_on
) -> CombinedStatistics:
    """Nothing is locked while it computes; a board that changes meanwhile has another version than what is stored.

    `at` is when the computation was claimed. One that began later stays, whichever of them ends first.
    """
    CombinedStatistics.objects.get_or_create(board=board)
    earlier = CombinedStatistics.objects.filter(board=board).filter(Q(began_at=None) | Q(began_at__lt=at))
    earlier.update(began_at=at, next_at=at + GIVEN_UP_AFTER)
    # Asked again with every write: once the board is claimed again, this computation writes nothing more.
    rows = CombinedStatistics.objects.filter(board=board, began_at=at)
    # Read before the figures are: what changes meanwhile makes another version, and the board is computed again.
    version, began = version_of(board), time.monotonic()
    content = combined_statistics_of(board, noting_progress(rows, report_progress))
    pause = max(REST, timedelta(seconds=PAUSES_PER_COMPUTATION * (time.monotonic() - began)))
    stored = CombinedStatistics.objects.get(board=board)
    rows.update(
        content=content,
        # Looked at before they are replaced: everybody still reads the figures that they are of.
        published=published_statistics(board, stored),
        version=version,
        computed_at=at,
        next_at=at + pause,
        share_done=None,
    )
    return CombinedStatistics.objects.get(board=board)
