"""How systems are compared, in sentences."""

import pytest
from django.utils import translation

from frame.rules import rules_of


@pytest.mark.django_db
def test_the_rules_come_from_the_campaign(campaign):
    with translation.override("en"):
        said = dict(rules_of(campaign))
        assert said["Scenarios"] == "1 scenario; parts: Flight 1, Hotel 1"
        assert said["Turns"] == "At most 3 turns per part; an unfinished part is charged its cap."
        campaign.cap_per, campaign.turn_cap = "dialogue", 10
        assert dict(rules_of(campaign))["Turns"].startswith("At most 10 turns per dialogue")
