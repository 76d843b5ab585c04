import random
from fractions import Fraction

import pytest

from measures.live import LiveSums, Record, SubtaskOutcome, figures_of, record_of, weight_in

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
