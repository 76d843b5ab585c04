import random

from replays.actions.running import places_for_replays
from replays.drift import compared, drift_of


def test_the_first_answer_with_other_words_parts():
    found = compared({1: ["a"], 2: ["b"], 3: ["c"]}, {1: ["a"], 2: ["x"], 3: ["c"]})
    assert (found.n_turns, found.n_changed, found.parts_at) == (3, 1, 2)
    assert found.distance == 1 / 3


def test_no_answer_is_like_no_answer_alone():
    assert compared({1: None}, {1: None}).distance == 0
    assert compared({1: None}, {1: ["a"]}).parts_at == 1
    assert compared({1: ["a"]}, {}).distance == 1


def test_a_system_that_says_the_same_does_not_drift():
    found = drift_of([({1: ["hello there"]}, [{1: ["hello there"]}] * 2)])
    assert (found.distance, found.spread, found.drift) == (0, 0, 0)


def test_a_system_that_changed_drifts():
    found = drift_of([({1: ["hello there"]}, [{1: ["good morning"]}] * 2)])
    assert found.drift == 1
    assert found.is_beyond(30)


def test_a_system_that_never_says_the_same_does_not_drift():
    chance = random.Random(3)
    words = ["red", "blue", "green", "grey", "pink", "gold"]

    def said():
        return {turn: [" ".join(chance.sample(words, 4))] for turn in range(1, 6)}

    found = drift_of([(said(), [said(), said()]) for _ in range(20)])
    assert found.distance > 0.5
    assert found.drift < 0.05


def test_without_answers_there_is_no_drift_to_tell():
    assert drift_of([]) is None
    assert drift_of([({1: ["a"]}, [])]) is None


def test_replays_have_a_part_of_the_places_beside_people():
    assert places_for_replays(50, 0) == 12
    assert places_for_replays(50, 45) == 5
    assert places_for_replays(4, 3) == 1
    assert places_for_replays(4, 4) == 0
    assert places_for_replays(1, 0) == 1
    assert places_for_replays(1, 1) == 0
