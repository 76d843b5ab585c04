"""Freezes a leaderboard, and carries out what was ordered."""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import DatabaseError, connection, connections, transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from campaigns.models import Campaign
from leaderboards.actions import refresh_agreement, refresh_leaderboard, refresh_statistics
from leaderboards.computations import noting_progress, part_of
from leaderboards.diagnostics.agreement_board import has_agreement, stored_agreement
from leaderboards.live_board import current_statistics
from measures.samples import ReportProgress, say_nothing
from publication.actions.ordering import NotOrganizer, NotReady, check_organizer, check_ready
from publication.actions.publishing import OtherNames, publish
from publication.bundles import (
    StoredBundle,
    board_in_bundle,
    discard_bundle,
    pairs_in_bundle,
    statistics_in_bundle,
    store_bundle,
)
from publication.document_now import document_now
from publication.documents import Document, canonical, digest_of, has_same_rows
from publication.models import OF_LEADERBOARD, FreezeOrder, Snapshot
from publication.trail_acts import BOARD_FROZEN
from reviews.actions.counting import is_counted_by_policy
from serving.stored_files import StorageGone

# An unfinished freeze is given up after this: statistics of 20 systems × 2,500 dialogues and a bundle of a million
# ratings take some minutes.
GIVEN_UP_AFTER = timedelta(minutes=30)
# Scores that arrive during a freeze would make the board differ from its bundle, and a storage may be away: then it is tried again.
AGAIN_AFTER = timedelta(seconds=5)
TRIED_FOR = timedelta(minutes=5)
# How much of a freeze its statistics are, where they must be drawn before.
DRAWN_BEFORE_BUNDLE = 0.5
KEPT_COMING = gettext_noop("Scores kept coming in: freeze when nobody scores.")
NOT_READY = gettext_noop("Something must be done first: see what is found below.")
OTHER_NAMES = gettext_noop(
    "Withdraw the published one first: one with teams and one with aliases together tell which is which."
)
GONE = gettext_noop("The board was removed from the file of the tasks.")
NO_ORGANIZER = gettext_noop("The person who asked for it no longer organizes the campaign.")


class BoardGone(Exception):
    """The board that was to be frozen is declared no longer."""

    def __str__(self) -> str:
        return GONE


class GivenUp(Exception):
    """The order was withdrawn, or it took so long that another process carries it out."""


class ScoresCameIn(Exception):
    """Figures changed while they were frozen: figures and bundle could differ."""


def freeze(
    *,
    campaign: Campaign,
    hides_teams: bool,
    by: Person | None,
    at: datetime,
    order: FreezeOrder | None = None,
    report_progress: ReportProgress = say_nothing,
) -> Snapshot:
    """Stores the leaderboard as it is now, with its bundle. `by` is missing where the campaign's file asks.

    Nothing is locked while it computes and writes. Errors: `NotOrganizer`, `NotReady`, `ScoresCameIn`, `GivenUp` (the
    `order` it was to carry out), `OSError` (no room for the bundle); then nothing is stored.
    """
    check_organizer(campaign, by)
    done = bring_up_to_date(
        campaign, lambda: check_ready(campaign), hides_teams=hides_teams, at=at, report_progress=report_progress
    )
    number = next_number(campaign)
    bundle = store_bundle(campaign, hides_teams=hides_teams, at=at, report_progress=part_of(report_progress, done, 1.0))
    with discarded_unless_stored(bundle):
        statistics = statistics_in_bundle(bundle.digest)
        document = document_now(
            campaign,
            number=number,
            hides_teams=hides_teams,
            at=at,
            bundle=bundle,
            statistics=statistics,
            pairs=pairs_in_bundle(bundle.digest),
        )
        if not has_same_rows(document, board_in_bundle(bundle.digest)):
            raise ScoresCameIn
        return store_snapshot(campaign, document, bundle, hides_teams=hides_teams, by=by, at=at, order=order)


def bring_up_to_date(
    campaign: Campaign,
    check: Callable[[], None],
    *,
    hides_teams: bool,
    at: datetime,
    report_progress: ReportProgress = say_nothing,
) -> float:
    """Computes whatever the stored board of people, its statistics and agreement lag behind; `check` looks at that board.

    Gives how much of a freeze that was, in [0, 1]. Errors: `ScoresCameIn`, and those of `check`.
    """
    # Read before the figures are: a score that comes meanwhile raises it, and the snapshot is refused.
    campaign.refresh_from_db()
    if not is_counted_by_policy(campaign):
        # The chore of the reviews is about to recount.
        raise ScoresCameIn
    # Always: a dialogue that closed without a score changes the failures and raises no version.
    refresh_leaderboard(campaign=campaign, at=at)
    check()
    done = 0.0
    if not hides_teams and current_statistics(campaign) is None:
        # Of aliases they are drawn with the bundle, in an order of their own.
        done = DRAWN_BEFORE_BUNDLE
        refresh_statistics(campaign=campaign, at=at, report_progress=part_of(report_progress, 0.0, done))
    if has_agreement(campaign) and stored_agreement(campaign).is_outdated:
        refresh_agreement(campaign=campaign, at=at)
    return done


@transaction.atomic
def store_snapshot(
    campaign: Campaign,
    document: Document,
    bundle: StoredBundle,
    *,
    hides_teams: bool,
    by: Person | None,
    at: datetime,
    of_board: str = OF_LEADERBOARD,
    has_people: bool = True,
    order: FreezeOrder | None = None,
) -> Snapshot:
    """Errors: `ScoresCameIn` where the figures changed since the campaign was read; `GivenUp` where `order` is no longer ours."""
    locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
    # Locked: a process that takes the order over waits until the snapshot is stored.
    if order is not None and not _rows_of(order).filter(began_at=at).select_for_update().exists():
        raise GivenUp
    text, number = canonical(document), document["number"]
    # A board without people's scores is not held up by people who score.
    has_newer_scores = has_people and locked.scores_version != campaign.scores_version
    if has_newer_scores or next_number(locked) != number:
        raise ScoresCameIn
    snapshot = Snapshot.objects.create(
        campaign=locked,
        of_board=of_board,
        has_people=has_people,
        number=number,
        made_at=at,
        made_by=by,
        hides_teams=hides_teams,
        board=text,
        digest=digest_of(text),
        bundle_digest=bundle.digest,
        bundle_bytes=bundle.n_bytes,
    )
    details = {"hides_teams": hides_teams, "sha256": snapshot.digest, "bundle_sha256": snapshot.bundle_digest}
    details |= {"board": of_board} if of_board else {}
    record(BOARD_FROZEN, by=by, at=at, campaign=locked.slug, about=str(number), details=details)
    return snapshot


@contextmanager
def discarded_unless_stored(bundle: StoredBundle) -> Iterator[None]:
    """Discards a bundle whose snapshot was not stored; the same bytes may belong to an earlier one."""
    try:
        yield
    except BaseException:
        if not Snapshot.objects.filter(bundle_digest=bundle.digest).exists():
            discard_bundle(bundle.digest)
        raise


# Freezes what was ordered; each kind of board has its own.
Freeze = Callable[[FreezeOrder, datetime, ReportProgress], Snapshot]


def carry_out_orders(*, at: datetime) -> int:
    """Freezes the leaderboards that were ordered; returns how many snapshots it made. One process makes each."""
    return carry_out(FreezeOrder.objects.filter(of_board=OF_LEADERBOARD), _frozen, at=at)


def _frozen(order: FreezeOrder, at: datetime, report_progress: ReportProgress) -> Snapshot:
    return freeze(
        campaign=order.campaign,
        hides_teams=order.hides_teams,
        by=order.asked_by,
        at=at,
        order=order,
        report_progress=report_progress,
    )


def carry_out(orders: "QuerySet[FreezeOrder]", frozen: Freeze, *, at: datetime) -> int:
    """Carries out the orders that are due; returns how many snapshots it made."""
    free = orders.filter(failure="", next_at__lte=at)
    return sum(_carry_out(order, frozen, at) for order in free.select_related("campaign") if _is_claimed(order, at))


def _is_claimed(order: FreezeOrder, at: datetime) -> bool:
    # Compared and set in one statement: of several processes one finds it as it was read.
    as_read = _rows_of(order).filter(failure="", next_at=order.next_at, began_at=order.began_at)
    return bool(as_read.update(next_at=at + GIVEN_UP_AFTER, began_at=at))


def _rows_of(order: FreezeOrder) -> "QuerySet[FreezeOrder]":
    # Not by its id alone: another order may have taken its place meanwhile, and is still to be carried out.
    return FreezeOrder.objects.filter(pk=order.pk, asked_at=order.asked_at)


def _carry_out(order: FreezeOrder, frozen: Freeze, at: datetime) -> bool:
    # Only as claimed here: a run that was given up must not write to an order that another process carries out.
    rows = _rows_of(order).filter(began_at=at)
    try:
        with noting_beside(rows) as note:
            snapshot = frozen(order, at, note)
    except GivenUp:
        return False
    except Exception as error:
        if isinstance(error, ScoresCameIn | StorageGone) and at - order.asked_at <= TRIED_FOR:
            rows.update(next_at=at + AGAIN_AFTER, began_at=None, share_done=None)
            return False
        is_ours = rows.update(failure=_why(error))
        if isinstance(error, ScoresCameIn):
            return False
        if is_ours and order.asked_by is None:
            Campaign.objects.filter(pk=order.campaign_id).update(is_published=False)
        if isinstance(error, NotReady | NotOrganizer | BoardGone):
            return False
        raise
    try:
        with transaction.atomic():
            n_ours, _rows = rows.delete()
            if n_ours and order.asked_by is None:
                _publish_for_file(snapshot, at)
    except OtherNames:
        # Undone with the rest, the order would freeze the same board again and again.
        rows.update(failure=OTHER_NAMES)
    return True


def _publish_for_file(snapshot: Snapshot, at: datetime) -> None:
    """A file says that it is published, and the calendar says when. Errors: `OtherNames`."""
    # Under the lock: freezing took its time, and the day may have been moved meanwhile.
    campaign = Campaign.objects.select_for_update().get(pk=snapshot.campaign_id)
    publish(snapshot=snapshot, public_from=max(at, campaign.publication_at or at), by=None, at=at)


def _why(error: Exception) -> str:
    """What went wrong, in English: the page says it in its reader's language."""
    if isinstance(error, ScoresCameIn):
        return KEPT_COMING
    if isinstance(error, NotReady):
        return NOT_READY
    if isinstance(error, NotOrganizer):
        return NO_ORGANIZER
    return str(error) or type(error).__name__


def next_number(campaign: Campaign) -> int:
    """Snapshots of all boards of a campaign are numbered together."""
    return (campaign.snapshots.aggregate(last=Max("number"))["last"] or 0) + 1


logger = logging.getLogger(__name__)


@contextmanager
def noting_beside(order: QuerySet[FreezeOrder]) -> Iterator[ReportProgress]:
    """Gives what notes progress in the order.

    The bundle is read from one state of the database: a note on that connection would end it, or be undone with it. So notes have a
    connection of their own; within a transaction of the caller's it is that one, as for the bundle.
    """
    note = noting_progress(order, say_nothing)
    if connection.in_atomic_block:
        yield note
        return
    with ThreadPoolExecutor(1, thread_name_prefix="freeze-progress") as thread:

        def note_beside(share: float) -> None:
            try:
                thread.submit(note, share).result()
            except DatabaseError:
                # A bundle that took minutes must not fail over a progress note.
                logger.warning("the progress of a freeze was not noted", exc_info=True)

        try:
            yield note_beside
        finally:
            thread.submit(connections.close_all)
