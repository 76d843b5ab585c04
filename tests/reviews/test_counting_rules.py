"""Whether what counts was counted by the settings of now."""

import pytest

from reviews.actions.counting import is_counted_by_policy, policy_of
from reviews.counting_rules import Standing, counted_parts, distances, exact_share, verdict_of_experts, weights
from reviews.models import Reviewing

GOOD = Standing(is_reviewable=True, is_accepted=True)


@pytest.mark.parametrize(
    ("counted", "parts"), [("self", {"self"}), ("panel", {"panel"}), ("both", {"self", "panel"}), ("nobody", set())]
)
def test_the_campaign_says_whose_scores_count(counted, parts):
    assert counted_parts(counted, GOOD) == parts


def test_nothing_counts_of_a_dialogue_that_does_not_count_or_is_not_accepted():
    assert counted_parts("both", Standing(is_reviewable=False, is_accepted=True)) == set()
    assert counted_parts("both", Standing(is_reviewable=True, is_accepted=False)) == set()


def test_while_a_dispute_waits_the_panel_does_not_count_yet():
    waiting = Standing(is_reviewable=True, is_accepted=True, has_open_dispute=True)
    assert counted_parts("both", waiting) == {"self"}


def test_an_adjudicator_counts_in_the_place_of_the_panel_and_never_for_the_testers_own():
    settled = Standing(is_reviewable=True, is_accepted=True, is_settled_by_person=True)
    assert counted_parts("panel", settled) == {"adjudication"}
    assert counted_parts("both", settled) == {"self", "adjudication"}
    assert counted_parts("self", settled) == {"self"}


def test_a_decision_may_be_one_more_record_beside_the_panels():
    settled = Standing(is_reviewable=True, is_accepted=True, is_settled_by_person=True, keeps_panel=True)
    assert counted_parts("panel", settled) == {"panel", "adjudication"}
    waiting = Standing(is_reviewable=True, is_accepted=True, has_open_dispute=True, keeps_panel=True)
    assert counted_parts("panel", waiting) == set()


@pytest.mark.parametrize(
    ("parts", "n_replaced", "expected"),
    [
        (["panel"] * 3, 0, [1 / 3] * 3),
        (["panel"] * 2, 0, [0.5, 0.5]),  # a panel that was closed before its third review
        (["adjudication"], 3, [1]),
        (["self", "adjudication"], 3, [0.25, 0.75]),  # as much as the three that it replaces
        (["panel", "panel", "adjudication"], 0, [1 / 3] * 3),  # one more record
        ([], 0, []),
    ],
)
def test_the_records_of_a_dialogue_weigh_one_together_and_a_decision_as_much_as_its_panel(parts, n_replaced, expected):
    assert [float(one) for one in weights(parts, n_replaced)] == expected


def test_distances_are_between_the_furthest_two():
    reviews = [{"sa": -1, "f": 0, "c#1": 2}, {"sa": 2, "f": 1, "c#1": 2}, {"sa": 0, "f": 1}]
    assert distances(reviews, over=0) == {"f": 1, "sa": 3}
    assert distances(reviews, over=1) == {"sa": 3}
    assert distances(reviews, over=3) == {}
    assert distances([], over=0) == {}


@pytest.mark.parametrize(
    ("accepted", "returned", "experts", "verdict"),
    [
        (0, 0, 3, None), (1, 0, 3, None), (2, 0, 3, None), (0, 2, 3, None), (1, 1, 3, None),
        (3, 0, 3, True), (2, 1, 3, True), (1, 2, 3, False), (0, 3, 3, False),
        # Fewer are asked for than have answered.
        (1, 2, 1, False), (2, 1, 1, True), (1, 1, 1, False),
        (1, 0, 1, True), (0, 1, 1, False), (1, 1, 2, False), (1, 0, 2, None), (2, 0, 2, True),
    ],
)  # fmt: skip
def test_experts_decide_by_majority_once_all_have_answered(accepted, returned, experts, verdict):
    assert verdict_of_experts(accepted, returned, experts) is verdict


def test_only_exact_scores_are_right():
    gold = {"sa": 2, "f": 1, "nugget@1.bot": "HNUG"}
    assert exact_share(gold, gold) == (3, 3)
    assert exact_share(gold, {"sa": 1, "f": 1, "nugget@1.bot": "HNaN", "g": 1}) == (1, 3)
    assert exact_share(gold, {}) == (0, 3)


pytestmark = pytest.mark.django_db


def test_a_changed_setting_waits_for_the_chore(campaign):
    assert is_counted_by_policy(campaign)
    Reviewing.objects.create(campaign=campaign, policy=policy_of(campaign))
    assert is_counted_by_policy(campaign)
    campaign.counted_reviews = "panel"
    assert not is_counted_by_policy(campaign)
