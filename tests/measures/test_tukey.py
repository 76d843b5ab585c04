"""The randomised Tukey HSD: exact cases, the classical test beside it, and its family-wise error by simulation."""

from itertools import permutations, product

import numpy as np
import pytest
import statsmodels.formula.api as smf
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas import DataFrame
from scipy.stats import studentized_range

from measures.resampling import p_values
from measures.tukey import randomised_tukey_hsd, randomised_tukey_hsd_of_sums, randomised_tukey_hsd_of_tables

NAN = np.nan


def exact_p_values(scores):
    """Every shuffle of every topic, one by one."""
    means = scores.mean(axis=1)
    seen = abs(means[:, None] - means)
    shuffles = [np.mean(shuffle, axis=0) for shuffle in product(*(permutations(topic) for topic in scores.T))]
    largest = np.array([np.ptp(shuffle) for shuffle in shuffles])
    return (largest[:, None, None] >= seen - 1e-12).mean(axis=0)


def test_p_values_of_a_tiny_case_are_the_exact_ones():
    scores = np.array([[1.0, 2, 3, 4], [1, 3, 3, 5], [4, 5, 5, 9]])
    found = randomised_tukey_hsd(scores, n_permutations=20_000)
    np.testing.assert_allclose(found.p_values, exact_p_values(scores), atol=0.01)
    np.testing.assert_allclose(found.differences, [[0, -0.5, -3.25], [0.5, 0, -2.75], [3.25, 2.75, 0]])


def test_two_systems_are_the_paired_randomization_test():
    ours, theirs = np.random.default_rng(2).normal(0.3, 1, (2, 25)) * [[1], [0.5]]
    paired = p_values(
        *(np.stack([row, np.ones(25)], axis=1) for row in (ours, theirs)), lambda total: {"sum": total[0]}
    )
    found = randomised_tukey_hsd(np.stack([ours, theirs]), n_permutations=4000)
    assert found.p_values[0, 1] == pytest.approx(paired["sum"], abs=0.04)


def two_way(scores):
    """Residual mean square and its degrees of freedom from statsmodels."""
    cells = [(i, j, x) for (i, j), x in np.ndenumerate(scores) if not np.isnan(x)]
    fit = smf.ols("score ~ C(system) + C(topic)", DataFrame(cells, columns=["system", "topic", "score"])).fit()
    return fit.mse_resid, fit.df_resid


def test_normal_scores_give_the_p_values_of_tukeys_own_test():
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(4, 60)) + rng.normal(0, 2, 60) + np.array([[0], [0.1], [0.35], [0.5]])
    found = randomised_tukey_hsd(scores)
    residual, n_free = two_way(scores)
    classical = studentized_range.sf(abs(found.differences) / np.sqrt(residual / 60), 4, n_free)
    np.testing.assert_allclose(found.p_values, classical, atol=0.03)


@pytest.mark.parametrize("share_missing", [0, 0.3])
def test_effect_sizes_are_in_residual_standard_deviations(share_missing):
    rng = np.random.default_rng(4)
    scores = rng.normal(size=(5, 30)) + np.arange(5)[:, None]
    scores[rng.random(scores.shape) < share_missing] = NAN
    found = randomised_tukey_hsd(scores, n_permutations=100)
    np.testing.assert_allclose(found.effect_sizes, found.differences / np.sqrt(two_way(scores)[0]))


def test_systems_that_differ_by_a_constant_leave_no_deviation_to_measure_by():
    scores = np.arange(10.0) + np.array([[0.0], [0.1]])
    assert np.isnan(randomised_tukey_hsd(scores, n_permutations=100).effect_sizes).all()


def test_the_same_seed_gives_the_same_result_and_says_so():
    scores = np.random.default_rng(5).normal(size=(3, 12))
    one, again, other = (randomised_tukey_hsd(scores, n_permutations=150, seed=seed) for seed in (7, 7, 8))
    np.testing.assert_array_equal(one.p_values, again.p_values)
    assert (one.p_values != other.p_values).any()
    assert (one.n_permutations, one.seed) == (150, 7)


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 6), st.integers(1, 12), st.integers(0, 10**6))
def test_p_is_symmetric_falls_with_the_difference_and_is_never_nothing(n_systems, n_topics, seed):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n_systems, n_topics))
    scores[rng.random(scores.shape) < 0.2] = NAN
    scores[:, 0] = rng.normal(size=n_systems)
    found = randomised_tukey_hsd(scores, n_permutations=60, seed=seed)
    np.testing.assert_array_equal(found.p_values, found.p_values.T)
    assert (np.diagonal(found.p_values) == 1).all()
    assert (found.p_values >= 1 / 61).all()
    by_difference = found.p_values.ravel()[np.argsort(abs(found.differences).ravel())]
    assert (np.diff(by_difference) <= 0).all()
    np.testing.assert_array_equal(found.differences, -found.differences.T)


def test_a_topic_that_a_system_lacks_is_shuffled_among_the_others():
    # The third system has one topic alone, so it changes nothing on the topics of the other two.
    pair = np.random.default_rng(6).normal(size=(2, 15))
    with_third = np.full((3, 16), NAN)
    with_third[:2, :15] = pair
    with_third[2, 15] = 0.0
    alone = randomised_tukey_hsd(pair, n_permutations=4000)
    beside = randomised_tukey_hsd(with_third, n_permutations=4000)
    assert beside.differences[0, 1] == pytest.approx(alone.differences[0, 1])
    assert beside.p_values[0, 1] >= alone.p_values[0, 1] - 0.03


@pytest.mark.parametrize("scores", [np.ones((1, 3)), np.array([[1.0, 2], [NAN, NAN]]), np.empty((0, 0))])
def test_fewer_than_two_systems_with_scores_cannot_be_compared(scores):
    with pytest.raises(ValueError, match="two or more systems"):
        randomised_tukey_hsd(scores)


def test_equal_systems_are_called_different_in_one_family_of_twenty():
    # Five equal systems, topics of their own difficulty, scores of three values: 400 families at 5%. Tests of single
    # pairs would call about one family in four different. The long figures: docs/bench.md.
    rng = np.random.default_rng(7)
    n_wrong = 0
    for seed in range(400):
        scores = np.clip(np.round(rng.normal(size=(5, 20)) + rng.normal(size=20)), -1, 1)
        n_wrong += randomised_tukey_hsd(scores, n_permutations=199, seed=seed).p_values.min() <= 0.05
    # Twenty expected; beyond 2.3 standard deviations either way something is wrong.
    assert 10 <= n_wrong <= 30


def test_a_better_system_is_found_among_equal_ones():
    rng = np.random.default_rng(8)
    scores = rng.normal(size=(6, 100)) + np.array([[1.0], [0], [0], [0], [0], [0]])
    p = randomised_tukey_hsd(scores, n_permutations=1000).p_values
    assert (p[0, 1:] < 0.01).all()
    assert p[1:, 1:][~np.eye(5, dtype=bool)].min() > 0.05


def mean_and_f1(total):
    """Columns: a score, 1 per item; true positives, predicted and expected ones."""
    scores, n, hits, said, wanted = total
    return {"mean": scores / n, "f1": 2 * hits / (said + wanted) if said + wanted else None}


def sums_of_runs(rng, n_items, n_runs):
    scores = rng.normal(size=(n_items, n_runs))
    said, wanted = rng.integers(0, 4, (2, n_items, n_runs))
    wanted[:] = wanted[:, :1]
    hits = np.minimum(said, wanted) * rng.integers(0, 2, (n_items, n_runs))
    return np.stack([scores, np.ones_like(scores), hits, said, wanted], axis=2).astype(float)


@pytest.mark.parametrize(("n_items", "n_runs"), [(12, 3), (7, 5)])
def test_of_a_mean_over_items_the_test_of_sums_is_the_test_of_the_scores(n_items, n_runs):
    sums = sums_of_runs(np.random.default_rng(4), n_items, n_runs)
    table = sums[:, :, 0].T
    plain = randomised_tukey_hsd(table, n_permutations=250, seed=6)
    found = randomised_tukey_hsd_of_sums(sums, mean_and_f1, ["mean", "f1"], n_permutations=250, seed=6)
    np.testing.assert_allclose(found["mean"].differences, plain.differences)
    np.testing.assert_array_equal(found["mean"].p_values, plain.p_values)
    assert np.isnan(found["f1"].effect_sizes).all()


def test_a_figure_that_is_no_mean_has_the_exact_p_values_of_all_shuffles():
    sums = sums_of_runs(np.random.default_rng(5), 3, 3)
    found = randomised_tukey_hsd_of_sums(sums, mean_and_f1, ["f1"], n_permutations=20_000)
    f1 = np.array([mean_and_f1(total)["f1"] for total in sums.sum(axis=0)])
    largest = np.array(
        [np.ptp([mean_and_f1(total)["f1"] for total in np.sum([item[list(who)] for item, who in zip(sums, made, strict=True)], axis=0)])
         for made in product(permutations(range(3)), repeat=3)]
    )  # fmt: skip
    exact = (largest[:, None, None] >= abs(f1[:, None] - f1) - 1e-12).mean(axis=0)
    np.testing.assert_allclose(found["f1"].p_values, exact, atol=0.01)


def test_many_items_are_shuffled_in_parts_that_fit_into_memory(monkeypatch):
    sums = sums_of_runs(np.random.default_rng(6), 10, 3)
    whole = randomised_tukey_hsd_of_sums(sums, mean_and_f1, ["mean"], n_permutations=60, seed=1)
    monkeypatch.setattr("measures.tukey.CELLS_AT_ONCE", 10 * 3 * 7)
    parts = randomised_tukey_hsd_of_sums(sums, mean_and_f1, ["mean"], n_permutations=60, seed=1)
    np.testing.assert_array_equal(parts["mean"].p_values, whole["mean"].p_values)


def test_a_figure_that_a_run_lacks_is_not_tested():
    sums = sums_of_runs(np.random.default_rng(7), 5, 2)
    sums[:, 1, 2:] = 0
    found = randomised_tukey_hsd_of_sums(sums, mean_and_f1, ["mean", "f1"], n_permutations=20)
    assert set(found) == {"mean"}


def shuffled_p_values(scores, *, n_permutations, seed):
    """The scores themselves shuffled, topics of the same systems together, a hundred shuffles at a time."""
    is_present = ~np.isnan(scores)
    n_topics = is_present.sum(axis=1)
    means = np.where(is_present, scores, 0.0).sum(axis=1) / n_topics
    seen = abs(means[:, None] - means) - 1e-12
    rng, n_as_large = np.random.default_rng(seed), 0
    patterns, pattern_of = np.unique(is_present, axis=1, return_inverse=True)
    for start in range(0, n_permutations, 100):
        sums = np.zeros((min(100, n_permutations - start), len(scores)))
        for number, pattern in enumerate(patterns.T):
            block = scores[np.ix_(pattern, pattern_of == number)].T
            sums[:, pattern] += rng.permuted(np.broadcast_to(block, (len(sums), *block.shape)), axis=-1).sum(axis=1)
        n_as_large = n_as_large + (np.ptp(sums / n_topics, axis=1)[:, None, None] >= seen).sum(axis=0)
    return (n_as_large + 1) / (n_permutations + 1)


@pytest.mark.parametrize("share_missing", [0.0, 0.1])
def test_tables_that_are_shuffled_together_have_the_very_p_values_of_each_alone(share_missing):
    rng = np.random.default_rng(4)
    is_missing = rng.random((5, 30)) < share_missing
    tables = [np.where(is_missing, NAN, rng.integers(0, 7, (5, 30)) / 3) for _ in range(3)]
    shares = []
    together = randomised_tukey_hsd_of_tables(tables, n_permutations=250, seed=9, report_progress=shares.append)
    assert shares == [0.4, 0.8, 1.0]
    for table, found in zip(tables, together, strict=True):
        alone = randomised_tukey_hsd(table, n_permutations=250, seed=9)
        np.testing.assert_array_equal(found.p_values, alone.p_values)
        np.testing.assert_array_equal(found.effect_sizes, alone.effect_sizes)
        np.testing.assert_array_equal(found.p_values, shuffled_p_values(table, n_permutations=250, seed=9))


def test_tables_that_lack_different_cells_are_not_shuffled_together():
    whole, lacking = np.ones((2, 3)), np.array([[1.0, NAN, 1.0], [1.0, 1.0, 1.0]])
    with pytest.raises(ValueError, match="lack different cells"):
        randomised_tukey_hsd_of_tables([whole, lacking], n_permutations=10)
