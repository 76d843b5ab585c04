"""Freezes a combined board with the leaderboard of people that it is made of and the figures of runs, and carries out what was ordered."""

from datetime import datetime
from functools import partial

from django.db import transaction

from accounts.models import Person
from automatic_tasks.actions.combined_statistics import refresh_claimed
from automatic_tasks.combined_bundle import combined_files
from automatic_tasks.combined_document import combined_now
from automatic_tasks.combined_preflight import check_ready
from automatic_tasks.combined_statistics import stored_statistics, version_of
from automatic_tasks.models import CombinedBoard
from leaderboards.computations import part_of
from leaderboards.models import OF_LEADERBOARD, FreezeOrder, Snapshot
from leaderboards.publication.actions.checks import check_organizer
from leaderboards.publication.actions.freezing import (
    BoardGone,
    ScoresCameIn,
    bring_up_to_date,
    carry_out,
    discarded_unless_stored,
    next_number,
    store_snapshot,
)
from leaderboards.publication.bundles import combined_in_bundle, store_bundle
from leaderboards.publication.documents import has_same_rows
from measures.samples import ReportProgress, say_nothing

# How much of a freeze is done when the board of people, and then the combined one, is up to date.
PEOPLE, DRAWN = 0.3, 0.6


def freeze_combined(
    *, board: CombinedBoard, by: Person | None, at: datetime, report_progress: ReportProgress = say_nothing
) -> Snapshot:
    """Stores the board as it is now, with its bundle. Nothing is locked while it computes and writes.

    Errors: `NotOrganizer`, `NotReady`, `ScoresCameIn`, `OSError`; then nothing is stored.
    """
    campaign = board.campaign
    check_organizer(campaign, by)
    people = part_of(report_progress, 0.0, PEOPLE)
    bring_up_to_date(campaign, partial(check_ready, board), hides_teams=False, at=at, report_progress=people)
    # Read before the figures are: what changes meanwhile makes another version, and the snapshot is refused.
    version = version_of(board)
    if stored_statistics(board).version != version:
        refresh_claimed(board=board, at=at, report_progress=part_of(report_progress, PEOPLE, DRAWN))
        # A worker that began later stores its own, and soon: the board is not frozen without intervals for that.
        if stored_statistics(board).version != version:
            raise ScoresCameIn
    files, written = partial(combined_files, board, at), part_of(report_progress, DRAWN, 1.0)
    bundle = store_bundle(campaign, hides_teams=False, at=at, combined=files, report_progress=written)
    with discarded_unless_stored(bundle):
        document = combined_now(board, number=next_number(campaign), at=at, bundle=bundle)
        if not has_same_rows(document, combined_in_bundle(bundle.digest)):
            raise ScoresCameIn
        with transaction.atomic():
            snapshot = store_snapshot(campaign, document, bundle, hides_teams=False, by=by, at=at, of_board=board.key)
            if version_of(_declared(board.campaign_id, board.key)) != version:
                raise ScoresCameIn
        return snapshot


def carry_out_combined_orders(*, at: datetime) -> int:
    """Freezes the combined boards that were ordered; gives how many snapshots it made."""
    return carry_out(FreezeOrder.objects.exclude(of_board=OF_LEADERBOARD), _frozen, at=at)


def _frozen(order: FreezeOrder, at: datetime, report_progress: ReportProgress) -> Snapshot:
    board = _declared(order.campaign_id, order.of_board)
    return freeze_combined(board=board, by=order.asked_by, at=at, report_progress=report_progress)


def _declared(campaign_id: int, key: str) -> CombinedBoard:
    """Errors: `BoardGone`."""
    board = CombinedBoard.objects.select_related("campaign__rubric").filter(campaign=campaign_id, key=key).first()
    if board is None:
        raise BoardGone
    return board
