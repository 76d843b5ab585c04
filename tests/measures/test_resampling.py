import numpy as np
import pytest

from measures.resampling import intervals, p_values


def mean(total):
    return {"mean": float(total[0] / total[1])}


def sums_of(values):
    return np.array([[value, 1.0] for value in values])


def test_the_interval_of_equal_items_is_a_point():
    assert intervals(sums_of([0.5] * 20), mean)["mean"] == (pytest.approx(0.5), pytest.approx(0.5))


def test_the_interval_holds_the_mean_and_is_as_wide_as_theory_says():
    values = np.random.default_rng(1).normal(10, 2, 400)
    low, high = intervals(sums_of(values), mean)["mean"]
    assert low < values.mean() < high
    # ±1.96 · 2/√400
    assert high - low == pytest.approx(2 * 1.96 * 0.1, rel=0.15)


def test_intervals_are_the_same_every_time():
    values = sums_of(range(30))
    assert intervals(values, mean) == intervals(values, mean)
    assert intervals(values, mean, seed=1) != intervals(values, mean, seed=2)


def test_a_figure_that_is_undefined_in_a_resample_has_no_interval():
    def share(total):
        return {"share": float(total[0] / total[1]) if total[1] else None, "n": float(total[1])}

    few = np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
    assert set(intervals(few, share)) == {"n"}


def test_the_same_run_differs_from_itself_by_nothing():
    values = sums_of(range(30))
    assert p_values(values, values, mean) == {"mean": 1.0}


def test_a_clear_difference_is_significant_and_noise_is_not():
    rng = np.random.default_rng(2)
    ours = rng.normal(0, 1, 200)
    assert p_values(sums_of(ours + 1), sums_of(ours), mean)["mean"] < 0.002
    assert p_values(sums_of(rng.normal(0, 1, 200)), sums_of(ours), mean)["mean"] > 0.05


def test_the_p_value_of_a_tiny_case_is_the_exact_one():
    # Five items, each one better by the same: only the two swaps of none and of all give as large a difference, 2/32.
    ours, theirs = sums_of([2, 3, 4, 5, 6]), sums_of([1, 2, 3, 4, 5])
    assert p_values(ours, theirs, mean, n_resamples=20_000)["mean"] == pytest.approx(2 / 32, abs=0.01)


def test_runs_over_other_items_cannot_be_paired():
    with pytest.raises(ValueError, match="cannot be paired"):
        p_values(sums_of([1, 2]), sums_of([1]), mean)
