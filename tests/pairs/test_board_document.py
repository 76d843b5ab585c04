"""The board of pairs: what it says of votes, worked out by hand, and that the verifier's own code says the same."""

import random

import pytest

from pairs.board.document import System, pair_board
from tests.pairs.votes import random_rows, row
from verification.pairs import board_of

SYSTEMS = [System(key, f"Team {key}", f"Bot {key}") for key in "abcd"]
ENTRIES = [{"bot": one.key, "team": one.team, "name": one.bot} for one in SYSTEMS]


def board(rows):
    return pair_board("probe", SYSTEMS, rows)


def system(document, key):
    return next(one for one in document["systems"] if one["key"] == key)


def differences(one, other, where=""):
    """Where two documents differ by more than a unit of the fourth decimal."""
    if isinstance(one, dict) and isinstance(other, dict):
        assert list(one) == list(other), where
        return [found for name in one for found in differences(one[name], other[name], f"{where}.{name}")]
    if isinstance(one, list) and isinstance(other, list):
        assert len(one) == len(other), where
        return [
            found
            for place, (a, b) in enumerate(zip(one, other, strict=True))
            for found in differences(a, b, f"{where}[{place}]")
        ]
    if isinstance(one, float) and isinstance(other, float):
        return [] if abs(one - other) < 0.00011 else [(where, one, other)]
    return [] if one == other else [(where, one, other)]


@pytest.mark.parametrize("seed", range(20))
def test_the_verifier_makes_the_same_board_with_code_of_its_own(seed):
    rng = random.Random(seed)
    n_votes = rng.choice([1, 3, 6, 12, 30, 120])
    rows = random_rows(rng, n_votes=n_votes, tie=rng.choice([0.0, 0.5, 2.0]))
    told = board(rows)
    told.pop("uncertainty")
    assert differences(told, board_of("probe", ENTRIES, rows)) == []


def test_a_board_counts_wins_ties_and_both_bad_by_system():
    told = board([row("a", "b", "left"), row("b", "a", "left"), row("b", "a", "tie"), row("a", "b", "both_bad")])
    assert told["verdicts"] == {"left": 2, "right": 0, "tie": 1, "both_bad": 1}
    assert system(told, "a") | {"strength": 0.0} == {
        "key": "a", "rank": 1, "team": "Team a", "bot": "Bot a", "strength": 0.0, "controlled": 0.0, "n_votes": 4,
        "n_won": 1, "n_lost": 1, "n_ties": 1, "n_both_bad": 1,
    }  # fmt: skip
    assert told["matrix"] == [{"first": "a", "second": "b", "n_first": 1, "n_second": 1, "n_ties": 1, "n_both_bad": 1}]
    assert system(told, "b")["rank"] == 1
    assert system(told, "c")["reason"] == "no votes"


def test_without_a_vote_nobody_has_a_rank():
    told = board([])
    assert told["model"]["problem"] == "no votes"
    assert {one["rank"] for one in told["systems"]} == {None}
    assert told["uncertainty"] is None


def test_systems_that_no_vote_connects_have_no_strength():
    told = board([row("a", "b", "left"), row("b", "a", "left"), row("c", "d", "left"), row("d", "c", "left")])
    assert told["model"] == {
        "tie": None,
        "penalty": None,
        "problem": "not connected",
        "groups": [["a", "b"], ["c", "d"]],
    }
    assert system(told, "a")["reason"] == "not connected"


def test_a_system_that_lost_nothing_is_held_by_a_penalty_that_the_board_names():
    told = board([row("a", "b", "left"), row("b", "c", "left"), row("c", "b", "left"), row("b", "d", "tie")])
    assert told["model"]["penalty"] == 0.01
    assert told["model"]["problem"] == "one-sided"
    assert told["model"]["groups"] == [["a"], ["b", "c", "d"]]
    assert told["uncertainty"] is None
    assert system(told, "a")["rank"] == 1


def test_imported_votes_count_without_texts_and_not_for_control():
    nothing = {f"{side}_{name}": None for side in ("left", "right") for name in ("characters", "marks", "dialogue")}
    rows = [
        row("a", "b", verdict, origin="imported", external_id=f"q{number}", number=number, **nothing)
        for number, verdict in enumerate(["left", "right", "left", "tie"])
    ]
    told = board(rows)
    assert (told["n_imported"], told["n_scenarios"]) == (4, 4)
    assert told["control"]["problem"] == "no votes"
    assert system(told, "a")["strength"] > 0


def test_a_covariate_in_which_no_two_sides_differ_is_left_out():
    rows = [one | {"left_marks": 2, "right_marks": 2} for one in random_rows(random.Random(5), n_votes=150)]
    control = board(rows)["control"]
    assert control["problem"] is None
    assert list(control["coefficients"]) == ["characters"]


def test_agreement_is_of_votes_on_the_same_two_dialogues_whatever_their_sides():
    """Two judges alike and one pair apart, by hand: coincidences of left 2 and 1, right 1: alpha = 1 − 3·1·2 / (16 − 10)."""
    rows = [
        row("a", "b", "left", judge="j1"), row("b", "a", "right", judge="j2", number=1),
        row("a", "b", "left", judge="j1", scenario="s2", number=2), row("a", "b", "right", judge="j2", scenario="s2", number=3),
    ]  # fmt: skip
    told = board(rows)["agreement"]
    assert told == {"alpha": 0.0, "n_shared": 2}


def test_intervals_are_the_same_each_time_and_hold_the_strengths():
    rows = random_rows(random.Random(3), n_votes=200)
    one, again = board(rows), board(rows)
    assert one == again
    sure = one["uncertainty"]
    for system_row in one["systems"]:
        low, high = sure["strengths"][system_row["key"]]
        assert low < system_row["strength"] < high
    assert len(sure["differences"]) == 6
    assert [vote["share"] for vote in sure["plan"]["votes"]] == [0.55, 0.6, 0.7]
    counts = [vote["n"] for vote in sure["plan"]["votes"]]
    assert counts == sorted(counts, reverse=True)
