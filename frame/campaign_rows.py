"""The campaigns of a list: where each stands, and for somebody in it, their roles and what is next."""

from dataclasses import dataclass

from accounts.models import Person
from campaigns.models import Campaign, CampaignRole, Role
from frame.campaign_progress import Standing, standings_of
from frame.next_steps import Step, steps_of

PUBLIC_ROWS = 20


@dataclass(frozen=True, slots=True)
class CampaignRow:
    """`held` are the roles of who reads the list."""

    campaign: Campaign
    standing: Standing
    held: tuple[CampaignRole, ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def roles(self) -> list[str]:
        """The roles in words."""
        return [str(Role(one.role).label) for one in self.held]

    @property
    def first_to_do(self) -> Step | None:
        return next((step for step in self.steps if step.to_do), None)


def own_rows(person: Person) -> list[CampaignRow]:
    """The campaigns in which the person holds a role by the credential they come with: where something is to be done, then the newest."""
    held: dict[Campaign, list[CampaignRole]] = {}
    places = CampaignRole.objects.held_by(person).select_related("campaign")
    for place in places.order_by("-campaign__created_at", "role"):
        held.setdefault(place.campaign, []).append(place)
    standings = standings_of(held)
    by_campaign = {campaign: frozenset(one.role for one in own) for campaign, own in held.items()}
    steps = steps_of(person, by_campaign, standings)
    rows = [
        CampaignRow(campaign, standings[campaign.pk], tuple(own), tuple(steps[campaign.pk]))
        for campaign, own in held.items()
    ]
    return sorted(rows, key=lambda row: row.first_to_do is None)


def public_rows() -> list[CampaignRow]:
    """The newest campaigns that everybody may know of."""
    public = list(Campaign.objects.public().order_by("-created_at")[:PUBLIC_ROWS])
    standings = standings_of(public)
    return [CampaignRow(campaign, standings[campaign.pk]) for campaign in public]
