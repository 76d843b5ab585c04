"""How many dialogues a plan asks for, and how many are missing."""

import pytest

from organizing.wall.needs_reading import Demand


@pytest.mark.parametrize(
    ("plan", "per_bot"),
    [("full", 10 * 21), ("per_cell", 3 * 21), ("random_goals", 50), ("quota", 12 + 8)],
)
def test_the_plan_asks_for_so_many_dialogues_per_bot(plan, per_bot):
    demand = Demand(plan, 10, 21, testers_per_cell=3, dialogues_per_bot=50, quota={"chat": 12, "book": 8})
    assert demand.per_bot == per_bot


def test_what_one_bot_has_too_many_fills_no_gap_of_another():
    demand = Demand("random_goals", 10, 21, 1, dialogues_per_bot=50)
    assert demand.missing([50, 47, 60]) == 3
