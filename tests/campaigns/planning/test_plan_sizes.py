"""How many assignments a plan has is counted by hand here, and by the rule before anything is drawn."""

import pytest

from campaigns.planning.plan_sizes import PlanTooLarge, check_size
from campaigns.planning.plans import Ground, Plan, PlanKind, draw_fresh, n_asked

GROUND = Ground(("t1", "t2", "t3"), ("a", "b"), {"s1": "food", "s2": "food", "s3": "rail", "s4": ""})
FULL = Plan()
PER_CELL = Plan(PlanKind.PER_CELL, testers_per_cell=2)
RANDOM_GOALS = Plan(PlanKind.RANDOM_GOALS, dialogues_per_bot=7)
QUOTA = Plan(PlanKind.QUOTA, quota={"food": 5, "rail": 1})


@pytest.mark.parametrize(
    ("plan", "n"),
    [
        (FULL, 3 * 2 * 4),
        (PER_CELL, 2 * 4 * 2),
        (Plan(PlanKind.PER_CELL, testers_per_cell=50), 2 * 4 * 3),
        (RANDOM_GOALS, 2 * 7),
        (QUOTA, 2 * 6),
    ],
)
def test_the_count_is_what_is_drawn(plan, n):
    assert n_asked(plan, GROUND) == n
    assert len(draw_fresh(plan, GROUND, seed=1)[0]) == n


def test_a_pair_that_is_barred_is_no_part_of_a_full_plan():
    ground = Ground(GROUND.testers, GROUND.bots, GROUND.skills, frozenset({("t1", "a"), ("gone", "a"), ("gone", "b")}))
    assert n_asked(FULL, ground) == 3 * 2 * 4 - 4
    assert len(draw_fresh(FULL, ground, seed=1)[0]) == 20


@pytest.mark.parametrize(
    ("plan", "setting", "product"),
    [
        (FULL, "plan", "2 systems × 3 testers × 4 scenarios are 24 assignments"),
        (PER_CELL, "testers_per_cell", "2 systems × 4 scenarios × 2 testers are 16 assignments"),
        (RANDOM_GOALS, "dialogues_per_bot", "2 systems × 7 dialogues are 14 assignments"),
        (QUOTA, "quota", "2 systems × 6 dialogues are 12 assignments"),
    ],
)
def test_a_plan_over_the_limit_is_refused_with_what_multiplies_in_it(plan, setting, product):
    n = n_asked(plan, GROUND)
    assert check_size(plan, GROUND, n) == n
    with pytest.raises(PlanTooLarge) as large:
        check_size(plan, GROUND, n - 1)
    assert large.value.setting == setting
    assert large.value.finding.in_english.startswith(large.value.finding.place)
    assert f"{product}, more than the {n - 1} that may be drawn" in str(large.value)
