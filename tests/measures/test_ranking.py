"""Holm's adjustment, worked out by hand."""

import itertools
import random

import pytest

from measures.multiple_testing import holm
from measures.ranking import RankingKey, rank

FIGURES = ("completion", "mean_turns", "satisfaction", "fluency", "guidance")
# Zhao et al. 2019: only fewer turns are better.
SMP2018_RULE = tuple(RankingKey(name, "lower" if name == "mean_turns" else "higher") for name in FIGURES)


def row(*values: float | None) -> dict[str, float | None]:
    return dict(zip(FIGURES, values, strict=True))


def ranks(rows: dict[str, dict[str, float | None]]) -> dict[str, int]:
    return {place.name: place.rank for place in rank(rows, SMP2018_RULE)}


def test_completion_comes_before_turns_and_fewer_turns_are_better():
    rows = {"fast": row(0.3, 10, 2, 1, 1), "complete": row(0.4, 30, -2, -1, 0), "slow": row(0.3, 20, 2, 1, 1)}
    assert ranks(rows) == {"complete": 1, "fast": 2, "slow": 3}


@pytest.mark.parametrize("figure", range(2, 5))
def test_each_further_key_decides_where_those_before_are_equal(figure):
    better, worse = [0.5, 10.0, 0.0, 0.0, 0.0], [0.5, 10.0, 0.0, 0.0, 0.0]
    better[figure] = 1.0
    for later in range(figure + 1, 5):
        worse[later] = 1.0
    assert ranks({"worse": row(*worse), "better": row(*better)}) == {"better": 1, "worse": 2}


def test_equal_rows_share_a_rank_and_the_next_one_is_skipped():
    rows = {"z": row(0.5, 10, 1, 1, 1), "a": row(0.5, 10, 1, 1, 1), "m": row(0.1, 10, 1, 1, 1)}
    assert ranks(rows) == {"a": 1, "z": 1, "m": 3}


def test_a_name_never_breaks_a_tie():
    for names in itertools.permutations("abc"):
        assert set(ranks({name: row(0.5, 10, 1, 1, 1) for name in names}).values()) == {1}


def test_a_missing_figure_stands_behind_every_present_one_in_either_direction():
    rows = {"missing": row(0.5, None, 2, 1, 1), "worst": row(0.5, 1000, -2, -1, 0)}
    assert ranks(rows) == {"worst": 1, "missing": 2}
    rows = {"missing": row(0.5, 10, None, 1, 1), "lowest": row(0.5, 10, -2, -1, 0)}
    assert ranks(rows) == {"lowest": 1, "missing": 2}


def test_the_order_of_the_rows_changes_nothing():
    rng = random.Random(3)
    rows = {str(i): row(*(rng.choice([0.0, 0.5, None]) for _ in FIGURES)) for i in range(30)}
    wanted = ranks(rows)
    for _ in range(5):
        shuffled = dict(rng.sample(list(rows.items()), len(rows)))
        assert ranks(shuffled) == wanted


def test_means_that_differ_only_by_the_order_of_summation_tie():
    assert ranks({"a": row(0.1 + 0.2, 10, 1, 1, 1), "b": row(0.3, 10, 1, 1, 1)}) == {"a": 1, "b": 1}


def test_a_rule_of_ones_own_is_followed():
    rule = (RankingKey("mean_turns", "higher"),)
    assert [place.name for place in rank({"a": {"mean_turns": 1.0}, "b": {"mean_turns": 2.0}}, rule)] == ["b", "a"]


def test_the_smallest_counts_for_all_and_none_falls_below_the_one_before():
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == {
        "a": pytest.approx(0.03),
        "c": pytest.approx(0.06),
        "b": pytest.approx(0.06),
    }


def test_no_adjusted_value_is_over_one_and_nothing_stays_nothing():
    assert holm({"a": 0.6, "b": 0.7}) == {"a": 1.0, "b": 1.0}
    assert holm({}) == {}


def test_one_comparison_needs_no_adjustment():
    assert holm({"a": 0.04}) == {"a": 0.04}
