"""Completion and turns as SMP2018-ECDT Task 2 defines them; every wrong reading that was thought of fails here."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from measures.live import (
    LiveFigures,
    LiveSums,
    Record,
    SubtaskOutcome,
    charged_turns,
    completion,
    figures_of,
    mean,
    record_of,
    weight_in,
)
from tests.measures.figures_by_record import live_figures


def outcome(is_finished: bool, turns: int, cap: int = 20) -> SubtaskOutcome:
    return SubtaskOutcome("flight", is_finished, turns, cap)


def record(*subtasks: SubtaskOutcome, **ratings: float | None) -> Record:
    return Record("team", "bot", "case", "reviewer", subtasks, ratings)


def test_a_finished_subtask_counts_its_own_turns():
    assert charged_turns([outcome(True, 7)]) == 7


def test_an_unfinished_subtask_counts_as_the_cap_whatever_was_spent():
    assert charged_turns([outcome(False, 3)]) == 20


def test_a_finished_subtask_inside_an_unfinished_case_counts_its_own_turns():
    assert charged_turns([outcome(True, 7), outcome(False, 3)]) == 27


def test_each_subtask_of_a_composite_has_its_own_cap():
    assert charged_turns([outcome(False, 1), outcome(False, 1), outcome(False, 1)]) == 60


def test_one_cap_for_the_dialogue_charges_an_unfinished_dialogue_that_cap():
    assert charged_turns([outcome(True, 4), outcome(False, 2)], dialogue_cap=30) == 30
    assert charged_turns([outcome(True, 4), outcome(True, 2)], dialogue_cap=30) == 6


@pytest.mark.parametrize(
    ("finished", "expected"),
    [((True,), 1), ((False,), 0), ((True, True), 1), ((True, False), 0), ((False, True, True), 0)],
)
def test_completion_needs_every_subtask(finished, expected):
    assert completion([outcome(flag, 5) for flag in finished]) == expected


def test_completion_of_no_subtasks_is_no_completion():
    assert completion([]) == 0


def test_a_missing_score_is_left_out_of_the_mean_not_counted_as_zero():
    assert mean([2, None, 1]) == 1.5
    assert mean([None]) is None


def test_figures_are_means_over_records():
    records = [
        record(outcome(True, 4), satisfaction=2, fluency=None),
        record(outcome(True, 6), outcome(False, 1), satisfaction=-1, fluency=1),
    ]
    figures = live_figures(records, ["satisfaction", "fluency", "guidance"])
    assert figures.n_records == 2
    assert figures.completion == 0.5
    assert figures.mean_turns == (4 + 26) / 2
    assert figures.ratings == {"satisfaction": 0.5, "fluency": 1, "guidance": None}


def test_no_records_give_no_figures():
    figures = live_figures([], ["satisfaction"])
    assert (figures.n_records, figures.completion, figures.mean_turns) == (0, None, None)


def test_the_highest_possible_mean_of_turns_is_that_of_the_paper():
    """21 cases with 36 subtasks at a cap of 20: 720/21 = 34.29 (Table A2, last ranks)."""
    cases = [1] * 9 + [2] * 9 + [3] * 3
    records = [record(*[outcome(False, 0)] * n) for n in cases]
    assert round(live_figures(records, []).mean_turns, 2) == 34.29


def test_sums_give_the_figures_of_the_records_that_were_added():
    """By hand: C = 1/2, T = (3 + 20) / 2, Sa = (2 − 1) / 2, F is the one score there is, G nobody scored."""
    done = Record("t", "b", "s", "r1", (SubtaskOutcome("flight", True, 3, 20),), {"satisfaction": 2, "fluency": 1})
    left = Record("t", "b", "s", "r2", (SubtaskOutcome("flight", False, 3, 20),), {"satisfaction": -1, "fluency": None})
    criteria = ["satisfaction", "fluency", "guidance"]
    sums = LiveSums()
    for record in (done, left):
        sums.add_record(record, criteria)
    expected = LiveFigures(2, 0.5, 11.5, {"satisfaction": 0.5, "fluency": 1.0, "guidance": None})
    assert sums.figures(criteria) == live_figures([done, left], criteria) == expected


def test_a_dialogue_scored_by_one_weighs_as_much_as_one_scored_by_three():
    """By hand: C = (2/3 + 0)/2, T = (4 + 20)/2, Sa = (1 + (−1))/2; the fluency that one of three gave has a third's weight."""
    scored = [(True, 2, None), (True, 1, 1), (False, 0, None)]
    third, whole = Fraction(1, 3), SubtaskOutcome("flight", True, 4, 4)
    records = [
        Record("t", "b", "s", str(number), (replace(whole, is_finished=done),), {"satisfaction": sa, "fluency": f}, weight=third)
        for number, (done, sa, f) in enumerate(scored)
    ]  # fmt: skip
    records.append(Record("t", "b", "s2", "r", (outcome(False, 3),), {"satisfaction": -1, "fluency": 0}))
    criteria, sums = ["satisfaction", "fluency"], LiveSums()
    for one in records:
        sums.add_record(one, criteria)
    expected = LiveFigures(4, 1 / 3, 12.0, {"satisfaction": 0.0, "fluency": 0.25})
    assert sums.figures(criteria) == live_figures(records, criteria) == expected
    assert (sums.weight, sums.n_scored("fluency")) == (2, 2)


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_where_all_panels_are_equally_large_the_mean_is_the_plain_one_to_its_last_digit(n):
    scores = [2, -1, 0, 1, 2, 2, -2, 1, 0, 0, 1, -1, 2, 1]
    sums = LiveSums()
    for number, score in enumerate(scores):
        sums.add_record(
            Record("t", "b", str(number // n), str(number), (), {"satisfaction": score}, weight=Fraction(1, n)), ["satisfaction"]
        )  # fmt: skip
    assert sums.figures(["satisfaction"]).ratings["satisfaction"] == sum(scores) / len(scores)


def test_sums_of_nothing_give_no_figures():
    assert LiveSums().figures(["satisfaction"]) == LiveFigures(0, None, None, {"satisfaction": None})


LINE = {"team": "T", "scenario": "s", "reviewer": "r", "subtasks": [{"completed": True, "turns": 2, "cap": 5}]}


def test_a_line_is_a_record_whose_bot_is_called_as_its_team_where_it_names_none():
    assert record_of(LINE) == Record("T", "T", "s", "r", (SubtaskOutcome("", True, 2, 5),))
    assert record_of(LINE | {"bot": "b", "dialogue_cap": 9}).bot == "b"


@pytest.mark.parametrize(
    ("given", "figure"),
    [
        (2, 2),
        (None, None),
        ({"@1.bot": 0, "@2.bot": 1}, 0.5),
        ({}, {}),
        ({"a": "x"}, {"a": "x"}),
        ({"a": None, "b": 1}, 1),
    ],
)
def test_scores_by_place_count_with_their_mean(given, figure):
    assert figures_of({"c": given}) == {"c": figure}


@pytest.mark.parametrize(
    ("weight", "share"), [(1 / 3, Fraction(1, 3)), (0.75, Fraction(3, 4)), (100 / 101, Fraction(100, 101)), (1, 1)]
)
def test_a_weight_is_the_share_that_its_decimals_stand_for(weight, share):
    assert weight_in({"weight": weight}) == share


@pytest.mark.parametrize("weight", ["1/3", "1e100000000", True, 0, -0.5, 0.0001, 1.5, [1]])
def test_a_weight_that_no_record_can_have_is_refused(weight):
    """In a bundle that somebody changed; a file of records is read more strictly before."""
    with pytest.raises(ValueError, match=r"a weight is a number from 0\.001 to 1"):
        weight_in({"weight": weight})


def test_sums_of_ever_more_different_weights_stay_short():
    """The least common multiple of 1…1000 has 1,438 bits; with denominators up to a million it would have tens of thousands."""
    sums, rng = LiveSums(), random.Random(1)
    for number in range(3000):
        content = LINE | {"reviewer": str(number), "weight": rng.uniform(0.001, 1)}
        sums.add_record(record_of(content), [])
    assert sums.weight.denominator.bit_length() < 1_500
