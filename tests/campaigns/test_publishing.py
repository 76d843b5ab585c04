"""Publishing writes one setting and no other."""

import pytest

from campaigns.actions import publish_leaderboard
from campaigns.models import Campaign


@pytest.mark.django_db
def test_publishing_writes_back_nothing_else_that_was_read_before(campaign):
    Campaign.objects.update(reply_deadline_s=9)
    publish_leaderboard(campaign=campaign, is_published=True)
    stored = Campaign.objects.get()
    assert (stored.is_published, stored.reply_deadline_s) == (True, 9)
    publish_leaderboard(campaign=campaign, is_published=False)
    assert not Campaign.objects.get().is_published
