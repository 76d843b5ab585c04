"""Tells that figures of a campaign may have changed."""

from django.db.models import F

from campaigns.models import Campaign


def note_changed_scores(*, campaign: Campaign) -> None:
    """Has the leaderboard computed anew. Belongs into the transaction of the change, or the new figures could miss it."""
    Campaign.objects.filter(pk=campaign.pk).update(scores_version=F("scores_version") + 1)
