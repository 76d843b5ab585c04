"""Computes how sure the boards of runs are and stores it; the worker does so beside its queue."""

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from automatic_tasks.board_statistics import ReportProgress, go_on, statistics_of, tau_with_people
from automatic_tasks.models import AutomaticTask, BoardStatistics, Split
from leaderboards.computations import claim, noting_progress
from leaderboards.live_board import LIVE, stored_board
from leaderboards.models import StoredBoard

# As for live boards: whoever began and has not stored it by then is gone, and what took long rests long.
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
    """Compares the ranking with that of people anew; everything else is as it was."""
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
