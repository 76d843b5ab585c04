"""Statistics of sums per row and scenario, in an order that a reader of a bundle can give, too."""

from fractions import Fraction

import numpy as np

from measures.cell_statistics import bundled_statistics, table_of
from measures.live import AlikeSums, LiveSums
from measures.ranking import RankingKey

COMPLETION, FLUENCY = RankingKey("completion", "higher"), RankingKey("fluency", "higher")
THIRD = Fraction(1, 3)
# All records weigh the same.
CELLS = {
    ("b", "s2"): LiveSums({THIRD: AlikeSums(2, 1, 9, {"fluency": (2, 3)})}),
    ("a", "s1"): LiveSums({THIRD: AlikeSums(1, 1, 4, {"fluency": (1, 1)})}),
    ("b", "s1"): LiveSums({THIRD: AlikeSums(1, 0, 7)}),
    ("a", "s2"): LiveSums({THIRD: AlikeSums(2, 2, 6, {"fluency": (2, 4)})}),
}


def test_a_table_has_sums_and_numbers_by_scenario_and_row():
    table = table_of(CELLS, ["b", "a"], ["completion", "mean_turns", "fluency"])
    np.testing.assert_array_equal(
        table,
        [[[[0, 1], [7, 1], [0, 0]], [[1, 1], [4, 1], [1, 1]]], [[[1, 2], [9, 2], [3, 2]], [[2, 2], [6, 2], [4, 2]]]],
    )


def test_the_order_in_which_sums_come_changes_nothing():
    one = bundled_statistics(CELLS, [COMPLETION, FLUENCY], [COMPLETION])
    other = bundled_statistics(dict(reversed(CELLS.items())), [COMPLETION, FLUENCY], [COMPLETION])
    assert one == other
    assert (list(one["rows"]), one["n_scenarios"], one["numpy"]) == (["a", "b"], 2, np.__version__)
    assert [(pair["one"], pair["other"]) for pair in one["pairs"]] == [("a", "b")]


def test_weights_become_whole_multiples_of_one_unit():
    """By hand: in sixths, two records of a third weigh 4 and one of a half 3; their completions are 1 and 0."""
    cells = {
        ("a", "s"): LiveSums({THIRD: AlikeSums(2, 1, 9), Fraction(1, 2): AlikeSums(1, 0, 5)}),
        ("b", "s"): LiveSums({Fraction(1): AlikeSums(1, 1, 4)}),
    }
    np.testing.assert_array_equal(
        table_of(cells, ["a", "b"], ["completion", "mean_turns"]), [[[[2, 7], [33, 7]], [[6, 6], [24, 6]]]]
    )
