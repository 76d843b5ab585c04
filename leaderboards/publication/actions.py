"""What can be done about publication: order a freeze, freeze, publish, withdraw; and what the server does by itself about them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max

from accounts.models import Person
from campaigns.access import has_role
from campaigns.actions import ReasonNeeded, note_publication
from campaigns.models import Campaign, Role
from leaderboards.actions import refresh_leaderboard
from leaderboards.live_board import stored_board
from leaderboards.models import FreezeOrder, Publication, PublicationQuerySet, Snapshot
from leaderboards.publication.bundles import StoredBundle, discard_bundle, store_bundle
from leaderboards.publication.documents import canonical, digest_of
from leaderboards.publication.freezing import document_now
from leaderboards.publication.preflight import Finding, blocks
from leaderboards.publication.readiness import preflight

# Whoever began to freeze and has not done it by then is gone: the bundle of a million ratings takes a minute.
GIVEN_UP_AFTER = timedelta(minutes=10)
# Scores that come in while a board is frozen would make it differ from its bundle; then it is tried again.
AGAIN_AFTER = timedelta(seconds=5)


class NotOrganizer(Exception):
    """Only organizers of the campaign publish its leaderboard."""


class NotReady(Exception):
    """The preflight found what must be done first."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__(" ".join(finding.text for finding in findings))
        self.findings = findings


class ScoresCameIn(Exception):
    """Figures changed while they were frozen: figures and bundle could differ."""


class AlreadyPublished(Exception):
    """The snapshot is published, or will be public on its day."""


class NotPublished(Exception):
    """There is nothing to withdraw: somebody else has done it."""


@transaction.atomic
def order_freeze(*, campaign: Campaign, hides_teams: bool, by: Person, at: datetime) -> FreezeOrder:
    """Has the leaderboard frozen beside the pages. Errors: `NotOrganizer`, `NotReady`."""
    _check_organizer(campaign, by)
    _check_ready(campaign)
    order, _ = FreezeOrder.objects.update_or_create(
        campaign=campaign,
        defaults={"asked_at": at, "asked_by": by, "hides_teams": hides_teams, "next_at": at, "failure": ""},
    )
    return order


def freeze(*, campaign: Campaign, hides_teams: bool, by: Person | None, at: datetime) -> Snapshot:
    """Stores the leaderboard as it is now, with its bundle. `by` is missing where the campaign's file asks.

    Nothing is locked while it computes and writes. Errors: `NotOrganizer`, `NotReady`, `ScoresCameIn`, `OSError` (no room for
    the bundle); then nothing is stored.
    """
    _check_organizer(campaign, by)
    # Read before the figures are: a score that comes meanwhile raises it, and the snapshot is refused.
    campaign.refresh_from_db()
    if stored_board(campaign).is_outdated:
        refresh_leaderboard(campaign=campaign, at=at)
    _check_ready(campaign)
    number = _last_number(campaign) + 1
    bundle = store_bundle(campaign, hides_teams=hides_teams, at=at)
    try:
        document = document_now(campaign, number=number, hides_teams=hides_teams, at=at, bundle=bundle)
        with transaction.atomic():
            return _stored(campaign, number, canonical(document), bundle, hides_teams=hides_teams, by=by, at=at)
    except BaseException:
        _discard(bundle)
        raise


def _stored(
    campaign: Campaign, number: int, text: str, bundle: StoredBundle | None, *, hides_teams: bool, by: Person | None, at: datetime
) -> Snapshot:  # fmt: skip
    locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if locked.scores_version != campaign.scores_version or _last_number(locked) + 1 != number:
        raise ScoresCameIn
    return Snapshot.objects.create(
        campaign=locked,
        number=number,
        made_at=at,
        made_by=by,
        hides_teams=hides_teams,
        board=text,
        digest=digest_of(text),
        bundle_digest=bundle.digest if bundle else "",
        bundle_bytes=bundle.n_bytes if bundle else 0,
    )


def _discard(bundle: StoredBundle | None) -> None:
    """Takes away a bundle that no snapshot tells of; the same bytes may belong to an earlier one."""
    if bundle is not None and not Snapshot.objects.filter(bundle_digest=bundle.digest).exists():
        discard_bundle(bundle.digest)


@transaction.atomic
def publish(*, snapshot: Snapshot, public_from: datetime, by: Person | None, at: datetime) -> Publication:
    """Everybody may read the snapshot from `public_from` on, or from now where that is past.

    Errors: `NotOrganizer`, `AlreadyPublished`.
    """
    _check_organizer(snapshot.campaign, by)
    # Two organizers who publish at once: the second waits here and finds it done.
    campaign = Campaign.objects.select_for_update().get(pk=snapshot.campaign_id)
    if snapshot.publications.standing().exists():
        raise AlreadyPublished
    publication = Publication.objects.create(
        snapshot=snapshot, public_from=max(public_from, at), published_at=at, published_by=by
    )
    note_publication(campaign=campaign, is_public=_of(campaign).public(at).exists())
    return publication


@transaction.atomic
def withdraw(*, snapshot: Snapshot, because: str, by: Person, at: datetime) -> Publication:
    """Nobody but organizers can read the snapshot any more; when, by whom and why stays.

    Errors: `NotOrganizer`, `ReasonNeeded`, `NotPublished`.
    """
    _check_organizer(snapshot.campaign, by)
    if not because.strip():
        raise ReasonNeeded
    campaign = Campaign.objects.select_for_update().get(pk=snapshot.campaign_id)
    publication = snapshot.publications.standing().first()
    if publication is None:
        raise NotPublished
    publication.withdrawn_at, publication.withdrawn_by, publication.withdrawn_because = at, by, because.strip()
    publication.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_because"])
    note_publication(campaign=campaign, is_public=_of(campaign).public(at).exists())
    return publication


def carry_out_orders(*, at: datetime) -> int:
    """Freezes what was ordered; gives how many snapshots it made. Of several processes one does each."""
    free = FreezeOrder.objects.filter(failure="", next_at__lte=at)
    return sum(_carry_out(order, at) for order in free.select_related("campaign") if _is_claimed(order, at))


def _is_claimed(order: FreezeOrder, at: datetime) -> bool:
    free = FreezeOrder.objects.filter(pk=order.pk, failure="", next_at__lte=at)
    return bool(free.update(next_at=at + GIVEN_UP_AFTER))


def _carry_out(order: FreezeOrder, at: datetime) -> bool:
    rows = FreezeOrder.objects.filter(pk=order.pk)
    try:
        snapshot = freeze(campaign=order.campaign, hides_teams=order.hides_teams, by=order.asked_by, at=at)
    except ScoresCameIn:
        rows.update(next_at=at + AGAIN_AFTER)
        return False
    except Exception as error:
        rows.update(failure=str(error) or type(error).__name__)
        if order.asked_by is None:
            Campaign.objects.filter(pk=order.campaign_id).update(is_published=False)
        if isinstance(error, NotReady | NotOrganizer):
            return False
        raise
    with transaction.atomic():
        rows.delete()
        if order.asked_by is None:
            publish(snapshot=snapshot, public_from=at, by=None, at=at)
    return True


@transaction.atomic
def drop_order(*, campaign: Campaign, by: Person) -> None:
    """Forgets an order that failed. Errors: `NotOrganizer`."""
    _check_organizer(campaign, by)
    FreezeOrder.objects.filter(campaign=campaign).exclude(failure="").delete()


def follow_publications(*, at: datetime) -> int:
    """Notes the publications whose day has come, and orders what campaign files ask for; gives how many campaigns changed."""
    public = Publication.objects.public(at).order_by().values("snapshot__campaign")
    come = Campaign.objects.filter(pk__in=public, is_published=False)
    gone = Campaign.objects.exclude(pk__in=public).filter(is_published=True, was_published=True)
    asked = Campaign.objects.filter(is_published=True, was_published=False).exclude(freeze_order__failure="")
    changed = [*come, *gone]
    for campaign in changed:
        _follow(campaign, at)
    for campaign in asked:
        FreezeOrder.objects.update_or_create(
            campaign=campaign,
            defaults={"asked_at": at, "asked_by": None, "hides_teams": False, "next_at": at, "failure": ""},
        )
    return len(changed) + len(asked)


@transaction.atomic
def _follow(campaign: Campaign, at: datetime) -> None:
    """Looks again under the lock: somebody may publish or withdraw meanwhile."""
    campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
    note_publication(campaign=campaign, is_public=_of(campaign).public(at).exists())


def _of(campaign: Campaign) -> PublicationQuerySet:
    return Publication.objects.filter(snapshot__campaign=campaign)


def _check_organizer(campaign: Campaign, person: Person | None) -> None:
    if person is not None and not has_role(person, campaign, Role.ORGANIZER):
        raise NotOrganizer


def _check_ready(campaign: Campaign) -> None:
    found = preflight(campaign)
    if blocks(found):
        raise NotReady([finding for finding in found if finding.blocks])


def _last_number(campaign: Campaign) -> int:
    return campaign.snapshots.aggregate(last=Max("number"))["last"] or 0
