import numpy as np
import pytest
from scipy.stats import bootstrap, norm, t

from measures.board_statistics import statistics
from measures.joined_samples import JoinedColumn, JoinedTotal, Part, joined_sample
from measures.ranking import RankingKey
from measures.resampling import clustered, expanded_ends, intervals, p_values, resampled_figures, resampled_totals
from measures.samples import figures_of_means, sample_of_means, whole_resamples


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


def test_one_item_says_nothing_about_others():
    assert intervals(sums_of([3.0]), mean) == {}
    assert intervals(np.empty((0, 2)), mean) == {}


def test_clusters_are_summed_in_the_order_in_which_they_come():
    sums = np.array([[1.0, 1], [2, 1], [4, 1]])
    np.testing.assert_array_equal(clustered(sums, ["b", "a", "b"]), [[5, 2], [2, 1]])
    assert clustered(np.ones((4, 3, 2)), [1, 1, 2, 2]).tolist() == np.full((2, 3, 2), 2.0).tolist()
    with pytest.raises(ValueError, match="2 names of clusters do not fit 3 rows"):
        clustered(sums, ["a", "b"])


def test_reviewers_who_repeat_each_other_make_a_mean_no_surer():
    scenarios = np.random.default_rng(5).normal(0, 1, 30)
    once = intervals(sums_of(scenarios), mean)["mean"]
    thrice = sums_of(np.repeat(scenarios, 3))
    of_clusters = intervals(clustered(thrice, np.repeat(np.arange(30), 3).tolist()), mean)["mean"]
    assert of_clusters == pytest.approx(once)
    low, high = intervals(thrice, mean)["mean"]
    assert high - low < 0.7 * (once[1] - once[0])


def test_expanded_ends_give_the_width_of_students_t():
    low, high = expanded_ends(21, 0.95)
    # Resamples of a mean spread by √(20/21) of the standard error.
    assert norm.ppf(high) * np.sqrt(20 / 21) == pytest.approx(t.ppf(0.975, 20))
    assert (low, high) == (pytest.approx(0.0163, abs=0.0001), pytest.approx(1 - low))
    assert expanded_ends(10**6, 0.9) == pytest.approx((0.05, 0.95), abs=1e-4)


def test_the_interval_of_a_skewed_mean_is_scipys_at_the_expanded_level():
    values = np.random.default_rng(9).exponential(size=25)
    low, high = expanded_ends(25, 0.95)
    drawn = bootstrap(
        (values,), np.mean, n_resamples=20_000, confidence_level=high - low, method="percentile", random_state=1
    )
    theirs = tuple(drawn.confidence_interval)
    assert intervals(sums_of(values), mean, n_resamples=20_000)["mean"] == pytest.approx(theirs, abs=0.015)


def test_too_few_resamples_for_the_level_give_the_outermost_ones():
    rows = sums_of(np.random.default_rng(10).normal(size=21))
    drawn = [total[0] / total[1] for total in resampled_totals(rows, n_resamples=39)]
    # 0.0163 · (39 + 1) is less than one resample.
    assert intervals(rows, mean, n_resamples=39)["mean"] == (pytest.approx(min(drawn)), pytest.approx(max(drawn)))


def test_intervals_over_scenarios_hold_the_truth_about_as_often_as_they_say():
    # 21 scenarios × 3 reviewers as in SMP2018, scenarios of their own difficulty. The long figures: docs/bench.md.
    rng = np.random.default_rng(6)
    scenarios = np.repeat(np.arange(21), 3).tolist()
    n_held = 0
    for seed in range(1000):
        completed = rng.random(63) < 1 / (1 + np.exp(-np.repeat(rng.normal(size=21), 3)))
        rows = clustered(sums_of(completed), scenarios)
        low, high = intervals(rows, mean, seed=seed, n_resamples=399)["mean"]
        n_held += low <= 0.5 <= high
    assert 930 <= n_held <= 970


def test_several_bots_have_the_same_items_drawn():
    easy_and_hard = np.random.default_rng(7).normal(size=20)
    sums = np.stack([np.stack([easy_and_hard + gain, np.ones(20)], axis=1) for gain in (0, 1)], axis=1)
    figures = resampled_figures(sums, mean, ["mean"], seed=3, n_resamples=50)
    np.testing.assert_allclose(figures[:, 1, 0] - figures[:, 0, 0], 1)
    totals = np.array(list(resampled_totals(sums[:, 0], seed=3, n_resamples=50)))
    np.testing.assert_allclose(totals[:, 0] / totals[:, 1], figures[:, 0, 0])


def test_an_undefined_figure_of_a_resample_is_not_a_number():
    figures = resampled_figures(np.ones((2, 1, 1)), lambda total: {"a": None}, ["a", "unknown"], n_resamples=3)
    assert np.isnan(figures).all()
    assert figures.shape == (3, 1, 2)


def test_bots_that_nobody_talked_to_have_figures_of_nothing():
    figures = resampled_figures(np.zeros((0, 2, 2)), lambda total: {"n": total[1], "mean": None}, ["n", "mean"])
    assert (figures[:, :, 0] == 0).all()
    assert np.isnan(figures[:, :, 1]).all()


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


NAN = np.nan
SCORE, OTHER, TOTAL = (RankingKey(name, "higher") for name in ("score", "other", "total"))


def test_the_first_resamples_that_lack_nothing_needed_are_taken():
    """Two rows, two keys; the second row need not have its second figure."""
    needed = np.array([[True, True], [True, False]])
    one, gap, other = [[1, 1], [1, NAN]], [[1, 1], [NAN, 1]], [[2, 2], [2, 2]]

    def chunks():
        yield np.array([one, gap])
        yield np.array([gap, other, one, gap])
        raise AssertionError("enough was drawn")

    found = whole_resamples(chunks(), needed, 2)
    np.testing.assert_array_equal(found.figures, [one, other])
    assert found.n_redrawn == 2, "those before the last that was taken"


def test_it_is_given_up_where_fewer_than_one_in_ten_has_all():
    needed, gap, whole = np.array([[True]]), np.array([[[NAN]]] * 10), np.array([[[1.0]]])
    drawn = []

    def chunks(*parts):
        for part in parts:
            drawn.append(part)
            yield part

    given_up = whole_resamples(chunks(whole, gap, gap, whole), needed, 2)
    assert (len(given_up.figures), given_up.n_redrawn, len(drawn)) == (0, None, 2)
    assert whole_resamples([whole, gap[:9], whole], needed, 2).n_redrawn == 9


def sample(*bots, keys=(SCORE,), needed=None, n_resamples=2000):
    """Of scores by scenario, None for no record; one record each."""
    cells = np.array(
        [[[(score or 0, score is not None)] * len(keys) for score in row] for row in zip(*bots, strict=True)]
    )
    names = [f"bot {number}" for number in range(len(bots))]
    return sample_of_means(
        rows=names, keys=keys, cells=cells.astype(float), needed=needed, n_resamples=n_resamples, n_permutations=20
    )


def test_a_row_is_not_last_for_the_resamples_that_have_none_of_its_records():
    """Bot 1 has records on the last of three scenarios alone, which 8 of 27 resamples lack; it is better wherever it was seen."""
    made = statistics(sample([0, 0, 0], [None, None, 1]), [SCORE])
    assert made["rows"]["bot 1"]["rank_probabilities"] == [1.0, 0.0]
    assert made["n_redrawn"] == pytest.approx(2000 * 8 / 19, rel=0.1)
    (pair,) = made["pairs"]
    assert (pair["one"], pair["ahead"], pair["behind"]) == ("bot 1", 1.0, 0.0)


def test_full_data_are_drawn_once_and_a_figure_that_ranks_nobody_asks_for_no_more():
    assert sample([0, 1, 0], [1, 0, 0]).n_redrawn == 0
    gaps = np.zeros((3, 2, 2, 2))
    gaps[:, :, 0] = [[[0, 1], [1, 1]]] * 3
    gaps[2, :, 1] = [1, 1]
    options = {"rows": "ab", "keys": [SCORE, OTHER], "cells": gaps, "n_resamples": 50, "n_permutations": 5}
    assert sample_of_means(needed=[SCORE], **options).n_redrawn == 0
    assert sample_of_means(**options).n_redrawn > 0


def test_where_hardly_any_resample_has_every_row_no_ranks_are_told_but_tests_are():
    """Eight bots with a scenario each of their own: 8!/8⁸, 1 in 416 resamples, has all. Two more on all scenarios have intervals."""
    alone = [[1.0 if number == place else None for number in range(8)] for place in range(8)]
    made = statistics(sample(*alone, [0.0, 1.0] * 4, [0.5, 0.0] * 4, n_resamples=100), [SCORE])
    assert made["n_redrawn"] is None
    assert set(made["rows"]["bot 8"]) == {"intervals"}
    assert made["rows"]["bot 8"]["intervals"]["score"]
    assert {(pair["ahead"], pair["behind"]) for pair in made["pairs"]} == {(None, None)}
    assert all("score" in pair["tests"] for pair in made["pairs"])


def joined(*parts):
    columns = [
        JoinedColumn(key, Part(one, one_sums, figures_of_means([SCORE]), can_grow=True), "score")
        for key, (one, one_sums) in zip((SCORE, OTHER), parts, strict=True)
    ]
    total = JoinedTotal(TOTAL, ["score", "other"], is_mean=False)
    return joined_sample(["bot 0", "bot 1"], columns, total, n_permutations=20)


def test_a_total_has_its_interval_where_a_row_misses_a_scenario_of_a_part():
    people = sample([0, 1, 0, 1], [None, 0, 1, 1]), np.ones((4, 2, 2))
    runs = sample([0, 1, 1], [1, 0, 0]), np.ones((3, 2, 2))
    made = joined(people, runs)
    assert made.n_redrawn == people[0].n_redrawn > 0
    assert not np.isnan(made.drawn).any()
    assert all("total" in intervals for intervals in made.intervals)


def test_a_board_is_not_drawn_where_a_part_is_not():
    runs = sample([0, 1, 1], [1, 0, 0]), np.ones((3, 2, 2))
    lonely = sample(*([1.0 if n == place else None for n in range(9)] for place in range(9)), n_resamples=100)
    made = joined((lonely, np.ones((9, 9, 2))), runs)
    assert (made.n_redrawn, len(made.drawn)) == (None, 0)
    assert "total" not in made.intervals[0]
    assert statistics(made, [TOTAL])["n_redrawn"] is None
