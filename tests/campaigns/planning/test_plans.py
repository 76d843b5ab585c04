from collections import Counter
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from campaigns.planning.drawing import draw_plan
from campaigns.planning.plans import Ground, Plan, PlanKind, Shortfall, draw_fresh

SKILLS = ("chit-chat", "knowledge")
PER_CELL, RANDOM_GOALS, QUOTA = PlanKind.PER_CELL, PlanKind.RANDOM_GOALS, PlanKind.QUOTA


def ground_of(n_testers, n_bots, n_scenarios):
    return Ground(
        [f"t{number}" for number in range(n_testers)],
        [f"b{number}" for number in range(n_bots)],
        {f"s{number}": SKILLS[number % 2] for number in range(n_scenarios)},
    )


grounds = st.builds(ground_of, st.integers(1, 6), st.integers(1, 5), st.integers(1, 7))


def spread(counts, keys):
    counted = [counts[key] for key in keys]
    return max(counted) - min(counted)


def cells_of(ground):
    return [(bot, scenario) for bot in ground.bots for scenario in ground.skills]


def test_the_full_plan_is_the_latin_square_as_ever():
    ground = ground_of(3, 3, 21)
    drawn, short = draw_fresh(Plan(), ground, seed=7)
    assert drawn == draw_plan(ground.testers, ground.bots, list(ground.skills), seed=7)
    assert short == []


@given(ground=grounds, k=st.integers(1, 7), seed=st.integers())
@settings(max_examples=60, deadline=None)
def test_so_many_testers_meet_each_bot_in_each_scenario_and_carry_the_same_load(ground, k, seed):
    drawn, short = draw_fresh(Plan(PER_CELL, testers_per_cell=k), ground, seed=seed)
    n_testers = len(ground.testers)
    assert len({row.triple for row in drawn}) == len(drawn)
    per_cell = Counter((row.bot, row.scenario) for row in drawn)
    assert all(per_cell[cell] == min(k, n_testers) for cell in cells_of(ground))
    assert spread(Counter(row.tester for row in drawn), ground.testers) <= 1
    assert sum(row.n for row in short) == max(0, k - n_testers) * len(cells_of(ground))


@given(ground=grounds, n=st.integers(0, 30), seed=st.integers())
@settings(max_examples=60, deadline=None)
def test_random_goals_are_balanced_within_one_over_goals_bots_and_testers(ground, n, seed):
    drawn, short = draw_fresh(Plan(RANDOM_GOALS, dialogues_per_bot=n), ground, seed=seed)
    assert short == []
    assert all(Counter(row.bot for row in drawn)[bot] == n for bot in ground.bots)
    assert spread(Counter((row.bot, row.scenario) for row in drawn), cells_of(ground)) <= 1
    assert spread(Counter(row.scenario for row in drawn), ground.skills) <= 1
    assert spread(Counter(row.tester for row in drawn), ground.testers) <= 1


@given(ground=grounds, n=st.integers(0, 30), seed=st.integers())
@settings(max_examples=60, deadline=None)
def test_nobody_has_the_same_goal_with_the_same_bot_again_before_everybody_had_it(ground, n, seed):
    drawn, _ = draw_fresh(Plan(RANDOM_GOALS, dialogues_per_bot=n), ground, seed=seed)
    had = Counter(row.triple for row in drawn)
    for bot, scenario in cells_of(ground):
        assert spread(had, [(tester, bot, scenario) for tester in ground.testers]) <= 1


@given(ground=grounds, quota=st.dictionaries(st.sampled_from(SKILLS), st.integers(0, 9)), seed=st.integers())
@settings(max_examples=60, deadline=None)
def test_a_quota_gives_each_bot_so_many_dialogues_per_skill_over_the_scenarios_of_the_skill(ground, quota, seed):
    drawn, short = draw_fresh(Plan(QUOTA, quota=quota), ground, seed=seed)
    assert spread(Counter(row.tester for row in drawn), ground.testers) <= 1
    cells = Counter((row.bot, row.scenario) for row in drawn)
    for skill, n in quota.items():
        scenarios = [scenario for scenario, own in ground.skills.items() if own == skill]
        for bot in ground.bots:
            if scenarios:
                assert sum(cells[bot, scenario] for scenario in scenarios) == n
                assert spread(cells, [(bot, scenario) for scenario in scenarios]) <= 1
            else:
                assert Shortfall(bot, "", skill, n) in short or n == 0
    asked = {scenario for scenario, skill in ground.skills.items() if skill in quota}
    assert {row.scenario for row in drawn} <= asked


@given(
    ground=grounds,
    plan=st.builds(
        Plan,
        st.sampled_from([PER_CELL, RANDOM_GOALS, QUOTA]),
        st.integers(1, 6),
        st.integers(0, 30),
        st.just({"chit-chat": 5, "knowledge": 8}),
    ),
    seed=st.integers(),
)
@settings(max_examples=100, deadline=None)
def test_each_bot_meets_each_tester_about_as_often(ground, plan, seed):
    """Loads are even before and after each bot, so what one bot gave to two testers differs by two at most."""
    drawn, _ = draw_fresh(plan, ground, seed=seed)
    met = Counter((row.tester, row.bot) for row in drawn)
    for bot in ground.bots:
        assert spread(met, [(tester, bot) for tester in ground.testers]) <= 2


@given(ground=grounds, kind=st.sampled_from([PER_CELL, RANDOM_GOALS]), seed=st.integers())
@settings(max_examples=60, deadline=None)
def test_each_tester_has_positions_from_one_with_the_bots_mixed(ground, kind, seed):
    drawn, _ = draw_fresh(Plan(kind, testers_per_cell=2, dialogues_per_bot=10), ground, seed=seed)
    for tester in ground.testers:
        own = sorted((row for row in drawn if row.tester == tester), key=lambda row: row.position)
        assert [row.position for row in own] == list(range(1, len(own) + 1))
        repeated = sum(one.bot == other.bot for one, other in pairwise(own))
        most = max(Counter(row.bot for row in own).values(), default=0)
        assert repeated == max(0, 2 * most - len(own) - 1)


def test_the_same_seed_gives_the_same_plan_and_another_one_another():
    ground = ground_of(4, 3, 6)
    for plan in (Plan(PER_CELL, 2), Plan(RANDOM_GOALS, dialogues_per_bot=10), Plan(QUOTA, quota={"knowledge": 4})):
        assert draw_fresh(plan, ground, seed=7) == draw_fresh(plan, ground, seed=7)
        assert draw_fresh(plan, ground, seed=7) != draw_fresh(plan, ground, seed=8)


def test_without_testers_everything_is_short():
    drawn, short = draw_fresh(Plan(RANDOM_GOALS, dialogues_per_bot=4), ground_of(0, 1, 2), seed=1)
    assert drawn == []
    assert sum(row.n for row in short) == 4


def test_a_contest_with_random_goals_is_even():
    """15 bots × 150 dialogues over 21 goals and 10 testers: 7.1 per bot and goal, 225 per tester, 15 per tester and bot."""
    ground = ground_of(10, 15, 21)
    drawn, _ = draw_fresh(Plan(RANDOM_GOALS, dialogues_per_bot=150), ground, seed=3)
    assert set(Counter((row.bot, row.scenario) for row in drawn).values()) == {7, 8}
    assert set(Counter(row.tester for row in drawn).values()) == {225}
    assert max(Counter(row.triple for row in drawn).values()) == 1
    per_tester_and_bot = Counter((row.tester, row.bot) for row in drawn)
    assert set(per_tester_and_bot.values()) <= {14, 15, 16}
