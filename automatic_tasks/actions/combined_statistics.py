"""Computes how sure combined boards are and stores it; the worker does so beside its queue."""

import time
from datetime import datetime, timedelta

from django.db.models import Q

from automatic_tasks.actions.board_statistics import GIVEN_UP_AFTER, PAUSES_PER_COMPUTATION, REST
from automatic_tasks.board_statistics import ReportProgress, go_on
from automatic_tasks.combined_statistics import published_statistics, statistics_of, version_of
from automatic_tasks.models import CombinedBoard, CombinedStatistics
from leaderboards.computations import claim, noting_progress


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
    # Asked again with every write: once somebody has claimed the board anew, this computation writes nothing any more.
    rows = CombinedStatistics.objects.filter(board=board, began_at=at)
    # Read before the figures are: what changes meanwhile makes another version, and the board is computed again.
    version, began = version_of(board), time.monotonic()
    content = statistics_of(board, noting_progress(rows, report_progress))
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
