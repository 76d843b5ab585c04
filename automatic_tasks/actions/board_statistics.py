"""Computes how sure the boards of runs are and stores it; the worker does so beside its queue."""

import time
from datetime import datetime, timedelta

from django.db.models import Q

from automatic_tasks.board_statistics import CheckStop, go_on, statistics_of
from automatic_tasks.models import AutomaticTask, BoardStatistics, Split

# As for live boards: whoever began and has not stored it by then is gone, and what took long rests long.
GIVEN_UP_AFTER = timedelta(minutes=10)
REST = timedelta(seconds=30)
PAUSES_PER_COMPUTATION = 10


def refresh_outdated_board_statistics(*, at: datetime, check_stop: CheckStop = go_on) -> int:
    """Computes the statistics of boards that changed; gives how many. Of several workers one does each."""
    n_computed = 0
    for task in AutomaticTask.objects.filter(board_version__gt=0).prefetch_related("board_statistics"):
        computed = {stored.split: stored.board_version for stored in task.board_statistics.all()}
        for split in task.splits:
            if computed.get(split) != task.board_version and _is_claimed(task, split, at):
                _refresh_claimed(task, split, at, check_stop)
                n_computed += 1
    return n_computed


def _refresh_claimed(task: AutomaticTask, split: Split, at: datetime, check_stop: CheckStop) -> None:
    try:
        refresh_board_statistics(task=task, split=split, at=at, check_stop=check_stop)
    except Exception:
        # Whoever comes next need not wait until the claim is given up; nor is a board in trouble tried without a pause.
        BoardStatistics.objects.filter(task=task, split=split).update(next_at=at + REST)
        raise


def _is_claimed(task: AutomaticTask, split: Split, at: datetime) -> bool:
    stored, _ = BoardStatistics.objects.get_or_create(task=task, split=split)
    free = BoardStatistics.objects.filter(Q(next_at=None) | Q(next_at__lte=at), pk=stored.pk)
    return bool(free.update(next_at=at + GIVEN_UP_AFTER))


def refresh_board_statistics(*, task: AutomaticTask, split: Split, at: datetime, check_stop: CheckStop = go_on) -> None:
    """Nothing is locked while it computes; a board that changes meanwhile has another version than what is stored."""
    version, began = task.board_version, time.monotonic()
    content = statistics_of(task, split, check_stop)
    pause = max(REST, timedelta(seconds=PAUSES_PER_COMPUTATION * (time.monotonic() - began)))
    stored, _ = BoardStatistics.objects.get_or_create(task=task, split=split)
    newest = BoardStatistics.objects.filter(pk=stored.pk, board_version__lte=version)
    newest.update(content=content, board_version=version, computed_at=at, next_at=at + pause)
