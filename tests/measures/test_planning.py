import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_1samp
from statsmodels.stats.power import TTestPower

from measures.board_statistics import Plan, n_for, plan, power_of


def test_the_sizes_of_published_examples():
    # Dalgaard, Introductory Statistics with R, "One-sample problems and paired tests": difference 10, deviation 10√2, power 85%: n = 19.97.
    assert n_for(10 / (10 * 2**0.5), power=0.85) == 20
    # UCLA OARC, "Power analysis for paired sample t-test" with G*Power: difference 5, deviation 5, power 80%: 10.
    assert n_for(5 / 5, power=0.8) == 10


@settings(deadline=None)
@given(st.floats(0.05, 3), st.integers(2, 500), st.sampled_from([0.01, 0.05, 0.1]))
def test_power_is_that_of_the_library(effect, n, significance):
    theirs = TTestPower().power(effect, n, significance)
    assume(not np.isnan(theirs))
    assert power_of(effect, n, significance) == pytest.approx(theirs, abs=1e-9)


@settings(deadline=None)
@given(st.floats(0.02, 5), st.sampled_from([0.5, 0.8, 0.9, 0.99]))
def test_one_scenario_fewer_would_not_be_enough(effect, power):
    n = n_for(effect, power)
    assert power_of(effect, n) >= power
    assert n == 2 or power_of(effect, n - 1) < power


def test_a_plan_says_how_many_scenarios_are_missing():
    # Mean 1, deviation 2 over 8 scenarios: d_z = 1/2, and 44 give 90% (G*Power, and the library: 43.995).
    seen = np.array([1, -1, 1, -1, 1, -1, 1, -1]) * 2 * np.sqrt(7 / 8) + 1
    found = plan(seen)
    assert (found.n_now, found.n_needed, found.n_more) == (8, 44, 36)
    assert found.power == pytest.approx(TTestPower().power(0.5, 8, 0.05))
    assert plan(-seen) == found
    assert plan(seen, power=0.8).n_needed == 34
    assert plan(seen, significance=0.005).n_needed > 44


def test_bots_that_are_apart_already_need_no_more():
    assert plan([3, 4, 5, 4, 3, 4, 5, 4.0]).n_more == 0


@pytest.mark.parametrize(("effect", "n"), [(3, 145), (10, 18), (40, 5), (1000, 100_000)])
def test_a_large_difference_over_many_scenarios_is_found_for_sure(effect, n):
    assert power_of(effect, n) == pytest.approx(1)


def test_a_difference_too_small_to_ever_show_has_no_number():
    assert plan([1.0, -1.0]) == Plan(2, pytest.approx(0.05), None)
    assert plan([1.0, -1.0]).n_more is None
    # (1.95996 + 1.28155)² = 10.5074 over the square of the effect: 105,074 and 97,147.
    assert n_for(0.01) is None
    assert n_for(0.0104) == pytest.approx(97_147, abs=5)


@pytest.mark.parametrize("few", [[], [1.0], [0.5, 0.5, 0.5]])
def test_a_pilot_that_does_not_vary_plans_nothing(few):
    assert plan(few) is None


@pytest.mark.parametrize("effect", [50, 1e4, 1e8])
def test_a_huge_effect_shows_at_once(effect):
    assert power_of(effect, 30) == pytest.approx(1)
    assert n_for(effect) == 2


def test_the_planned_number_separates_as_often_as_planned():
    rng = np.random.default_rng(1)
    n = n_for(0.6, power=0.9)
    tests = ttest_1samp(rng.normal(0.6, 1, (4000, n)), 0, axis=1)
    assert (tests.pvalue < 0.05).mean() == pytest.approx(0.9, abs=0.02)
