"""Publishes a snapshot, withdraws it, and notes the days on which publications become public."""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from accounts.models import Person
from audit.actions import record
from campaigns.actions import note_publication
from campaigns.calendar import Doing, check_open
from campaigns.models import Campaign
from campaigns.reasons import reason_of
from publication.actions.ordering import check_organizer
from publication.models import OF_LEADERBOARD, FreezeOrder, Publication, PublicationQuerySet, Snapshot
from publication.trail_acts import BOARD_PUBLISHED, BOARD_WITHDRAWN
from serving.refused import Refused


class AlreadyPublished(Refused):
    """The snapshot is published, or will be public on its day."""

    code = "already_published"

    def __str__(self) -> str:
        return _("It was published in the meantime.")


class OtherNames(Refused):
    """The other kind is published, teams or aliases: both together tell which is which."""

    code = "other_names"

    def __str__(self) -> str:
        return _("Withdraw the published one first: one with teams and one with aliases together tell which is which.")


class NotPublished(Refused):
    """There is nothing to withdraw: somebody else has done it."""

    code = "not_published"

    def __str__(self) -> str:
        return _("It was withdrawn in the meantime.")


@transaction.atomic
def publish(*, snapshot: Snapshot, public_from: datetime, by: Person | None, at: datetime) -> Publication:
    """Everybody may read the snapshot from `public_from` on, or from now where that is past.

    Errors: `NotOrganizer`, `AlreadyPublished`, `OtherNames`; `NotNow` where that is before the campaign's day of publication.
    """
    check_organizer(snapshot.campaign, by)
    # Two organizers who publish at once: the second waits here and finds it done.
    campaign = Campaign.objects.select_for_update().get(pk=snapshot.campaign_id)
    if snapshot.publications.standing().exists():
        raise AlreadyPublished
    # A board of runs has no figure that any other one names a system by.
    others = _of(campaign).standing().with_people().exclude(snapshot__hides_teams=snapshot.hides_teams)
    if snapshot.has_people and others.exists():
        raise OtherNames
    public_from = max(public_from, at)
    check_open(campaign, Doing.PUBLISH, public_from)
    publication = Publication.objects.create(
        snapshot=snapshot, public_from=public_from, published_at=at, published_by=by
    )
    _note(snapshot, campaign, at)
    details = {"number": snapshot.number, "public_from": publication.public_from.isoformat(), "sha256": snapshot.digest}
    details |= _which(snapshot)
    record(BOARD_PUBLISHED, by=by, at=at, campaign=campaign.slug, about=str(snapshot.number), details=details)
    return publication


@transaction.atomic
def withdraw(*, snapshot: Snapshot, because: str, by: Person, at: datetime) -> Publication:
    """Only organizers can read the snapshot from then on; who withdrew it, when and why is kept.

    Errors: `NotOrganizer`, `ReasonNeeded`, `NotPublished`.
    """
    check_organizer(snapshot.campaign, by)
    because = reason_of(because)
    # As in `publish`: of two withdrawals at once the second finds nothing left to withdraw.
    campaign = Campaign.objects.select_for_update().get(pk=snapshot.campaign_id)
    publication = snapshot.publications.standing().first()
    if publication is None:
        raise NotPublished
    publication.withdrawn_at, publication.withdrawn_by, publication.withdrawn_because = at, by, because
    publication.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_because"])
    _note(snapshot, campaign, at)
    about, details = str(snapshot.number), _which(snapshot)
    record(BOARD_WITHDRAWN, by=by, at=at, campaign=campaign.slug, about=about, because=because, details=details)
    return publication


def follow_publications(*, at: datetime) -> int:
    """Notes the publications whose day has come, and orders what campaign files ask for; returns how many campaigns changed."""
    public = Publication.objects.closing_scores().public(at).order_by().values("snapshot__campaign")
    come = Campaign.objects.filter(pk__in=public, is_published=False)
    gone = Campaign.objects.exclude(pk__in=public).filter(is_published=True, was_published=True)
    orders = FreezeOrder.objects.filter(campaign=OuterRef("pk"))
    # What the file asks for waits until no board is being frozen; what an organizer ordered of the leaderboard and still has to read
    # why it failed, stays.
    taken = Exists(orders.under_way()) | Exists(orders.filter(of_board=OF_LEADERBOARD, asked_by__isnull=False))
    asked = Campaign.objects.filter(is_published=True, was_published=False).exclude(taken)
    changed = [*come, *gone]
    for campaign in changed:
        _follow(campaign, at)
    for campaign in asked:
        FreezeOrder.objects.update_or_create(
            campaign=campaign,
            of_board=OF_LEADERBOARD,
            defaults={"asked_by": None, "hides_teams": False} | FreezeOrder.begun_anew(at),
        )
    return len(changed) + len(asked)


@transaction.atomic
def _follow(campaign: Campaign, at: datetime) -> None:
    """Looks again under the lock: a publication may be made or withdrawn meanwhile."""
    campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
    note_publication(campaign=campaign, is_public=_closes_scores(campaign, at))


def _note(snapshot: Snapshot, campaign: Campaign, at: datetime) -> None:
    """Whether scores are public now; of a board of runs beside which people score nothing is noted."""
    if _of(campaign).closing_scores().filter(snapshot=snapshot).exists():
        note_publication(campaign=campaign, is_public=_closes_scores(campaign, at))


def _closes_scores(campaign: Campaign, at: datetime) -> bool:
    return _of(campaign).closing_scores().public(at).exists()


def _which(snapshot: Snapshot) -> dict[str, str]:
    return {"board": snapshot.of_board} if snapshot.of_board else {}


def _of(campaign: Campaign) -> PublicationQuerySet:
    return Publication.objects.filter(snapshot__campaign=campaign)
