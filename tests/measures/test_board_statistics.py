import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import ttest_1samp
from statsmodels.stats.power import TTestPower

from measures.board_statistics import (
    Plan,
    is_ahead,
    n_for,
    plan,
    power_of,
    rank_interval,
    rank_probabilities,
    ranks,
    ranks_by_rule,
    shares_ahead,
    statistics,
    tau_of,
)
from measures.ranking import RankingKey, rank
from measures.resampling import clustered, intervals, resampled_figures
from measures.samples import sample_of_means
from measures.tukey import randomised_tukey_hsd

FINISHED, TURNS = RankingKey("finished", "higher"), RankingKey("turns", "lower")
RULE = [FINISHED, TURNS]


def cells_of(*bots):
    """Sums and numbers of scores `(n_scenarios, n_bots, n_keys, 2)` of bots with a (finished, turns) or None per scenario."""
    return np.array(
        [[[(value, 1) for value in (scores or ())] or [(0, 0)] * 2 for scores in row] for row in zip(*bots, strict=True)],
        dtype=float,
    )  # fmt: skip


def statistics_of(*bots, rule=RULE, **options):
    names = [f"bot {number}" for number in range(len(bots))]
    sample = sample_of_means(
        rows=names, keys=RULE, cells=cells_of(*bots), **({"n_resamples": 400, "n_permutations": 200} | options)
    )
    return statistics(sample, rule)


def test_how_often_the_order_is_reversed_by_hand():
    """Of two scenarios each bot finishes one. Drawn are: one of them twice (1/4 each), or both, and then fewer turns decide."""
    (pair,) = statistics_of([(1, 9), (0, 9)], [(0, 5), (1, 5)], n_resamples=8000)["pairs"]
    assert (pair["one"], pair["other"], pair["decided_by"]) == ("bot 1", "bot 0", "turns")
    assert pair["ahead"] == pytest.approx(0.75, abs=0.02)
    assert pair["behind"] == pytest.approx(0.25, abs=0.02)


def test_probabilities_of_ranks_sum_up_and_agree_with_the_shares_of_the_pair():
    made = statistics_of([(1, 9), (0, 9)], [(0, 5), (1, 5)])
    (pair,) = made["pairs"]
    assert made["rows"]["bot 1"]["rank_probabilities"] == [pytest.approx(pair["ahead"]), pytest.approx(pair["behind"])]
    assert made["rows"]["bot 0"]["rank_interval"] == [1, 2]


@pytest.mark.parametrize(
    ("probabilities", "ends"),
    [
        ([0.61, 0.316, 0.056, 0.018], (1, 3)),  # 0.926 up to rank 2, 0.982 up to rank 3
        ([0.025, 0.95, 0.025], (2, 2)),  # no more than 2.5% lie on either side
        ([0.03, 0.94, 0.03], (1, 3)),
        ([0.0, 1.0], (2, 2)),
        ([1.0], (1, 1)),
    ],
)
def test_ranks_between_which_a_row_comes_in_95_percent(probabilities, ends):
    assert rank_interval(np.array(probabilities)) == ends


def test_rows_that_are_equal_in_all_keys_tie_and_nothing_decides():
    (pair,) = statistics_of([(1, 3), (0, 4)], [(1, 3), (0, 4)])["pairs"]
    assert (pair["ahead"], pair["behind"], pair["decided_by"], pair["plan"]) == (0.0, 0.0, None, None)


def test_the_tests_are_those_of_tukeys_family_with_the_better_row_in_front():
    rng = np.random.default_rng(0)
    bots = [[(float(score), 5.0) for score in rng.integers(0, 2, 12)] for _ in range(3)]
    made = statistics_of(*bots, rule=[FINISHED])
    table = np.array([[finished for finished, _ in bot] for bot in bots])
    theirs = randomised_tukey_hsd(table, n_permutations=200, seed=1)
    for pair in made["pairs"]:
        i, j = int(pair["one"][-1]), int(pair["other"][-1])
        test = pair["tests"]["finished"]
        assert test["difference"] == pytest.approx(table[i].mean() - table[j].mean())
        assert test["difference"] >= 0
        assert test["p"] == theirs.p_values[i, j]
        assert test["effect"] == pytest.approx(theirs.effect_sizes[i, j])
        # Turns are the same everywhere: there is no deviation to measure an effect by.
        assert pair["tests"]["turns"] == {"difference": 0.0, "p": 1.0, "effect": None}


def test_the_plan_is_of_the_key_that_decides_over_the_scenarios_that_both_played():
    one, other = [(1, 2), (1, 3), (1, 7), None], [(1, 5), (1, 4), (1, 9), (1, 1)]
    (pair,) = statistics_of(one, other)["pairs"]
    planned = plan([-3.0, -1.0, -2.0])
    assert pair["decided_by"] == "turns"
    assert pair["plan"] == {"n_now": 3, "power": planned.power, "n_more": planned.n_more}


def test_intervals_are_those_of_the_bootstrap_over_the_scenarios_of_the_row():
    scores = [3.0, 5.0, 4.0, 9.0, 1.0]
    made = statistics_of([(1, turns) for turns in scores] + [None], [(0, 5)] * 6)
    sums = np.array([[turns, 1.0] for turns in scores])
    theirs = intervals(sums, lambda total: {"turns": total[0] / total[1]}, seed=1, n_resamples=400)["turns"]
    assert made["rows"]["bot 0"]["intervals"]["turns"] == pytest.approx(list(theirs))


def test_a_scenario_with_more_records_weighs_more():
    """One scenario with 0 in one record, one with 1 in three: a mean of 3/4, and intervals from 0 to 1 that hold it."""
    cells = np.zeros((2, 1, 2, 2))
    cells[0, 0] = [[0, 1], [5, 1]]
    cells[1, 0] = [[3, 3], [15, 3]]
    sample = sample_of_means(rows=["a"], keys=RULE, cells=cells, n_resamples=200, n_permutations=10)
    assert sample.figures.tolist() == [[0.75, 5.0]]
    assert sample.intervals[0]["finished"] == (0.0, 1.0)


def test_a_figure_that_a_row_lacks_has_neither_interval_nor_test():
    cells = cells_of([(1, 3), (0, 4)], [(1, 5), (1, 6)], [(0, 5), (1, 7)])
    cells[:, 2, 1] = 0
    sample = sample_of_means(rows=["a", "b", "c"], keys=RULE, cells=cells, n_resamples=50, n_permutations=50)
    made = statistics(sample, RULE)
    assert set(made["rows"]["c"]["intervals"]) == {"finished"}
    tested = {(pair["one"], pair["other"]): set(pair["tests"]) for pair in made["pairs"]}
    assert tested == {("b", "a"): {"finished", "turns"}, ("b", "c"): {"finished"}, ("a", "c"): {"finished"}}


@pytest.mark.parametrize("bots", [[[(1, 3)], [(0, 4)]], []])
def test_nothing_is_drawn_from_fewer_than_two_scenarios(bots):
    cells = cells_of(*bots) if bots else np.zeros((0, 0, 2, 2))
    names = [str(number) for number in range(len(bots))]
    sample = sample_of_means(rows=names, keys=RULE, cells=cells, n_resamples=5, n_permutations=5)
    assert statistics(sample, RULE) == {"rows": {}, "pairs": [], "rankings": {}}


def test_the_ranking_by_one_key_beside_that_by_the_rule():
    """Ranks by the rule 1 2 3 4; by turns alone 4 3 2 1: tau −1, and 1 with the key that decides all."""
    bots = [[(finished, turns), (finished, turns + 1)] for finished, turns in [(4, 9), (3, 8), (2, 7), (1, 6)]]
    rankings = statistics_of(*bots)["rankings"]
    assert rankings["finished"]["tau"] == 1.0
    assert rankings["turns"]["tau"] == -1.0
    assert rankings["turns"]["n"] == 4


def test_a_ranking_with_all_tied_has_no_tau():
    assert tau_of([1, 1, 1], [1, 2, 3]) is None


def test_tau_of_two_rankings_by_hand():
    """Of six pairs of four rows, five are in the same order: (5 − 1)/6."""
    assert tau_of([1, 2, 3, 4], [1, 2, 4, 3])["tau"] == pytest.approx(4 / 6)


def test_progress_grows_to_the_end():
    shares = []
    sample = sample_of_means(
        rows=["a", "b"], keys=RULE, cells=cells_of([(1, 3), (0, 4)], [(0, 5), (1, 6)]), n_resamples=20,
        n_permutations=20, report_progress=shares.append,
    )  # fmt: skip
    statistics(sample, RULE, report_progress=shares.append)
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.2, 1.0)


def test_intervals_of_a_board_hold_the_truth_about_as_often_as_they_say():
    """Finished or not with a chance of 0.5, over 21 scenarios of their own difficulty × 3 records; 95% nominal."""
    rng = np.random.default_rng(8)
    n_held = 0
    for seed in range(1000):
        chance = 1 / (1 + np.exp(-rng.normal(size=21)))
        cells = np.stack([rng.binomial(3, chance), np.full(21, 3)], axis=1).astype(float).reshape(21, 1, 1, 2)
        sample = sample_of_means(rows=["a"], keys=[FINISHED], cells=cells, seed=seed, n_resamples=399, n_permutations=1)
        low, high = sample.intervals[0]["finished"]
        n_held += low <= 0.5 <= high
    assert 930 <= n_held <= 970


def test_the_ranks_of_the_rows_as_they_are():
    cells = cells_of([(1, 3), (0, 4)], [(1, 9), (1, 9)], [(1, 3), (0, 4)])
    sample = sample_of_means(rows=["a", "b", "c"], keys=RULE, cells=cells, n_resamples=5, n_permutations=5)
    assert ranks_by_rule(sample, RULE).tolist() == [2, 1, 2]


NAN = np.nan
RULE_OF_TWO = (RankingKey("completion", "higher"), RankingKey("mean_turns", "lower"))
scores = st.one_of(st.just(NAN), st.sampled_from([0.0, 0.1 + 0.2, 0.3, -1.0, 1e6]), st.floats(-3, 3))
tables = arrays(float, st.tuples(st.integers(1, 4), st.integers(1, 6), st.just(2)), elements=scores)


def ranked_one_by_one(table):
    names = [key.figure for key in RULE_OF_TWO]
    rows = {
        str(number): dict(zip(names, (None if np.isnan(value) else float(value) for value in row), strict=True))
        for number, row in enumerate(table)
    }
    places = {place.name: place.rank for place in rank(rows, RULE_OF_TWO)}
    return [places[name] for name in rows]


@settings(deadline=None)
@given(tables)
def test_ranks_are_those_of_the_ranking_rule_in_every_resample(figures):
    assert ranks(figures, RULE_OF_TWO).tolist() == [ranked_one_by_one(table) for table in figures]


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
    np.testing.assert_allclose(
        rank_probabilities(figures, RULE_OF_TWO), [[0.5, 0.25, 0.25], [0.5, 0.5, 0], [0.25, 0, 0.75]]
    )
    # In the second resample a and b tie, so neither is ahead.
    np.testing.assert_allclose(shares_ahead(figures, RULE_OF_TWO), [[0, 0.25, 0.75], [0.5, 0, 0.75], [0.25, 0.25, 0]])


@settings(deadline=None)
@given(tables)
def test_every_row_has_some_rank_and_no_two_are_ahead_of_each_other(figures):
    np.testing.assert_allclose(rank_probabilities(figures, RULE_OF_TWO).sum(axis=1), 1)
    ahead = shares_ahead(figures, RULE_OF_TWO)
    assert (ahead + ahead.T <= 1 + 1e-12).all()
    assert not np.diagonal(ahead).any()
    assert not (is_ahead(figures, RULE_OF_TWO) & is_ahead(figures, RULE_OF_TWO).swapaxes(1, 2)).any()


@settings(deadline=None)
@given(st.integers(1, 1300))
def test_many_resamples_in_parts_count_like_one(n_resamples):
    figures = np.zeros((n_resamples, 2, 2))
    figures[::2, 0, 0] = 1
    first = -(-n_resamples // 2) / n_resamples
    assert shares_ahead(figures, RULE_OF_TWO)[0, 1] == pytest.approx(first)
    assert rank_probabilities(figures, RULE_OF_TWO)[1].tolist() == pytest.approx([1 - first, first])


def live_figures_of(total):
    """Columns: completed, turns, records."""
    return {"completion": total[0] / total[2], "mean_turns": total[1] / total[2]} if total[2] else {}


def test_from_records_to_probabilities_a_clear_order_is_sure_and_equal_bots_share_the_odds():
    rng = np.random.default_rng(4)
    scenarios = np.repeat(np.arange(40), 3)
    # One row per reviewer and scenario, three bots, the first completes nearly all, the others half of the time.
    completed = rng.random((120, 3)) < [0.95, 0.5, 0.5]
    sums = np.stack([completed, rng.integers(5, 20, (120, 3)), np.ones((120, 3))], axis=2)
    names = [key.figure for key in RULE_OF_TWO]
    figures = resampled_figures(clustered(sums, scenarios.tolist()), live_figures_of, names, seed=1)
    assert figures.shape == (1000, 3, 2)
    probabilities = rank_probabilities(figures, RULE_OF_TWO)
    assert probabilities[0, 0] == pytest.approx(1, abs=0.001)
    assert 0.02 < probabilities[1, 1] < 0.98


def test_a_bot_that_a_resample_leaves_without_records_is_last_there():
    # Bot b has records on the second scenario only: a resample of twice the first (1 in 4) has none of it.
    sums = np.array([[[0.0, 0, 1], [0, 0, 0]], [[0, 0, 1], [1, 0, 1]]])
    figures = resampled_figures(sums, live_figures_of, ["completion", "mean_turns"], n_resamples=4000)
    assert np.isnan(figures[:, 1, 0]).mean() == pytest.approx(0.25, abs=0.03)
    assert shares_ahead(figures, RULE_OF_TWO)[0, 1] == pytest.approx(0.25, abs=0.03)


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
