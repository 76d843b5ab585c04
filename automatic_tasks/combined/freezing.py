"""Orders, freezes and publishes combined boards."""

from datetime import datetime
from functools import partial

from django.db import transaction

from accounts.models import Person
from automatic_tasks.actions.board_statistics import refresh_board_statistics, refresh_claimed
from automatic_tasks.boards.statistics import statistics_under_way
from automatic_tasks.combined.access import board_of_key
from automatic_tasks.combined.boards import PEOPLE, places_of
from automatic_tasks.combined.bundle import combined_files, combined_now
from automatic_tasks.combined.preflight import check_ready
from automatic_tasks.combined.statistics import place_of_runs, stored_statistics, version_of
from automatic_tasks.models import CombinedBoard
from campaigns.models import Campaign
from leaderboards.computations import part_of
from measures.samples import ReportProgress, say_nothing
from publication.actions.freezing import (
    DRAWN_BEFORE_BUNDLE,
    BoardGone,
    ScoresCameIn,
    bring_up_to_date,
    carry_out,
    discarded_unless_stored,
    next_number,
    store_snapshot,
)
from publication.actions.ordering import check_organizer, store_order
from publication.bundles import combined_in_bundle, store_bundle
from publication.documents import has_same_rows
from publication.models import OF_LEADERBOARD, FreezeOrder, Snapshot


def order_combined_freeze(*, board: CombinedBoard, by: Person, at: datetime) -> FreezeOrder:
    """Errors: `NotOrganizer`, `NotReady`."""
    check_organizer(board.campaign, by)
    check_ready(board)
    return store_order(campaign=board.campaign, hides_teams=False, by=by, at=at, of_board=board.key)


def freeze_combined(
    *,
    board: CombinedBoard,
    by: Person | None,
    at: datetime,
    order: FreezeOrder | None = None,
    report_progress: ReportProgress = say_nothing,
) -> Snapshot:
    """Stores the board as it is now, with its bundle. Nothing is locked while it computes and writes.

    Errors: `NotOrganizer`, `NotReady`, `ScoresCameIn`, `GivenUp`, `OSError`; then nothing is stored.
    """
    campaign, has_people = board.campaign, PEOPLE in places_of(board)
    check_organizer(campaign, by)
    check, done = partial(check_ready, board), 0.0
    if has_people:
        done = bring_up_to_date(campaign, check, hides_teams=False, at=at, report_progress=report_progress)
    else:
        check()
    # Read before the figures are: what changes meanwhile makes another version, and the snapshot is refused.
    version = version_of(board)
    done = _draw(board, version, at, done, report_progress)
    files, written = partial(combined_files, board, at), part_of(report_progress, done, 1.0)
    bundle = store_bundle(campaign, hides_teams=False, at=at, combined=files, report_progress=written)
    with discarded_unless_stored(bundle):
        document = combined_now(board, number=next_number(campaign), at=at, bundle=bundle)
        if not has_same_rows(document, combined_in_bundle(bundle.digest)):
            raise ScoresCameIn
        with transaction.atomic():
            snapshot = store_snapshot(
                campaign, document, bundle,
                hides_teams=False, by=by, at=at, of_board=board.key, has_people=has_people, order=order,
            )  # fmt: skip
            if version_of(_declared(board.campaign_id, board.key)) != version:
                raise ScoresCameIn
        return snapshot


def _draw(board: CombinedBoard, version: str, at: datetime, done: float, report_progress: ReportProgress) -> float:
    """Brings the statistics up to date; gives how much of the freeze is done then, in [0, 1]. Errors: `ScoresCameIn`."""
    if _is_drawn(board, version):
        return done
    # Of what is left, the drawing and the bundle count alike, as in the freeze of the leaderboard.
    drawn = done + (1.0 - done) * DRAWN_BEFORE_BUNDLE
    report = part_of(report_progress, done, drawn)
    if board.is_of_runs:
        task, split = place_of_runs(board)
        refresh_board_statistics(task=task, split=split, at=at, report_progress=report)
    else:
        refresh_claimed(board=board, at=at, report_progress=report)
    # A worker that began later stores its own, and soon: the board is not frozen without intervals for that.
    if not _is_drawn(board, version):
        raise ScoresCameIn
    return drawn


def _is_drawn(board: CombinedBoard, version: str) -> bool:
    if board.is_of_runs:
        return statistics_under_way(*place_of_runs(board)) is None
    return stored_statistics(board).version == version


def carry_out_combined_orders(*, at: datetime) -> int:
    """Freezes the combined boards that were ordered; gives how many snapshots it made."""
    return carry_out(FreezeOrder.objects.exclude(of_board=OF_LEADERBOARD), _frozen, at=at)


def _frozen(order: FreezeOrder, at: datetime, report_progress: ReportProgress) -> Snapshot:
    board = _declared(order.campaign_id, order.of_board)
    return freeze_combined(board=board, by=order.asked_by, at=at, order=order, report_progress=report_progress)


def _declared(campaign_id: int, key: str) -> CombinedBoard:
    """Errors: `BoardGone`."""
    campaign = Campaign.objects.select_related("rubric").get(pk=campaign_id)
    board = board_of_key(campaign, key)
    if board is None:
        raise BoardGone
    return board
