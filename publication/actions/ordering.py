"""Orders a freeze, which the server carries out beside its pages, where an organizer asks and the board is ready."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from accounts.models import Person
from audit.actions import record
from campaigns.access import has_role
from campaigns.models import Campaign, Role
from publication.models import OF_LEADERBOARD, FreezeOrder
from publication.preflight import Finding, another_is_being_frozen, blocks
from publication.readiness import preflight
from publication.trail_acts import FREEZE_DROPPED, FREEZE_ORDERED
from serving.refused import Refused


class NotOrganizer(Exception):
    """Only organizers of the campaign publish its leaderboard."""


class NotReady(Refused):
    """The preflight found what must be done first."""

    code = "not_ready"

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__(" ".join(finding.text for finding in findings))
        self.findings = findings


def check_organizer(campaign: Campaign, person: Person | None) -> None:
    if person is not None and not has_role(person, campaign, Role.ORGANIZER):
        raise NotOrganizer


def check_ready(campaign: Campaign) -> None:
    found = preflight(campaign)
    if blocks(found):
        raise NotReady([finding for finding in found if finding.blocks])


def order_freeze(*, campaign: Campaign, hides_teams: bool, by: Person, at: datetime) -> FreezeOrder:
    """Orders a freeze of the leaderboard in the background. Errors: `NotOrganizer`, `NotReady`."""
    check_organizer(campaign, by)
    # Before the transaction: the preflight reads much, and on SQLite every other writer would wait for it.
    check_ready(campaign)
    return store_order(campaign=campaign, hides_teams=hides_teams, by=by, at=at)


@transaction.atomic
def store_order(
    *, campaign: Campaign, hides_teams: bool, by: Person, at: datetime, of_board: str = OF_LEADERBOARD
) -> FreezeOrder:
    """Replaces the board's previous order. The caller has checked that the board is ready.

    Errors: `NotReady` while another board of the campaign is being frozen.
    """
    # Two boards ordered at once: the second waits here and finds the first under way.
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    if campaign.freeze_orders.under_way().exclude(of_board=of_board).exists():
        raise NotReady([another_is_being_frozen()])
    order, _created = FreezeOrder.objects.update_or_create(
        campaign=campaign,
        of_board=of_board,
        defaults={"asked_by": by, "hides_teams": hides_teams} | FreezeOrder.begun_anew(at),
    )
    details: dict[str, bool | str] = {"hides_teams": hides_teams} | ({"board": of_board} if of_board else {})
    record(FREEZE_ORDERED, by=by, at=at, campaign=campaign.slug, details=details)
    return order


@transaction.atomic
def drop_order(*, campaign: Campaign, by: Person, of_board: str = OF_LEADERBOARD) -> None:
    """Drops a board's order, whether it failed or waits. Errors: `NotOrganizer`."""
    check_organizer(campaign, by)
    n_orders, _rows = campaign.freeze_orders.filter(of_board=of_board).delete()
    if n_orders:
        record(FREEZE_DROPPED, by=by, campaign=campaign.slug, details={"board": of_board} if of_board else {})
