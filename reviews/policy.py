"""What decides which reviews of a campaign count, and whether that was counted by the settings of now."""

from collections.abc import Collection
from typing import Any

from campaigns.interests import teams_by_person
from campaigns.models import Campaign, CampaignRole, Role
from reviews.models import Reviewing


def policies_of(campaigns: Collection[Campaign]) -> dict[int, dict[str, Any]]:
    """By campaign, in two queries whatever their number."""
    adjudicators: dict[int, list[int]] = {campaign.pk: [] for campaign in campaigns}
    held = CampaignRole.objects.filter(campaign__in=adjudicators, role=Role.ADJUDICATOR)
    for campaign_id, person_id in held.order_by("person").values_list("campaign", "person"):
        adjudicators[campaign_id].append(person_id)
    interests = teams_by_person([campaign for campaign, held_by in adjudicators.items() if held_by])
    return {
        campaign.pk: {
            "counted": campaign.counted_reviews,
            "reviewers": campaign.reviewers_per_dialogue,
            "over": campaign.adjudicated_over,
            "decisions": campaign.decisions_count,
            "experts": campaign.experts_per_dialogue,
            "adjudicators": adjudicators[campaign.pk],
            # Whom an interest bars, and from which teams: another adjudicator may be the first one for a dispute.
            "interests": {
                str(person): [campaign.members_may_judge, *sorted(teams)]
                for person, teams in interests.get(campaign.pk, {}).items()
                if person in adjudicators[campaign.pk]
            },
        }
        for campaign in campaigns
    }


def policy_of(campaign: Campaign) -> dict[str, Any]:
    return policies_of([campaign])[campaign.pk]


def is_counted_by_policy(campaign: Campaign) -> bool:
    """False from a change of the settings until the chore of the reviews has counted anew."""
    reviewing = Reviewing.objects.filter(campaign=campaign).first()
    return reviewing is None or not reviewing.policy or reviewing.policy == policy_of(campaign)
