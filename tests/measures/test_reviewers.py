import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from measures.reviewers import (
    deviations_from_others,
    drift,
    longest_run,
    pace_s,
    severities,
    spreads,
    straight_share,
    without_severity,
)

NAN = np.nan
ratings = arrays(
    float, st.tuples(st.integers(2, 5), st.integers(1, 8)), elements=st.sampled_from([NAN, 1.0, 2.0, 3.0, 5.0])
)


def test_severity_is_how_far_below_the_panel_a_reviewer_rates():
    # The strict one is 1 below the middle, the kind one 1 above, whatever the item.
    assert severities(np.array([[1.0, 2, 4], [3, 4, 6], [2, 3, 5]])) == pytest.approx([1, -1, 0])


def test_severity_is_not_the_fault_of_hard_items_or_harsh_neighbours():
    # Planted: 1, 0, −1; each item is seen by two only, and the strict reviewer gets the good items.
    table = np.array([[8.0, 7, NAN, NAN], [9, NAN, 2, NAN], [NAN, 9, 3, 1]])
    assert severities(table) == pytest.approx([1, 0, -1])
    assert np.nanargmax(np.nanmean(table, axis=1)) == 0


def test_a_reviewer_who_shares_no_item_has_no_severity():
    assert severities(np.array([[1, 2, NAN], [2, 3, NAN], [NAN, NAN, 4.0]])) == [
        pytest.approx(0.5),
        pytest.approx(-0.5),
        None,
    ]


def test_planted_severities_are_found_among_noise_and_gaps():
    rng = np.random.default_rng(5)
    planted = np.array([0.6, 0.0, -0.2, -0.4])
    table = rng.normal(3, 1, 500) - planted[:, None] + rng.normal(0, 0.3, (4, 500))
    table[rng.random(table.shape) < 0.4] = NAN
    assert severities(table) == pytest.approx(planted, abs=0.06)


@settings(deadline=None)
@given(ratings, st.floats(-2, 2))
def test_rating_lower_by_so_many_points_is_so_much_more_severe(table, points):
    assume(abs(points) > 0.01 and None not in severities(table))
    harsher = table.copy()
    harsher[0] -= points
    change = np.array(severities(harsher)) - np.array(severities(table))
    # The severities of linked reviewers are centred, so the change is shared out among them; the unlinked stay.
    n_others = (abs(change[1:]) > 1e-8).sum()
    assert n_others >= 1
    assert change[0] == pytest.approx(points * n_others / (1 + n_others), abs=1e-8)
    assert change[0] - change[1:][abs(change[1:]) > 1e-8] == pytest.approx(points, abs=1e-8)


def test_without_severity_an_item_is_worth_the_same_from_any_reviewer():
    table = np.array([[1.0, NAN, 4], [3, 4, NAN], [2, 3, 5]])
    fair = without_severity(table)
    np.testing.assert_allclose(fair, [[2, NAN, 5], [2, 3, NAN], [2, 3, 5]])


@settings(deadline=None)
@given(ratings)
def test_after_the_adjustment_nobody_is_severe(table):
    left = [severity for severity in severities(without_severity(table)) if severity is not None]
    assert left == pytest.approx([0] * len(left), abs=1e-8)


def test_spread_is_the_standard_deviation_of_the_own_ratings():
    table = np.array([[1, 3, NAN], [2, 2, 2], [4, NAN, NAN], [NAN] * 3])
    assert spreads(table) == [pytest.approx(2**0.5), 0, None, None]


def test_pace_is_the_median_gap_at_work():
    # Gaps 60, 90, a lunch, 120.
    assert pace_s([0, 60, 150, 4000, 4120]) == 90
    assert pace_s([4120, 0, 150, 60, 4000]) == 90
    assert pace_s([0, 60, 150, 4000, 4120], pause_s=70) == 60


@pytest.mark.parametrize("times", [[], [5.0], [0.0, 2000.0]])
def test_who_has_not_worked_twice_in_a_row_has_no_pace(times):
    assert pace_s(times) is None


def test_deviations_are_from_what_the_others_would_have_given_without_their_severity():
    # Severities 1, −1, 0, and the last item is rated by the first two alone.
    table = np.array([[1.0, 2, 4, 1], [3, 4, 6, 3], [2, 3, 5, NAN]])
    np.testing.assert_allclose(
        deviations_from_others(table), [[-1, -1, -1, -1], [1, 1, 1, 1], [0, 0, 0, NAN]], atol=1e-12
    )
    assert np.isnan(deviations_from_others(np.array([[1, NAN], [NAN, 2.0]]))).all()


def test_drift_is_the_slope_per_hundred_ratings():
    found = drift([0.01 * place for place in range(50)])
    assert (found.n_ratings, found.mean) == (50, pytest.approx(0.245))
    assert (found.per_100, found.low, found.high) == pytest.approx((1, 1, 1))


def test_a_rating_nobody_else_gave_moves_the_clock_on():
    assert drift([0.0, NAN, 0.02, NAN, 0.04]).per_100 == pytest.approx(1)


@pytest.mark.parametrize("few", [[], [1.0, 2.0], [1.0, NAN, 2.0]])
def test_two_deviations_are_no_drift(few):
    assert drift(few) is None


@settings(deadline=None)
@given(st.lists(st.floats(-3, 3), min_size=4, max_size=20), st.sets(st.integers(0, 19), max_size=4))
def test_drift_and_its_interval_are_those_of_a_second_implementation(deviations, gaps):
    given = np.array([NAN if place in gaps else value for place, value in enumerate(deviations)])
    assume((~np.isnan(given)).sum() >= 3)
    found = drift(given)
    places = np.arange(len(given))
    fit = sm.OLS(given, sm.add_constant(places), missing="drop").fit()
    assert found.per_100 == pytest.approx(100 * fit.params[1], abs=1e-8)
    assert (found.low, found.high) == pytest.approx(tuple(100 * fit.conf_int()[1]), abs=1e-6)


def test_a_reviewer_who_grows_kinder_is_found_and_steady_ones_fall_behind_by_less():
    rng = np.random.default_rng(8)
    table = rng.normal(3, 1, 200) + rng.normal(0, 0.3, (3, 200))
    table[0] += np.linspace(-0.5, 0.5, 200)
    drifts = [drift(row) for row in deviations_from_others(table)]
    assert drifts[0].per_100 == pytest.approx(0.5, abs=0.15)
    assert drifts[0].low > 0
    # Of a steady reviewer's two others one drifts: half as much, the other way.
    assert [other.per_100 for other in drifts[1:]] == pytest.approx([-0.25, -0.25], abs=0.15)


def test_a_sheet_is_straight_where_all_scores_stand_at_one_place_of_their_scales():
    # The third has a single score and says nothing.
    assert straight_share([(1, 1, 1), (0.5, 1), (0,), (0, 0)]) == pytest.approx(2 / 3)
    assert straight_share([(1,)]) is None


def test_the_longest_run_is_of_equal_sheets_one_after_another():
    assert longest_run("aabbba") == 3
    assert longest_run("") == 0
