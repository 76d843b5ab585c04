"""Statistics of sums per row and scenario, in an order that a reader of a bundle can give, too."""

import numpy as np

from leaderboards.cell_statistics import bundled_statistics, table_of
from measures.live import LiveSums
from measures.ranking import RankingKey

COMPLETION, FLUENCY = RankingKey("completion", "higher"), RankingKey("fluency", "higher")
CELLS = {
    ("b", "s2"): LiveSums(2, 1, 9, {"fluency": (2, 3)}),
    ("a", "s1"): LiveSums(1, 1, 4, {"fluency": (1, 1)}),
    ("b", "s1"): LiveSums(1, 0, 7),
    ("a", "s2"): LiveSums(2, 2, 6, {"fluency": (2, 4)}),
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
