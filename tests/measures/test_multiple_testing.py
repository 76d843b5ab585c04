"""Holm's adjustment, worked out by hand."""

import pytest

from measures.multiple_testing import holm


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
