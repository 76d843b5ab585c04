"""Systems compared scenario by scenario, beside scipy on random data and one table of the literature."""

import numpy as np
import pytest
from scipy import stats

from measures.scenario_ranks import (
    chi_square_tail,
    critical_difference,
    friedman,
    groups,
    mean_ranks,
    ranks_with_ties,
    studentized_range,
)


@pytest.mark.parametrize("seed", range(20))
def test_mean_ranks_and_the_test_of_friedman_are_those_of_scipy(seed):
    rng = np.random.default_rng(seed)
    n_systems, n_scenarios = int(rng.integers(3, 12)), int(rng.integers(2, 60))
    places = rng.integers(0, 5, (n_scenarios, n_systems)).tolist()
    expected = np.mean([stats.rankdata(row) for row in places], axis=0)
    assert mean_ranks(places) == pytest.approx(expected.tolist())
    found, theirs = friedman(places), stats.friedmanchisquare(*zip(*places, strict=True))
    assert (found.statistic, found.p) == pytest.approx((theirs.statistic, theirs.pvalue), abs=1e-10)


@pytest.mark.parametrize("n_free", range(1, 21))
def test_the_tail_of_chi_square_is_that_of_scipy(n_free):
    for value in (0.0, 0.3, 4.0, 17.5, 80.0):
        assert chi_square_tail(value, n_free) == pytest.approx(stats.chi2.sf(value, n_free), abs=1e-12)


@pytest.mark.parametrize("n_means", [2, 3, 5, 10, 20, 50])
def test_quantiles_of_the_range_are_those_of_scipy(n_means):
    assert studentized_range(n_means) == pytest.approx(stats.studentized_range.ppf(0.95, n_means, np.inf), abs=1e-5)


def test_the_critical_difference_is_that_of_the_literature():
    """Demšar 2006, §3.2.2: four classifiers on fourteen data sets, q = 2.569, CD = 1.25."""
    assert studentized_range(4) / 2**0.5 == pytest.approx(2.569, abs=5e-4)
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=5e-3)


def test_equal_systems_share_the_mean_of_their_ranks():
    assert ranks_with_ties([3, 1, 3, 2]) == [3.5, 1, 3.5, 2]


def test_systems_that_tie_everywhere_or_are_two_have_no_test():
    assert friedman([[1, 1, 1], [2, 2, 2]]) is None
    assert friedman([[1, 2], [2, 1]]) is None


def test_groups_are_the_longest_runs_within_the_difference():
    """By hand: 1.0–1.8 and 1.8–2.6 lie within 0.9; 4.0 stands alone."""
    assert groups([1.0, 1.2, 1.8, 2.6, 4.0], 0.9) == [(0, 2), (2, 3)]
    assert groups([1.0, 3.0], 0.5) == []
