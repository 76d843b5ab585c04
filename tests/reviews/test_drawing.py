"""New places are mixed into a short queue, and strewn into a long one of which nothing moves."""

from collections import Counter
from itertools import combinations, pairwise
from types import SimpleNamespace

from hypothesis import given, settings
from hypothesis import strategies as st

from reviews import panel_drawing as queue_positions
from reviews.panel_drawing import Panelled, Place, draw_reviewers, mix_in_gold, positions_of, queue_order
from reviews.places_plan import Wanted

TESTERS = ["t1", "t2", "t3"]


def dialogues_of(n, excluded=lambda number: ()):
    return [Panelled(f"d{number}", frozenset(excluded(number))) for number in range(n)]


def reviewers_of(n):
    return [f"r{number}" for number in range(n)]


def panels_of(places):
    panels = {}
    for place in places:
        panels.setdefault(place.dialogue, set()).add(place.reviewer)
    return panels


def spread_of(places, reviewers):
    load = Counter(place.reviewer for place in places)
    return max(load[one] for one in reviewers) - min(load[one] for one in reviewers)


def overlaps_of(panels, reviewers):
    shared = Counter(pair for panel in panels.values() for pair in combinations(sorted(panel), 2))
    return [shared[pair] for pair in combinations(sorted(reviewers), 2)]


@given(n=st.integers(0, 60), n_reviewers=st.integers(1, 9), k=st.integers(1, 5), seed=st.integers())
@settings(max_examples=60, deadline=None)
def test_every_dialogue_gets_so_many_reviewers_and_nobody_more_than_one_above_another(n, n_reviewers, k, seed):
    reviewers = reviewers_of(n_reviewers)
    places = draw_reviewers(dialogues_of(n), reviewers, per_dialogue=k, drawn={}, seed=seed)
    assert len(places) == len(set(places)) == n * min(k, n_reviewers)
    assert {len(panel) for panel in panels_of(places).values()} <= {min(k, n_reviewers)}
    assert spread_of(places, reviewers) <= 1


@given(n_reviewers=st.integers(3, 9), k=st.integers(2, 4), seed=st.integers())
@settings(max_examples=60, deadline=None)
def test_every_two_reviewers_share_work_when_there_is_enough_for_two_dialogues_each(n_reviewers, k, seed):
    reviewers = reviewers_of(n_reviewers)
    k = min(k, n_reviewers)
    n_pairs = n_reviewers * (n_reviewers - 1) // 2
    n = -(-2 * n_pairs // (k * (k - 1) // 2))
    panels = panels_of(draw_reviewers(dialogues_of(n), reviewers, per_dialogue=k, drawn={}, seed=seed))
    assert min(overlaps_of(panels, reviewers)) >= 1


def test_six_dialogues_for_two_of_four_reviewers_give_every_pair_one():
    panels = panels_of(draw_reviewers(dialogues_of(6), reviewers_of(4), per_dialogue=2, drawn={}, seed=3))
    assert overlaps_of(panels, reviewers_of(4)) == [1] * 6


def test_a_contest_shares_its_dialogues_evenly_among_reviewers_and_pairs():
    """3,150 × 3 places for 20: 472.5 each; 9,450 pairs on 190: 49.7 each."""
    reviewers = reviewers_of(20)
    places = draw_reviewers(dialogues_of(3150), reviewers, per_dialogue=3, drawn={}, seed=5)
    assert spread_of(places, reviewers) == 1
    assert min(overlaps_of(panels_of(places), reviewers)) >= 48


@given(
    data=st.lists(st.sets(st.sampled_from(reviewers_of(6)), max_size=6), max_size=40),
    k=st.integers(1, 4),
    seed=st.integers(),
)
@settings(max_examples=60, deadline=None)
def test_nobody_is_drawn_for_a_dialogue_that_excludes_them(data, k, seed):
    dialogues = dialogues_of(len(data), lambda number: data[number])
    panels = panels_of(draw_reviewers(dialogues, reviewers_of(6), per_dialogue=k, drawn={}, seed=seed))
    for panelled in dialogues:
        panel = panels.get(panelled.dialogue, set())
        assert not panel & panelled.excluded
        assert len(panel) == min(k, 6 - len(panelled.excluded))


def test_testers_who_review_each_others_dialogues_carry_the_same_load():
    testers = reviewers_of(5)
    dialogues = dialogues_of(50, lambda number: [testers[number % 5]])
    assert spread_of(draw_reviewers(dialogues, testers, per_dialogue=3, drawn={}, seed=1), testers) == 0


def test_dialogues_that_one_reviewer_alone_may_score_do_not_unbalance_the_others():
    """Two dialogues only for r0 come last in the list; the other two go to r1."""
    dialogues = [*dialogues_of(2), Panelled("x", frozenset({"r1"})), Panelled("y", frozenset({"r1"}))]
    places = draw_reviewers(dialogues, ["r0", "r1"], per_dialogue=1, drawn={}, seed=1)
    assert Counter(place.reviewer for place in places) == {"r0": 2, "r1": 2}


def test_what_is_drawn_stays_and_only_what_is_missing_is_added():
    drawn = {"d0": {"r0", "r1", "r2"}, "d1": {"r0"}}
    places = draw_reviewers(dialogues_of(2), reviewers_of(4), per_dialogue=3, drawn=drawn, seed=1)
    assert {place.dialogue for place in places} == {"d1"}
    assert len(places) == 2
    assert Place("d1", "r3") in places


def test_dialogues_that_arrive_one_by_one_are_shared_as_evenly():
    """60 dialogues × 3 = 180 pairs on 28: 6.4 each."""
    reviewers, drawn = reviewers_of(8), {}
    for panelled in dialogues_of(60):
        for place in draw_reviewers([panelled], reviewers, per_dialogue=3, drawn=drawn, seed=9):
            drawn.setdefault(place.dialogue, set()).add(place.reviewer)
    load = Counter(reviewer for panel in drawn.values() for reviewer in panel)
    assert max(load.values()) - min(load.values()) <= 1
    assert min(overlaps_of(drawn, reviewers)) >= 5


def test_a_reviewer_who_left_is_not_drawn_and_disturbs_nobody():
    drawn = {"d0": {"gone", "r0"}, "d1": {"gone"}}
    places = draw_reviewers(dialogues_of(2), ["r0", "r1"], per_dialogue=2, drawn=drawn, seed=1)
    assert places == [Place("d1", "r1")]


@given(seed=st.integers(), order=st.permutations(reviewers_of(5)))
@settings(max_examples=20, deadline=None)
def test_the_same_seed_gives_the_same_places_in_whatever_order_reviewers_come(seed, order):
    first = draw_reviewers(dialogues_of(20), reviewers_of(5), per_dialogue=2, drawn={}, seed=seed)
    assert draw_reviewers(dialogues_of(20), order, per_dialogue=2, drawn={}, seed=seed) == first


def test_another_seed_gives_other_places():
    drawings = [draw_reviewers(dialogues_of(20), reviewers_of(5), per_dialogue=2, drawn={}, seed=s) for s in (1, 2)]
    assert set(drawings[0]) != set(drawings[1])


@given(bots=st.lists(st.sampled_from("abc"), max_size=30), seed=st.integers())
@settings(max_examples=60, deadline=None)
def test_a_queue_holds_every_dialogue_once_and_repeats_a_bot_only_where_it_must(bots, seed):
    bot_of = {f"d{number}": bot for number, bot in enumerate(bots)}
    order = queue_order("r0", bot_of.items(), seed=seed)
    assert sorted(order) == sorted(bot_of)
    repeated = sum(bot_of[one] == bot_of[other] for one, other in pairwise(order))
    most = max(Counter(bots).values(), default=0)
    assert repeated == max(0, most - (len(bots) - most) - 1)


def test_reviewers_have_orders_of_their_own_that_do_not_depend_on_the_order_given():
    pairs = [(f"d{number}", "abc"[number % 3]) for number in range(30)]
    own = queue_order("r0", pairs, seed=1)
    assert own == queue_order("r0", pairs[::-1], seed=1)
    assert own != queue_order("r1", pairs, seed=1)
    assert own != queue_order("r0", pairs, seed=2)


def test_the_dialogues_of_one_bot_keep_their_order_when_others_arrive():
    pairs = [(f"d{number}", "a") for number in range(10)]
    before = queue_order("r0", pairs, seed=1)
    after = queue_order("r0", [*pairs, *[(f"n{number}", "a") for number in range(10)]], seed=1)
    assert [dialogue for dialogue in after if dialogue in before] == before


@given(n=st.integers(0, 60), every=st.integers(1, 12), since=st.integers(0, 11), seed=st.integers())
@settings(max_examples=60, deadline=None)
def test_every_whole_block_of_the_queue_holds_one_gold_dialogue(n, every, since, seed):
    since = min(since, every - 1)
    queue = [f"d{number}" for number in range(n)]
    gold = {f"g{number}" for number in range(n + 1)}
    mixed = mix_in_gold("r0", queue, gold, every=every, seed=seed, since_gold=since)
    assert [one for one in mixed if one not in gold] == queue
    n_mixed = len(mixed) - n
    assert (n + since) // every - (since > 0) <= n_mixed <= -(-(n + since) // every)


def test_gold_does_not_come_at_the_same_place_of_every_block():
    queue = [f"d{number}" for number in range(200)]
    mixed = mix_in_gold("r0", queue, [f"g{number}" for number in range(20)], every=10, seed=1)
    places = [number for number, one in enumerate(mixed) if one.startswith("g")]
    assert len({later - earlier for earlier, later in pairwise(places)}) > 3


def test_gold_runs_out_and_none_is_mixed_in_where_the_campaign_wants_none():
    queue = [f"d{number}" for number in range(40)]
    assert len(mix_in_gold("r0", queue, ["g"], every=5, seed=1)) == 41
    assert mix_in_gold("r0", queue, ["g"], every=0, seed=1) == queue


REVIEWER = 5


def place(pk, position, *, opened_at=None, is_gold=False, reviewer=REVIEWER, released_at=None):
    return SimpleNamespace(
        pk=pk, dialogue_id=f"d{pk}", reviewer_id=reviewer, position=position, opened_at=opened_at, done_at=None,
        released_at=released_at, is_gold=is_gold,
    )  # fmt: skip


def plan_of(places, drawn, taken=()):
    return SimpleNamespace(seen=SimpleNamespace(places=places), drawn=drawn, taken=list(taken))


def positions(plan, **settings):
    bots = {f"d{n}": f"bot-{n % 2}" for n in range(100)}
    return positions_of(plan, bots, **{"seed": 1, "gold_every": 0} | settings)


def test_a_short_queue_goes_on_behind_what_was_begun_without_a_gap():
    places = [place(1, 1, opened_at="noon"), place(2, 2), place(3, 3), place(4, 9, reviewer=6)]
    found = positions(plan_of(places, [Wanted("d7", REVIEWER), Wanted("d8", REVIEWER)]))
    stay = {2: 2, 3: 3} | found.moved
    assert sorted([*found.new.values(), *stay.values()]) == [2, 3, 4, 5]
    assert found.new.keys() == {(REVIEWER, "d7"), (REVIEWER, "d8")}
    assert 4 not in found.moved


def test_what_is_taken_or_was_let_go_has_no_position():
    taken = place(2, 2)
    places = [taken, place(3, 3, released_at="noon")]
    found = positions(plan_of(places, [Wanted("d7", REVIEWER)], [taken]))
    assert (found.new, found.moved) == ({(REVIEWER, "d7"): 1}, {})


def test_one_gold_dialogue_is_mixed_into_every_so_many():
    drawn = [Wanted(f"d{n}", REVIEWER) for n in range(10, 16)] + [Wanted("d20", REVIEWER, is_gold=True)]
    found = positions(plan_of([], drawn), gold_every=3)
    assert sorted(found.new.values()) == [1, 2, 3, 4, 5, 6, 7]
    assert found.new[REVIEWER, "d20"] in (2, 3, 4)


def test_nothing_of_a_long_queue_moves_for_a_few_more(monkeypatch):
    monkeypatch.setattr(queue_positions, "SHORT_QUEUE", 5)
    places = [place(n, 10 * n) for n in range(1, 31)]
    found = positions(plan_of(places, [Wanted("d77", REVIEWER)]))
    assert found.moved == {}
    assert found.new[REVIEWER, "d77"] in {10 * n for n in range(1, 31)}
