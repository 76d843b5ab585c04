"""The correlations of MSDE's and NTCIR-14's tables, cases by hand, second implementations, invariants."""

from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import pearsonr

from measures.correlation import correlations, kendall, over_systems, pearson, spearman
from tests.conftest import published_rows

NAN = np.nan
figures = st.lists(
    st.tuples(st.sampled_from([NAN, 0.0, 1.0, 2.0, 3.0]), st.sampled_from([NAN, 0.0, 1.0, 2.5])),
    min_size=2,
    max_size=15,
)


def test_msde_tables_4_to_9_with_table_10_give_the_recomputed_tables_11_to_13():
    automatic = {(row["competition"], row["task"], row["model"]): row for row in published_rows("msde/automatic.csv")}
    human = {
        (row["competition"], row["task"], row["model"], row["criterion"]): float(row["score"])
        for row in published_rows("msde/human.csv")
    }
    models = [str(number) for number in range(1, 15)]
    wanted = published_rows("msde/correlations.csv")
    for row in wanted:
        place = (row["competition"], row["task"])
        xs = [float(automatic[*place, model][row["metric"]]) for model in models]
        ys = [human[*place, model, row["criterion"]] for model in models]
        found = {"pearson": pearson, "spearman": spearman}[row["coefficient"]](xs, ys)
        assert found.value == pytest.approx(float(row["recomputed"]), abs=1e-9), row
        if row["agrees"] == "yes":
            assert found.value == pytest.approx(float(row["published"]), abs=0.01 + 1e-9), row
    assert len(wanted) == 608


def runs_of(language, figure):
    table = "nugget_detection" if figure.startswith("nugget") else "dialogue_quality"
    runs = [row for row in published_rows(f"ntcir14/{table}.csv") if row["language"] == language]
    return {row["run"]: float(row[figure]) for row in runs}


def test_ntcir_tables_9_and_14_tau_b_and_its_intervals():
    wanted = published_rows("ntcir14/kendall.csv")
    for row in wanted:
        one, other = (runs_of(row["language"], row[figure]) for figure in ("figure_1", "figure_2"))
        runs = sorted(one.keys() & other.keys())
        assert len(runs) == int(row["n_runs"])
        found = kendall([one[run] for run in runs], [other[run] for run in runs], n_resamples=4000)
        assert found.value == pytest.approx(float(row["recomputed"]), abs=1e-9)
        if row["agrees"] == "yes":
            assert found.value == pytest.approx(float(row["published"]), abs=0.0005 + 1e-9), row
        # The published intervals are of another draw and, in Tables 5 and 6, of unrounded means.
        tolerance = 0.02 if row["agrees"] == "yes" else 0.06
        assert found.interval == pytest.approx((float(row["low"]), float(row["high"])), abs=tolerance), row
    assert len(wanted) == 8


def test_five_systems_by_hand():
    found = correlations([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
    # Differences of ranks 1 1 1 1 0: rho = 1 − 6·4/(5·24); 8 pairs in order, 2 reversed of 10.
    assert found.n == 5
    assert found.spearman.value == pytest.approx(0.8)
    assert found.pearson.value == pytest.approx(0.8)
    assert found.kendall.value == pytest.approx(0.6)
    # atanh 0.8 = 1.0986, ±1.96/√2: tanh(−0.2873) and tanh(2.4845).
    assert found.pearson.interval == pytest.approx((-0.2797, 0.9862), abs=0.0001)
    # ±1.96·√(1.32/2) = 1.5923 for ranks: tanh(−0.4937) and tanh(2.6909).
    assert found.spearman.interval == pytest.approx((-0.4571, 0.9909), abs=0.0001)
    # Of the 120 orders 1 + 4 + 9 have at most two reversals, and as many at least eight.
    assert found.kendall.p == pytest.approx(2 * 14 / 120)


def test_tau_b_allows_for_ties_by_hand():
    # Pairs: 4 in order, 0 reversed, one tied in x alone, one in y alone: 4/√(5·5).
    assert kendall([1, 1, 2, 3], [1, 2, 3, 3]).value == pytest.approx(0.8)


def tau_pair_by_pair(xs, ys):
    signs = [(np.sign(a - c), np.sign(b - d)) for (a, b), (c, d) in combinations(zip(xs, ys, strict=True), 2)]
    untied = [sum(s[i] ** 2 for s in signs) for i in (0, 1)]
    return sum(one * other for one, other in signs) / sqrt(untied[0] * untied[1])


@settings(deadline=None)
@given(figures)
def test_all_three_are_those_of_second_implementations_over_the_systems_with_both(pairs):
    xs, ys = map(list, zip(*pairs, strict=True))
    both = [(x, y) for x, y in pairs if not (np.isnan(x) or np.isnan(y))]
    found = correlations(xs, ys, n_resamples=20)
    assert found.n == len(both)
    if len({x for x, _ in both}) < 2 or len({y for _, y in both}) < 2:
        assert (found.pearson, found.spearman, found.kendall) == (None, None, None)
        return
    x, y = np.array(both).T
    assert found.pearson.value == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-9)
    mean_ranks = [[(values < v).sum() + ((values == v).sum() + 1) / 2 for v in values] for values in (x, y)]
    assert found.spearman.value == pytest.approx(np.corrcoef(mean_ranks)[0, 1], abs=1e-9)
    assert found.kendall.value == pytest.approx(tau_pair_by_pair(x, y), abs=1e-9)


@settings(deadline=None)
@given(figures)
def test_swapping_changes_nothing_and_turning_one_round_changes_the_sign(pairs):
    xs, ys = map(np.array, zip(*pairs, strict=True))
    found, swapped, turned = (correlations(*pair, n_resamples=50) for pair in ((xs, ys), (ys, xs), (xs, -ys)))
    assume(found.pearson is not None)
    for name in ("pearson", "spearman", "kendall"):
        one, other, reverse = (getattr(all_three, name) for all_three in (found, swapped, turned))
        assert other.value == pytest.approx(one.value)
        assert reverse.value == pytest.approx(-one.value)
        assert other.p == pytest.approx(one.p)
        assert -1 <= one.value <= 1
        assert 0 <= one.p <= 1
        if one.interval:
            assert other.interval == pytest.approx(one.interval)
            assert reverse.interval == pytest.approx((-one.interval[1], -one.interval[0]), abs=1e-9)


def test_pearsons_interval_is_that_of_scipy():
    x, y = np.random.default_rng(1).normal(size=(2, 14))
    assert pearson(x, y).interval == pytest.approx(tuple(pearsonr(x, y).confidence_interval(0.95)))


def test_an_interval_is_none_where_none_can_be_said():
    assert pearson([1, 2, 3], [1, 3, 2]).interval is None
    assert pearson([1, 2, 3, 4, 5], [2, 4, 6, 8, 10]).interval is None
    assert pearson([0.1, 0.2, 0.3, 0.4, 0.5], [0.3, 0.6, 0.9, 1.2, 1.5]).value == 1
    assert spearman([1, 2, 3, 4, 5], [2, 3, 9, 10, 99]).interval is None
    assert kendall([1, 2, 3, 4, 5], [2, 3, 9, 10, 99]).interval == (1, 1)


@pytest.mark.parametrize("pair", [([], []), ([1], [2]), ([1, 1, 1], [1, 2, 3]), ([1, NAN, 2], [NAN, 1, 3])])
def test_figures_that_do_not_vary_have_no_correlation(pair):
    found = correlations(*pair)
    assert (found.pearson, found.spearman, found.kendall) == (None, None, None)


def test_lists_of_different_length_are_refused():
    with pytest.raises(ValueError, match="2 figures cannot be paired with 3"):
        correlations([1, 2], [1, 2, 3])


def test_kendalls_interval_depends_on_the_seed_alone():
    x, y = np.random.default_rng(2).normal(size=(2, 12))
    assert kendall(x, y, seed=3) == kendall(x, y, seed=3)
    assert kendall(x, y, seed=3).interval != kendall(x, y, seed=4).interval


def test_kendall_has_no_interval_where_no_resample_has_a_tau():
    # The one resample of this seed draws the same system twice.
    same = next(seed for seed in range(99) if np.ptp(np.random.default_rng(seed).integers(0, 2, size=(1, 2))) == 0)
    found = kendall([1, 2], [1, 2], seed=same, n_resamples=1)
    assert (found.value, found.interval) == (1.0, None)


@pytest.mark.parametrize("measure", [pearson, spearman, kendall])
def test_intervals_hold_the_truth_about_as_often_as_they_say(measure):
    # Normal figures of 30 systems with a correlation of 0.5: rho_s = 6/π · asin(r/2), tau = 2/π · asin(r).
    truth = {pearson: 0.5, spearman: 6 / np.pi * np.arcsin(0.25), kendall: 2 / np.pi * np.arcsin(0.5)}[measure]
    more = {"n_resamples": 200} if measure is kendall else {}
    rng = np.random.default_rng(3)
    n_held = 0
    for _ in range(500):
        x = rng.normal(size=30)
        low, high = measure(x, 0.5 * x + sqrt(0.75) * rng.normal(size=30), **more).interval
        n_held += low <= truth <= high
    assert 0.92 <= n_held / 500 <= 0.98


def test_every_metric_goes_with_every_criterion_of_its_group():
    automatic = {
        ("chat", "a"): {"f1": 1.0, "bleu": 3.0},
        ("chat", "b"): {"f1": 2.0, "bleu": 2.0},
        ("chat", "c"): {"f1": 3.0},
        ("persona", "a"): {"f1": 1.0},
        ("persona", "b"): {"f1": 2.0},
        ("only automatic", "a"): {"f1": 2.0},
    }
    human = {
        ("persona", "b"): {"know": 1.0},
        ("persona", "a"): {"know": 2.0},
        ("chat", "c"): {"info": 7.0},
        ("chat", "b"): {"info": 6.0},
        ("chat", "a"): {"info": 5.0},
        ("only human", "a"): {"info": 5.0},
    }
    found = over_systems(automatic, human)
    seen = [(row.group, row.metric, row.criterion, row.correlations.n, row.correlations.pearson.value) for row in found]
    assert seen == [("chat", "f1", "info", 3, 1), ("chat", "bleu", "info", 2, -1), ("persona", "f1", "know", 2, -1)]


def test_a_pair_that_no_system_has_is_left_out():
    automatic = {("chat", "a"): {"f1": 1.0}, ("chat", "b"): {"bleu": 2.0}}
    human = {("chat", "a"): {"info": 1.0}, ("chat", "b"): {"coh": 2.0}}
    found = over_systems(automatic, human)
    assert [(row.metric, row.criterion) for row in found] == [("f1", "info"), ("bleu", "coh")]


def test_many_systems_are_resampled_in_parts_with_the_same_result(monkeypatch):
    x, y = np.random.default_rng(4).normal(size=(2, 40))
    whole = kendall(x, y)
    monkeypatch.setattr("measures.correlation.PAIRS_AT_ONCE", 40 * 40 * 7)
    assert kendall(x, y) == whole
