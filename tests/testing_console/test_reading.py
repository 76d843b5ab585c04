"""What is read of a dialogue before its bot is asked."""

from testing_console.reading import briefing
from tests.conftest import SMALL_CAMPAIGN, load_campaign, spec_of

RIVAL = """
[[bots]]
key = "b"
team = "津大"
name = "小津"
url = "http://127.0.0.1:9/"
"""


def test_the_names_of_the_own_team_and_of_rivals_are_masked(dialogue):
    load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace("[[scenarios]]", RIVAL + "[[scenarios]]", 1)))
    masker = briefing(dialogue.pk).masker
    assert masker.mask("Ｔeam alpha 比津大的小 津好") == "██████████ 比██的███好"


def test_what_the_campaign_lists_is_masked_also_with_two_letters(dialogue):
    campaign = dialogue.assignment.campaign
    campaign.masked_words = ["HW"]
    campaign.save()
    assert briefing(dialogue.pk).masker.mask("hw 的 hwy") == "██ 的 hwy"
