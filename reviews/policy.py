"""What decides which reviews of a campaign count, and whether that was counted by the settings of now."""

from typing import Any

from campaigns.models import Campaign, Role
from reviews.models import Reviewing


def policy_of(campaign: Campaign) -> dict[str, Any]:
    return {
        "counted": campaign.counted_reviews,
        "reviewers": campaign.reviewers_per_dialogue,
        "over": campaign.adjudicated_over,
        "experts": campaign.experts_per_dialogue,
        "adjudicators": sorted(campaign.roles.filter(role=Role.ADJUDICATOR).values_list("person", flat=True)),
    }


def is_counted_by_policy(campaign: Campaign) -> bool:
    """False from a change of the settings until the chore of the reviews has counted anew."""
    reviewing = Reviewing.objects.filter(campaign=campaign).first()
    return reviewing is None or not reviewing.policy or reviewing.policy == policy_of(campaign)
