"""Tells that a leaderboard of the campaign is public, or no longer."""

from campaigns.models import Campaign


def note_publication(*, campaign: Campaign, is_public: bool) -> None:
    """Whether a published leaderboard is public now. Belongs into the transaction that publishes or withdraws it."""
    campaign.is_published, campaign.was_published = is_public, True
    campaign.save(update_fields=["is_published", "was_published"])
