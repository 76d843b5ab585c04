"""Freezes a leaderboard, and carries out what was ordered."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from campaigns.models import Campaign
from leaderboards.actions import refresh_agreement, refresh_leaderboard, refresh_statistics
from leaderboards.acts import BOARD_FROZEN
from leaderboards.agreement_board import stored_agreement
from leaderboards.computations import part_of
from leaderboards.live_board import current_statistics
from leaderboards.models import FreezeOrder, Snapshot
from leaderboards.publication.actions.checks import NotOrganizer, NotReady, check_organizer, check_ready
from leaderboards.publication.actions.publishing import OtherNames, publish
from leaderboards.publication.bundles import (
    StoredBundle,
    board_in_bundle,
    discard_bundle,
    statistics_in_bundle,
    store_bundle,
)
from leaderboards.publication.document_now import document_now
from leaderboards.publication.documents import canonical, digest_of, has_same_rows
from leaderboards.publication.freeze_progress import noting_beside
from measures.samples import ReportProgress, say_nothing
from reviews.policy import is_counted_by_policy

# Whoever began to freeze and has not done it by then is gone: the bundle of a million ratings takes a minute.
GIVEN_UP_AFTER = timedelta(minutes=10)
# Scores that come in while a board is frozen would make it differ from its bundle; then it is tried again.
AGAIN_AFTER = timedelta(seconds=5)
TRIED_FOR = timedelta(minutes=5)
# How much of a freeze its statistics are, where they must be drawn before.
DRAWN_BEFORE_BUNDLE = 0.5
KEPT_COMING = gettext_noop("Scores kept coming in: freeze when nobody scores.")
NOT_READY = gettext_noop("Something must be done first: see what is found below.")
OTHER_NAMES = gettext_noop(
    "Withdraw the published one first: one with teams and one with aliases together tell which is which."
)
NO_ORGANIZER = gettext_noop("Whoever asked for it no longer organizes the campaign.")


class ScoresCameIn(Exception):
    """Figures changed while they were frozen: figures and bundle could differ."""


def freeze(
    *,
    campaign: Campaign,
    hides_teams: bool,
    by: Person | None,
    at: datetime,
    report_progress: ReportProgress = say_nothing,
) -> Snapshot:
    """Stores the leaderboard as it is now, with its bundle. `by` is missing where the campaign's file asks.

    Nothing is locked while it computes and writes. Errors: `NotOrganizer`, `NotReady`, `ScoresCameIn`, `OSError` (no room for
    the bundle); then nothing is stored.
    """
    check_organizer(campaign, by)
    # Read before the figures are: a score that comes meanwhile raises it, and the snapshot is refused.
    campaign.refresh_from_db()
    if not is_counted_by_policy(campaign):
        # The chore of the reviews is about to count anew.
        raise ScoresCameIn
    # Always: a dialogue that closed without a score changes the failures and raises no version.
    refresh_leaderboard(campaign=campaign, at=at)
    check_ready(campaign)
    bundle_from = 0.0
    if not hides_teams and current_statistics(campaign) is None:
        # Of aliases they are drawn with the bundle, in an order of their own.
        bundle_from = DRAWN_BEFORE_BUNDLE
        refresh_statistics(campaign=campaign, at=at, report_progress=part_of(report_progress, 0.0, bundle_from))
    if campaign.panels_score and stored_agreement(campaign).is_outdated:
        refresh_agreement(campaign=campaign, at=at)
    number = _last_number(campaign) + 1
    bundle = store_bundle(
        campaign, hides_teams=hides_teams, at=at, report_progress=part_of(report_progress, bundle_from, 1.0)
    )
    try:
        statistics = statistics_in_bundle(bundle.digest)
        document = document_now(
            campaign, number=number, hides_teams=hides_teams, at=at, bundle=bundle, statistics=statistics
        )
        if not has_same_rows(document, board_in_bundle(bundle.digest)):
            raise ScoresCameIn
        with transaction.atomic():
            return _stored(campaign, number, canonical(document), bundle, hides_teams=hides_teams, by=by, at=at)
    except BaseException:
        _discard(bundle)
        raise


def _stored(
    campaign: Campaign, number: int, text: str, bundle: StoredBundle, *, hides_teams: bool, by: Person | None, at: datetime
) -> Snapshot:  # fmt: skip
    locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if locked.scores_version != campaign.scores_version or _last_number(locked) + 1 != number:
        raise ScoresCameIn
    snapshot = Snapshot.objects.create(
        campaign=locked,
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
    record(BOARD_FROZEN, by=by, at=at, campaign=locked.slug, about=str(number), details=details)
    return snapshot


def _discard(bundle: StoredBundle) -> None:
    """Takes away a bundle that no snapshot tells of; the same bytes may belong to an earlier one."""
    if not Snapshot.objects.filter(bundle_digest=bundle.digest).exists():
        discard_bundle(bundle.digest)


def carry_out_orders(*, at: datetime) -> int:
    """Freezes what was ordered; gives how many snapshots it made. Of several processes one does each."""
    free = FreezeOrder.objects.filter(failure="", next_at__lte=at)
    return sum(_carry_out(order, at) for order in free.select_related("campaign") if _is_claimed(order, at))


def _is_claimed(order: FreezeOrder, at: datetime) -> bool:
    free = FreezeOrder.objects.filter(pk=order.pk, failure="", next_at__lte=at)
    return bool(free.update(next_at=at + GIVEN_UP_AFTER, began_at=at))


def _carry_out(order: FreezeOrder, at: datetime) -> bool:
    rows = FreezeOrder.objects.filter(pk=order.pk)
    try:
        with noting_beside(rows) as note:
            snapshot = freeze(
                campaign=order.campaign, hides_teams=order.hides_teams, by=order.asked_by, at=at, report_progress=note
            )
    except ScoresCameIn:
        if at - order.asked_at > TRIED_FOR:
            rows.update(failure=KEPT_COMING)
        else:
            rows.update(next_at=at + AGAIN_AFTER, began_at=None, share_done=None)
        return False
    except Exception as error:
        rows.update(failure=_why(error))
        if order.asked_by is None:
            Campaign.objects.filter(pk=order.campaign_id).update(is_published=False)
        if isinstance(error, NotReady | NotOrganizer):
            return False
        raise
    try:
        with transaction.atomic():
            rows.delete()
            if order.asked_by is None:
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
    if isinstance(error, NotReady):
        return NOT_READY
    if isinstance(error, NotOrganizer):
        return NO_ORGANIZER
    return str(error) or type(error).__name__


def _last_number(campaign: Campaign) -> int:
    return campaign.snapshots.aggregate(last=Max("number"))["last"] or 0
