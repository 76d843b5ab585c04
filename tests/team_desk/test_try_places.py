"""Who may try a bot now: clocks are given, and teams take turns without waiting in here."""

from team_desk.trying import TURN_LASTS_S, Asker, Taken, TryPlaces

YES, NOT_NOW, OWN_ARE_USED = Taken


def asker(name):
    """Person a1 of team a, and so on."""
    return Asker(name, name[0])


def test_one_person_has_one_place_and_one_team_two():
    places = TryPlaces(at_once=4, of_a_team=2, of_a_person=1)
    assert [places.take(asker(name), 0) for name in ("a1", "a1", "a2", "a3")] == [YES, OWN_ARE_USED, YES, OWN_ARE_USED]
    # One person holds no more in another campaign, where they belong to another team.
    assert places.take(Asker("a1", "b"), 0) is OWN_ARE_USED
    assert [places.take(asker(name), 0) for name in ("b1", "b2")] == [YES, YES]
    places.give_back(asker("a1"))
    assert places.take(asker("a1"), 1) is YES


def test_a_free_place_is_kept_for_the_team_that_was_refused_first():
    places = TryPlaces(at_once=2, of_a_team=2, of_a_person=1)
    assert [places.take(asker(name), 0) for name in ("a1", "a2")] == [YES, YES]
    assert [places.take(asker(name), second) for second, name in enumerate(("b1", "c1", "b1"), start=1)] == [
        NOT_NOW
    ] * 3
    places.give_back(asker("a1"))
    # One place is free, and team b has waited for longer than team c and the team that had it.
    assert [places.take(asker(name), 4) for name in ("a1", "c1", "b2")] == [NOT_NOW, NOT_NOW, YES]
    places.give_back(asker("a2"))
    assert [places.take(asker(name), 5) for name in ("b1", "a2", "c1")] == [NOT_NOW, NOT_NOW, YES]
    # Team a was refused before team b was again.
    places.give_back(asker("c1"))
    assert [places.take(asker(name), 6) for name in ("b1", "a1")] == [NOT_NOW, YES]


def test_a_team_that_does_not_come_again_keeps_nobody_waiting():
    places = TryPlaces(at_once=1, of_a_team=1, of_a_person=1)
    assert [places.take(asker(name), 0) for name in ("a1", "b1", "c1")] == [YES, NOT_NOW, NOT_NOW]
    places.give_back(asker("a1"))
    assert places.take(asker("c1"), TURN_LASTS_S - 1) is NOT_NOW
    assert places.take(asker("c1"), TURN_LASTS_S) is YES


def test_places_that_come_back_leave_nothing_behind():
    places = TryPlaces()
    for _ in range(1000):
        assert places.take(asker("a1"), 0) is YES
        places.give_back(asker("a1"))
    assert not places._of_persons
    assert not places._of_teams
