"""Whether what counts was counted by the settings of now."""

import pytest

from reviews.models import Reviewing
from reviews.policy import is_counted_by_policy, policy_of

pytestmark = pytest.mark.django_db


def test_a_changed_setting_waits_for_the_chore(campaign):
    assert is_counted_by_policy(campaign)
    Reviewing.objects.create(campaign=campaign, policy=policy_of(campaign))
    assert is_counted_by_policy(campaign)
    campaign.counted_reviews = "panel"
    assert not is_counted_by_policy(campaign)
