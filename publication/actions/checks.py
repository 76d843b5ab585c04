"""Who may publish, and whether the board is ready for it."""

from collections.abc import Sequence

from accounts.models import Person
from campaigns.access import has_role
from campaigns.models import Campaign, Role
from publication.preflight import Finding, blocks
from publication.readiness import preflight


class NotOrganizer(Exception):
    """Only organizers of the campaign publish its leaderboard."""


class NotReady(Exception):
    """The preflight found what must be done first."""

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
