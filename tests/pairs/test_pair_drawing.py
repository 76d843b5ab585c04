"""Draws of pairs: every pair of systems as often as any other, each system as often left as right, and nobody sees one twice."""

import random
from collections import Counter
from dataclasses import dataclass
from itertools import combinations

import pytest

from pairs.pair_drawing import Draw, Met, Offer, counted, draw_pair, interval_widths, key_of, two_of

SYSTEMS, SCENARIOS = range(1, 7), range(1, 6)
LIVE = [Offer(system, scenario) for system in SYSTEMS for scenario in SCENARIOS]
FINISHED = [
    Offer(system, scenario, f"{system}-{scenario}-{n}") for system in SYSTEMS for scenario in SCENARIOS for n in (1, 2)
]


@dataclass(frozen=True)
class Drawn:
    judge: int
    draw: Draw

    @property
    def met(self):
        return Met(self.draw.left.scenario, self.draw.left.system, self.draw.right.system)


def drawn(offers, before, *, judge, seed, **how):
    """The next draw after those before it."""
    own = [one for one in before if one.judge == judge]
    uses = Counter(offer.dialogue for one in before for offer in (one.draw.left, one.draw.right))
    found = draw_pair(
        offers, counted(one.met for one in before), counted(one.met for one in own),
        seen={one.draw.key for one in own}, uses=lambda _two, _scenario: uses, judge=judge, seed=seed, **how,
    )  # fmt: skip
    return found and Drawn(judge, found)


def played(offers, judges, n_each, seed=7, **how):
    """Pairs as judges in an order of chance draw them."""
    turns = [judge for judge in judges for _ in range(n_each)]
    random.Random(seed).shuffle(turns)
    before = []
    for judge in turns:
        if one := drawn(offers, before, judge=judge, seed=seed, **how):
            before.append(one)
    return before


@pytest.mark.parametrize("offers", [LIVE, FINISHED], ids=["live", "finished"])
@pytest.mark.parametrize("seed", range(5))
def test_every_two_systems_meet_as_often_as_any_others(offers, seed):
    met = counted(one.met for one in played(offers, range(1, 9), 15, seed)).of_two
    assert met.keys() == set(combinations(SYSTEMS, 2))
    assert max(met.values()) - min(met.values()) <= 1


@pytest.mark.parametrize("seed", range(5))
def test_each_system_is_left_as_often_as_right_for_every_judge_and_over_all(seed):
    before = played(LIVE, range(1, 9), 15, seed)
    assert max(map(abs, counted(one.met for one in before).left.values())) <= 4
    for judge in range(1, 9):
        own = counted(one.met for one in before if one.judge == judge)
        assert max(map(abs, own.left.values())) <= 2


def test_nobody_sees_a_pair_twice_and_everybody_can_see_all():
    before = played(LIVE, [1, 2], 100)
    for judge in (1, 2):
        keys = [one.draw.key for one in before if one.judge == judge]
        assert len(keys) == len(set(keys)) == len(SCENARIOS) * 15


def test_scenarios_and_dialogues_come_in_turn():
    before = played(FINISHED, range(1, 9), 15)
    scenarios = Counter(one.met.scenario for one in before)
    assert max(scenarios.values()) - min(scenarios.values()) <= 4
    dialogues = Counter(offer.dialogue for one in before for offer in (one.draw.left, one.draw.right))
    assert len(dialogues) == len(FINISHED)
    assert max(dialogues.values()) - min(dialogues.values()) <= 3


def test_the_same_seed_draws_the_same_and_another_seed_something_else():
    assert played(LIVE, [1, 2, 3], 10, seed=3) == played(LIVE, [1, 2, 3], 10, seed=3)
    first, other = (drawn(LIVE, [], judge=1, seed=seed) for seed in (1, 2))
    assert first != other


def test_each_draw_can_be_repeated_from_the_pairs_before_it():
    before = played(FINISHED, [1, 2, 3], 10)
    for n, one in enumerate(before):
        assert drawn(FINISHED, before[:n], judge=one.judge, seed=7) == one


def test_there_is_no_pair_without_two_systems_about_one_scenario():
    assert drawn([], [], judge=1, seed=1) is None
    assert drawn([Offer(1, 1), Offer(1, 2)], [], judge=1, seed=1) is None
    assert drawn([Offer(1, 1), Offer(2, 2)], [], judge=1, seed=1) is None


def test_an_adaptive_draw_takes_the_two_whose_distance_is_known_least():
    widths = dict.fromkeys(combinations(SYSTEMS, 2), 1.0) | {(2, 5): 1.5}
    none = counted([])
    how = {"seen": (), "uses": lambda _two, _scenario: {}, "judge": 1, "seed": 1, "widths": widths}
    draw = draw_pair(LIVE, none, none, **how)
    assert two_of(draw.left.system, draw.right.system) == (2, 5)
    waiting = counted([Met(1, 2, 5, n=1, n_waiting=1), Met(1, 5, 2, n=1, n_waiting=1)])
    other = draw_pair(LIVE, waiting, none, **how)
    assert two_of(other.left.system, other.right.system) != (2, 5)


def test_a_key_knows_no_sides():
    assert key_of(Offer(4, 9), Offer(2, 9)) == key_of(Offer(2, 9), Offer(4, 9)) == "9:2:4"
    assert key_of(Offer(4, 9, "b"), Offer(2, 9, "a")) == key_of(Offer(2, 9, "a"), Offer(4, 9, "b")) == "a|b"


def test_a_width_follows_from_the_votes_between_the_two():
    """n votes without ties at equal strength: their information is n / 4, and the distance varies by 4 / n (worked out by hand)."""
    votes = [(1, 2, "left", 200), (1, 2, "right", 200)]
    assert interval_widths(votes)[1, 2] == pytest.approx((4 / 400) ** 0.5, rel=0.01)


def test_more_votes_make_it_narrower_and_one_sided_ones_less_so():
    few, many = ([(1, 2, "left", n), (2, 1, "left", n)] for n in (5, 20))
    assert interval_widths(many)[1, 2] < interval_widths(few)[1, 2]
    assert interval_widths([(1, 2, "left", 40)])[1, 2] > interval_widths(many)[1, 2]


def test_a_system_between_joins_two_that_never_met():
    widths = interval_widths([(1, 2, "left", 10), (1, 2, "right", 10), (2, 3, "left", 10), (2, 3, "right", 10)])
    assert widths[1, 2] == pytest.approx(widths[2, 3])
    assert widths[1, 2] < widths[1, 3]


def test_nothing_is_known_without_votes_and_across_islands():
    assert interval_widths([]) == {}
    assert interval_widths([(1, 2, "left", 1), (3, 4, "tie", 1)]) == {}
