import pytest

from campaigns.drawing import Drawn
from campaigns.plans import Ground
from verification.plans import AS_DRAWN, LATER, MOVED, digest_of, drawn_plan, made_by

FIRST, SECOND = Drawn("t", "a", "s", 1), Drawn("t", "b", "s", 2)
SETTINGS = {"plan": "full", "testers_per_cell": 1, "dialogues_per_bot": 0, "quota": {}}
GROUND = Ground(["t"], ["a", "b"], {"s": ""})


def test_what_stands_where_it_was_drawn_is_taken_for_that_before_what_was_moved():
    moved = Drawn("t", "a", "s", 9)
    assert made_by([moved, FIRST], [FIRST, SECOND]) == ([LATER, AS_DRAWN], 1)
    assert made_by([moved, SECOND], [FIRST, SECOND]) == ([MOVED, AS_DRAWN], 0)
    assert made_by([moved, moved], [FIRST]) == ([MOVED, LATER], 0)
    assert made_by([], [FIRST, FIRST]) == ([], 2)


def test_the_digest_says_which_assignments_were_drawn_in_any_order():
    assert digest_of([FIRST, SECOND]) == digest_of([SECOND, FIRST])
    assert digest_of([FIRST, FIRST]) != digest_of([FIRST]) != digest_of([SECOND])


@pytest.mark.parametrize(
    "greedy",
    [
        {"plan": "per_cell", "testers_per_cell": 10**9},
        {"plan": "random_goals", "dialogues_per_bot": 10**9},
        {"plan": "quota", "quota": {"": 10**9}},
    ],
)
def test_a_plan_that_would_keep_its_reader_waiting_is_refused(greedy):
    assert len(drawn_plan(SETTINGS, GROUND, seed=1)) == 2
    with pytest.raises(ValueError, match="more than 2,000,000 assignments"):
        drawn_plan(SETTINGS | greedy, GROUND, seed=1)
    with pytest.raises(TypeError):
        drawn_plan(SETTINGS | {"testers_per_cell": "1" * 9}, GROUND, seed=1)
