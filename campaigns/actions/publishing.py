"""Shows the leaderboard of a campaign to everybody, or takes it back."""

from django.db import transaction

from campaigns.models import Campaign


@transaction.atomic
def publish_leaderboard(*, campaign: Campaign, is_published: bool) -> Campaign:
    """Only that one setting is written, to the row as it is now: `campaign` may be older than what somebody else changed."""
    locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
    locked.is_published = is_published
    locked.save(update_fields=["is_published"])
    return locked
