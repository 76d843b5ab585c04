"""New places are mixed into a short queue, and strewn into a long one of which nothing moves."""

from types import SimpleNamespace

from reviews import queue_positions
from reviews.places_plan import Wanted
from reviews.queue_positions import positions_of

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
