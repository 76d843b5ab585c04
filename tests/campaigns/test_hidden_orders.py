import pytest

from campaigns.hidden_orders import in_hidden_order, plan_seed

pytestmark = pytest.mark.django_db
NAMES = [f"tester-{number:02}" for number in range(30)]


def test_the_order_of_testers_is_always_the_same_and_not_that_of_their_names(campaign):
    ordered = in_hidden_order(campaign, NAMES)
    assert in_hidden_order(campaign, reversed(NAMES)) == ordered != NAMES
    assert sorted(ordered) == NAMES


def test_who_knows_the_drawing_seed_knows_neither_order_nor_seed_of_the_plan(campaign, settings):
    ordered, seed = in_hidden_order(campaign, NAMES), plan_seed(campaign)
    assert 0 <= seed < 1 << 48
    assert seed != campaign.drawing_seed
    settings.SECRET_KEY = "another"
    assert in_hidden_order(campaign, NAMES) != ordered
    assert plan_seed(campaign) != seed
