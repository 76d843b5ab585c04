import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from measures.board_statistics import is_ahead, rank_probabilities, ranks, shares_ahead
from measures.ranking import RankingKey, rank
from measures.resampling import clustered, resampled_figures

NAN = np.nan
RULE = (RankingKey("completion", "higher"), RankingKey("mean_turns", "lower"))
scores = st.one_of(st.just(NAN), st.sampled_from([0.0, 0.1 + 0.2, 0.3, -1.0, 1e6]), st.floats(-3, 3))
tables = arrays(float, st.tuples(st.integers(1, 4), st.integers(1, 6), st.just(2)), elements=scores)


def ranked_one_by_one(table):
    names = [key.figure for key in RULE]
    rows = {
        str(number): dict(zip(names, (None if np.isnan(value) else float(value) for value in row), strict=True))
        for number, row in enumerate(table)
    }
    places = {place.name: place.rank for place in rank(rows, RULE)}
    return [places[name] for name in rows]


@settings(deadline=None)
@given(tables)
def test_ranks_are_those_of_the_ranking_rule_in_every_resample(figures):
    assert ranks(figures, RULE).tolist() == [ranked_one_by_one(table) for table in figures]


def test_probabilities_of_ranks_by_hand():
    # Completion of a, b, c in four resamples; turns are equal, or missing.
    figures = np.array(
        [
            [[1, 5], [0.5, 5], [0, 5]],
            [[1, 5], [1, 5], [0, 5]],
            [[0, 5], [1, 5], [0, NAN]],
            [[NAN, 5], [1, 9], [1, 5]],
        ]
    )
    # Ranks: 1 2 3 · 1 1 3 · 2 1 3 · 3 2 1.
    np.testing.assert_allclose(rank_probabilities(figures, RULE), [[0.5, 0.25, 0.25], [0.5, 0.5, 0], [0.25, 0, 0.75]])
    # In the second resample a and b tie, so neither is ahead.
    np.testing.assert_allclose(shares_ahead(figures, RULE), [[0, 0.25, 0.75], [0.5, 0, 0.75], [0.25, 0.25, 0]])


@settings(deadline=None)
@given(tables)
def test_every_row_has_some_rank_and_no_two_are_ahead_of_each_other(figures):
    np.testing.assert_allclose(rank_probabilities(figures, RULE).sum(axis=1), 1)
    ahead = shares_ahead(figures, RULE)
    assert (ahead + ahead.T <= 1 + 1e-12).all()
    assert not np.diagonal(ahead).any()
    assert not (is_ahead(figures, RULE) & is_ahead(figures, RULE).swapaxes(1, 2)).any()


@settings(deadline=None)
@given(st.integers(1, 1300))
def test_many_resamples_in_parts_count_like_one(n_resamples):
    figures = np.zeros((n_resamples, 2, 2))
    figures[::2, 0, 0] = 1
    first = -(-n_resamples // 2) / n_resamples
    assert shares_ahead(figures, RULE)[0, 1] == pytest.approx(first)
    assert rank_probabilities(figures, RULE)[1].tolist() == pytest.approx([1 - first, first])


def live_figures_of(total):
    """Columns: completed, turns, records."""
    return {"completion": total[0] / total[2], "mean_turns": total[1] / total[2]} if total[2] else {}


def test_from_records_to_probabilities_a_clear_order_is_sure_and_equal_bots_share_the_odds():
    rng = np.random.default_rng(4)
    scenarios = np.repeat(np.arange(40), 3)
    # One row per reviewer and scenario, three bots, the first completes nearly all, the others half of the time.
    completed = rng.random((120, 3)) < [0.95, 0.5, 0.5]
    sums = np.stack([completed, rng.integers(5, 20, (120, 3)), np.ones((120, 3))], axis=2)
    names = [key.figure for key in RULE]
    figures = resampled_figures(clustered(sums, scenarios.tolist()), live_figures_of, names, seed=1)
    assert figures.shape == (1000, 3, 2)
    probabilities = rank_probabilities(figures, RULE)
    assert probabilities[0, 0] == pytest.approx(1, abs=0.001)
    assert 0.02 < probabilities[1, 1] < 0.98


def test_a_bot_that_a_resample_leaves_without_records_is_last_there():
    # Bot b has records on the second scenario only: a resample of twice the first (1 in 4) has none of it.
    sums = np.array([[[0.0, 0, 1], [0, 0, 0]], [[0, 0, 1], [1, 0, 1]]])
    figures = resampled_figures(sums, live_figures_of, ["completion", "mean_turns"], n_resamples=4000)
    assert np.isnan(figures[:, 1, 0]).mean() == pytest.approx(0.25, abs=0.03)
    assert shares_ahead(figures, RULE)[0, 1] == pytest.approx(0.25, abs=0.03)
