from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from campaigns.planning.plans import Ground, Plan, PlanKind, Shortfall, draw_fresh
from campaigns.planning.redrawing import Standing, changes_of
from tests.campaigns.planning.test_plans import cells_of, ground_of, grounds, spread

TWO_PER_CELL = Plan(PlanKind.PER_CELL, testers_per_cell=2)
PLANS = (
    Plan(),
    TWO_PER_CELL,
    Plan(PlanKind.RANDOM_GOALS, dialogues_per_bot=9),
    Plan(PlanKind.QUOTA, quota={"chit-chat": 3, "knowledge": 2}),
)


def standing_of(plan, ground, *, n_begun, seed=1):
    """The plan as stored; of each tester the first `n_begun` are begun."""
    drawn, _ = draw_fresh(plan, ground, seed=seed)
    return [
        Standing(number, *row.triple, position=row.position, is_begun=row.position <= n_begun)
        for number, row in enumerate(drawn, start=1)
    ]


def result_of(changes):
    return Counter([row.triple for row in changes.leave] + [row.triple for row in changes.add])


def left_of(changes):
    return Counter([row.tester for row in changes.leave if not row.is_begun] + [row.tester for row in changes.add])


def without(ground, *, testers=(), bots=()):
    return Ground(
        [one for one in ground.testers if one not in testers],
        [one for one in ground.bots if one not in bots],
        ground.skills,
    )


@given(plan=st.sampled_from(PLANS), ground=grounds, n_begun=st.integers(0, 4), seed=st.integers())
@settings(max_examples=60, deadline=None)
def test_where_nothing_changed_nothing_is_drawn(plan, ground, n_begun, seed):
    standing = standing_of(plan, ground, n_begun=n_begun, seed=seed)
    changes = changes_of(plan, ground, standing, seed=seed)
    assert not changes
    assert not changes.move
    assert Counter(changes.leave) == Counter(standing)


@given(
    plan=st.sampled_from(PLANS),
    later=st.sampled_from(PLANS),
    ground=grounds,
    after=grounds,
    n_begun=st.integers(0, 4),
)
@settings(max_examples=150, deadline=None)
def test_what_has_begun_is_never_touched_and_a_second_drawing_adds_nothing(plan, later, ground, after, n_begun):
    standing = standing_of(plan, ground, n_begun=n_begun)
    changes = changes_of(later, after, standing, seed=1)
    assert {row for row in standing if row.is_begun} <= set(changes.leave)
    assert sorted(row.id for row in changes.leave + changes.take_away) == [row.id for row in standing]
    again = [
        *(replace(row, position=changes.move.get(row.id, row.position)) for row in changes.leave),
        *(Standing(1000 + n, *row.triple, position=row.position) for n, row in enumerate(changes.add)),
    ]
    assert not changes_of(later, after, again, seed=1)


@given(plan=st.sampled_from(PLANS), ground=grounds, after=grounds, n_begun=st.integers(1, 4))
@settings(max_examples=100, deadline=None)
def test_after_a_drawing_only_testers_bots_and_scenarios_of_the_campaign_have_something_to_do(
    plan, ground, after, n_begun
):
    changes = changes_of(plan, after, standing_of(plan, ground, n_begun=n_begun), seed=1)
    to_do = [row for row in changes.leave if not row.is_begun] + changes.add
    assert all(row.tester in after.testers for row in to_do)
    assert all((row.bot, row.scenario) in cells_of(after) for row in to_do)


def test_before_the_first_dialogue_the_plan_is_drawn_anew():
    ground = ground_of(3, 2, 4)
    standing = standing_of(TWO_PER_CELL, ground, n_begun=0)
    larger = replace(ground, testers=[*ground.testers, "t9"])
    changes = changes_of(TWO_PER_CELL, larger, standing, seed=1)
    fresh, _ = draw_fresh(TWO_PER_CELL, larger, seed=1)
    left = {(row.triple, changes.move.get(row.id, row.position)) for row in changes.leave}
    assert left | {(row.triple, row.position) for row in changes.add} == {(row.triple, row.position) for row in fresh}


def test_what_a_leaver_had_not_begun_is_drawn_for_others_with_even_loads():
    """8 testers × 6: t0 did 2 and leaves 4 behind; every cell keeps its two."""
    ground = ground_of(8, 4, 6)
    standing = standing_of(TWO_PER_CELL, ground, n_begun=2)
    after = without(ground, testers=["t0"])
    changes = changes_of(TWO_PER_CELL, after, standing, seed=1)
    assert {row.tester for row in changes.take_away} == {"t0"}
    assert len(changes.take_away) == len(changes.add) == 4
    cells = Counter((bot, scenario) for _, bot, scenario in result_of(changes).elements())
    assert set(cells.values()) == {2}
    assert max(result_of(changes).values()) == 1
    assert spread(left_of(changes), after.testers) <= 1


def test_what_counts_nowhere_of_a_leaver_is_drawn_for_others_and_what_counts_is_not():
    ground = ground_of(3, 1, 3)
    standing = standing_of(TWO_PER_CELL, ground, n_begun=2)
    after = without(ground, testers=["t0"])
    done = changes_of(TWO_PER_CELL, after, standing, seed=1)
    void = [replace(row, is_void=True) if row.tester == "t0" else row for row in standing]
    assert len(done.add) == 0
    assert len(changes_of(TWO_PER_CELL, after, void, seed=1).add) == 2


def test_what_is_void_of_a_tester_who_is_there_stays_theirs():
    ground = ground_of(3, 1, 3)
    void = [replace(row, is_void=row.is_begun) for row in standing_of(TWO_PER_CELL, ground, n_begun=1)]
    assert not changes_of(TWO_PER_CELL, ground, void, seed=1)


def test_of_a_withdrawn_bot_what_has_not_begun_goes_and_nothing_else():
    ground = ground_of(4, 3, 4)
    for plan in PLANS:
        standing = standing_of(plan, ground, n_begun=1)
        changes = changes_of(plan, without(ground, bots=["b0"]), standing, seed=1)
        gone = {row.id for row in standing if row.bot == "b0" and not row.is_begun}
        assert {row.id for row in changes.take_away} == gone
        assert gone
        assert changes.add == []


def test_a_bot_that_comes_later_is_spread_over_what_testers_have_left_to_do():
    """Each of 2 testers has 4 of bot b0 and did 1: positions 2, 3, 4 are left, so b1 comes between them."""
    ground, plan = ground_of(2, 1, 4), TWO_PER_CELL
    standing = standing_of(plan, ground, n_begun=1)
    changes = changes_of(plan, ground_of(2, 2, 4), standing, seed=1)
    for tester in ground.testers:
        assert sorted(row.position for row in changes.add if row.tester == tester) == [2, 2, 3, 3]
    assert {row.bot for row in changes.add} == {"b1"}


def test_a_newcomer_takes_over_a_fair_share_of_what_is_not_begun():
    """24 dialogues, 3 testers × 8, 2 done each: 18 left, so the newcomer takes 4 or 5."""
    ground = ground_of(3, 3, 4)
    larger = replace(ground, testers=[*ground.testers, "t9"])
    changes = changes_of(TWO_PER_CELL, larger, standing_of(TWO_PER_CELL, ground, n_begun=2), seed=1)
    assert {row.tester for row in changes.add} == {"t9"}
    assert spread(left_of(changes), larger.testers) <= 1
    assert sum(left_of(changes).values()) == 18
    assert max(result_of(changes).values()) == 1


def test_a_smaller_quota_takes_away_the_last_of_what_is_not_begun():
    ground = ground_of(2, 1, 2)
    four, two = (Plan(PlanKind.QUOTA, quota={"chit-chat": n}) for n in (4, 2))
    changes = changes_of(two, ground, standing_of(four, ground, n_begun=1), seed=1)
    assert len(changes.take_away) == 2
    assert {row.position for row in changes.take_away} == {2}


def test_what_a_smaller_quota_has_begun_too_much_of_stays():
    ground = ground_of(2, 1, 2)
    four, one = (Plan(PlanKind.QUOTA, quota={"chit-chat": n}) for n in (4, 1))
    changes = changes_of(one, ground, standing_of(four, ground, n_begun=2), seed=1)
    assert not changes
    assert len(changes.leave) == 4


def test_a_cell_without_enough_testers_is_named():
    ground = ground_of(2, 1, 1)
    standing = standing_of(TWO_PER_CELL, ground, n_begun=1)
    changes = changes_of(replace(TWO_PER_CELL, testers_per_cell=3), ground, standing, seed=1)
    assert changes.short == [Shortfall("b0", "s0", "chit-chat", 1)]


def test_the_full_plan_keeps_one_of_what_another_plan_drew_twice():
    ground = Ground(["t"], ["a", "b"], {"s": ""})
    standing = [
        Standing(1, "t", "a", "s", 1, is_begun=True),
        Standing(2, "t", "a", "s", 2),
        Standing(3, "t", "b", "s", 3),
        Standing(4, "t", "b", "s", 4),
    ]
    changes = changes_of(Plan(), ground, standing, seed=1)
    assert (sorted(row.id for row in changes.take_away), changes.add) == ([2, 4], [])
    assert not changes_of(Plan(), ground, changes.leave, seed=1)
