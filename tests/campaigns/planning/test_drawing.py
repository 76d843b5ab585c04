from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.planning.drawing import draw_aliases, draw_plan, latin_square
from campaigns.planning.hidden_orders import in_hidden_order, plan_seed
from campaigns.planning.interleaving import interleaved, lot

TESTERS, BOTS, SCENARIOS = ["t1", "t2", "t3"], ["a", "b", "c"], [f"s{i}" for i in range(21)]


def test_the_plan_is_full_and_each_triple_stands_once():
    plan = draw_plan(TESTERS, BOTS, SCENARIOS, seed=7)
    assert len(plan) == 3 * 3 * 21
    assert len({(row.tester, row.bot, row.scenario) for row in plan}) == len(plan)


def test_the_same_seed_gives_the_same_plan_and_another_one_another():
    assert draw_plan(TESTERS, BOTS, SCENARIOS, seed=7) == draw_plan(TESTERS, BOTS, SCENARIOS, seed=7)
    assert draw_plan(TESTERS, BOTS, SCENARIOS, seed=7) != draw_plan(TESTERS, BOTS, SCENARIOS, seed=8)


def test_positions_count_from_one_for_each_tester():
    for tester in TESTERS:
        own = [row.position for row in draw_plan(TESTERS, BOTS, SCENARIOS, seed=1) if row.tester == tester]
        assert own == list(range(1, 64))


def test_in_every_third_of_the_day_every_bot_is_met_equally_often():
    plan = draw_plan(TESTERS, BOTS, SCENARIOS, seed=3)
    for start in (0, 21, 42):
        counts = Counter(row.bot for row in plan if start < row.position <= start + 21)
        assert set(counts.values()) == {21}


def test_for_one_scenario_and_round_each_tester_meets_another_bot_order():
    """Over the testers each bot comes first for a scenario about equally often."""
    plan = draw_plan(TESTERS, BOTS, SCENARIOS, seed=3)
    first = Counter(row.bot for row in plan if row.position <= 21)
    assert max(first.values()) - min(first.values()) <= 3


@given(st.integers(min_value=1, max_value=9))
def test_a_latin_square_has_each_number_once_in_every_row_and_column(n):
    square = latin_square(n)
    for line in [*square, *zip(*square, strict=True)]:
        assert sorted(line) == list(range(n))


def test_aliases_are_distinct_also_beyond_the_short_ones():
    aliases = draw_aliases(500, seed=1)
    assert len(set(aliases)) == 500
    assert not set(draw_aliases(5, taken=aliases[:100], seed=1)) & set(aliases[:100])


def test_aliases_go_on_when_every_short_one_and_every_longer_one_is_taken():
    """21 letters × 7 digits are 147 short aliases; the next length has 1,029."""
    taken: set[str] = set()
    for number in range(147 + 1029 + 3):
        taken.update(draw_aliases(1, taken=taken, seed=5))
        assert len(taken) == number + 1
    assert sorted({len(alias) for alias in taken}) == [2, 3, 4]


NAMES = [f"tester-{number:02}" for number in range(30)]


@pytest.mark.django_db
def test_the_order_of_testers_is_always_the_same_and_not_that_of_their_names(campaign):
    ordered = in_hidden_order(campaign, NAMES)
    assert in_hidden_order(campaign, reversed(NAMES)) == ordered != NAMES
    assert sorted(ordered) == NAMES


@pytest.mark.django_db
def test_who_knows_the_drawing_seed_knows_neither_order_nor_seed_of_the_plan(campaign, settings):
    ordered, seed = in_hidden_order(campaign, NAMES), plan_seed(campaign)
    assert 0 <= seed < 1 << 48
    assert seed != campaign.drawing_seed
    settings.SECRET_KEY = "another"
    assert in_hidden_order(campaign, NAMES) != ordered
    assert plan_seed(campaign) != seed


def in_order(things, seed=1):
    return interleaved(things, kind_of=lambda thing: thing[0], lot_of=lambda thing: lot(seed, thing))


@given(kinds=st.lists(st.sampled_from("abcd"), max_size=30), seed=st.integers())
def test_a_kind_follows_itself_only_where_there_are_too_few_others(kinds, seed):
    things = [f"{kind}{number}" for number, kind in enumerate(kinds)]
    order = in_order(things, seed)
    assert sorted(order) == sorted(things)
    most = max(Counter(kinds).values(), default=0)
    repeated = sum(one[0] == other[0] for one, other in pairwise(order))
    assert repeated == max(0, most - (len(kinds) - most) - 1)


@given(things=st.permutations([f"{kind}{number}" for kind in "abc" for number in range(4)]))
def test_the_order_given_does_not_matter(things):
    assert in_order(things) == in_order(sorted(things))


def test_a_lot_is_the_same_in_every_process():
    """Worked out with `printf '7\\nr1\\nd1' | b2sum -l 128`."""
    assert lot(7, "r1", "d1").hex() == "f1035091a43d62c4642a2db3f03ce9db"
