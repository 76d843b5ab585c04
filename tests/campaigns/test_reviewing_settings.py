"""The settings of the table [reviewing] are among all of a campaign, together and in their order."""

from campaigns.campaign_settings import SETTINGS, settings_of
from campaigns.reviewing_settings import REVIEWING


def test_they_are_all_that_stand_in_their_table():
    assert list(settings_of("reviewing").values()) == list(REVIEWING)


def test_whoever_may_score_may_count():
    assert SETTINGS["reviewed_by"].kind == SETTINGS["counted_reviews"].kind
