"""What a team has to accept, and whether it has."""

from campaigns.models import Campaign
from participants.models import Team
from registration.models import Acceptance, Agreement
from registration.refusals import NotPossible


def current_agreement(campaign: Campaign) -> Agreement | None:
    """The latest version, if it has a text."""
    latest: Agreement | None = campaign.agreements.first()
    return latest if latest is not None and latest.is_asked else None


def acceptance_of(agreement: Agreement | None, team: Team) -> Acceptance | None:
    return agreement.acceptances.filter(team=team).select_related("person").first() if agreement else None


def has_agreed(campaign: Campaign, team: Team) -> bool:
    """Whether no agreement waits for the team."""
    agreement = current_agreement(campaign)
    return agreement is None or acceptance_of(agreement, team) is not None


def check_agreed(campaign: Campaign, team: Team) -> None:
    """Errors: `NotPossible` with code `not_agreed` where an agreement waits for the team."""
    if not has_agreed(campaign, team):
        raise NotPossible("not_agreed")
