"""A judge against people: figures worked by hand, those of scipy, and how often the interval holds what was planted."""

import random
from math import nan

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

from measures.agreement import krippendorff_alpha
from measures.judges.judge_agreement import (
    Figure,
    Judged,
    against_people,
    agreement_with_people,
    cost_per_reliable_score,
)


def judged(*rows):
    return [Judged(cluster, said, said, people) for cluster, said, people in rows]


def test_agreement_and_bias_are_those_worked_by_hand():
    # 1 equals one of two people; 2 equals both; 0 equals neither of (1, 2).
    found = against_people(judged(("a", 1, (1, 2)), ("b", 2, (2, 2)), ("c", 0, (1, 2))), "ordinal")
    assert found.agreement.value == pytest.approx((0.5 + 1 + 0) / 3)
    assert found.bias.value == pytest.approx((-0.5 + 0 - 1.5) / 3)
    assert (found.n_things, found.n_pairs, found.n_clusters) == (3, 6, 3)


def test_alpha_of_people_is_that_of_the_table_of_agreement():
    rng = random.Random(1)
    people = [tuple(rng.choice([1, 2, 3]) for _ in range(3)) for _ in range(30)]
    found = against_people(judged(*((n, 1, scores) for n, scores in enumerate(people))), "ordinal")
    assert found.alpha_people.value == pytest.approx(krippendorff_alpha(np.array(people, float).T, "ordinal"))


@pytest.mark.parametrize("level", ["nominal", "ordinal"])
def test_alpha_of_the_judge_is_that_of_each_pair(level):
    rows = [("a", 1, (1, 2)), ("b", 2, (2,)), ("c", 3, (1, 3)), ("d", 2, (3,))]
    pairs = [(said, score) for _, said, people in rows for score in people]
    found = against_people(judged(*rows), level)
    assert found.alpha.value == pytest.approx(krippendorff_alpha(np.array(pairs, float).T, level))


def test_correlations_are_those_of_scipy():
    rng = np.random.default_rng(2)
    judge, people = rng.integers(0, 6, 80) / 2, rng.integers(0, 5, 80).astype(float)
    rows = [Judged(n, j, round(j), (p,)) for n, (j, p) in enumerate(zip(judge, people, strict=True))]
    found = against_people(rows, "interval", n_resamples=50)
    for ours, theirs in ((found.pearson, pearsonr), (found.spearman, spearmanr), (found.kendall, kendalltau)):
        assert ours.value == pytest.approx(theirs(judge, people).statistic)
        assert ours.interval[0] < ours.value < ours.interval[1]


def test_labels_have_no_bias_and_no_correlation():
    found = against_people(judged(("a", 1, (1,)), ("b", 2, (1,))), "nominal")
    assert found.bias == found.pearson == found.spearman == found.kendall == Figure(None)


def test_nothing_is_said_of_nothing():
    found = against_people([Judged("a", 1, 1, ())], "ordinal")
    assert (found.n_things, found.agreement, found.alpha) == (0, Figure(None), Figure(None))


def test_one_cluster_has_figures_and_no_interval():
    found = against_people(judged(("a", 1, (1,)), ("a", 2, (1,))), "ordinal")
    assert found.agreement == Figure(0.5)


def test_a_reliable_score_costs_more_the_less_the_judge_agrees():
    assert cost_per_reliable_score(3.0, 10, Figure(0.6, (0.5, 0.75))) == Figure(
        pytest.approx(0.5), (pytest.approx(0.4), pytest.approx(0.6))
    )
    assert cost_per_reliable_score(3.0, 10, Figure(0.0, (0.0, 0.1))) == Figure(None)
    assert cost_per_reliable_score(3.0, 0, Figure(None)) == Figure(None)
    assert cost_per_reliable_score(3.0, 10, Figure(0.6, (0.0, 0.75))).interval is None


def contest(rng, rate, *, n_scenarios=21, n_systems=10, points=(-2, -1, 0, 1, 2)):
    """One person a dialogue; the judge says the same with the planted rate, else another point."""
    rows = []
    for scenario in range(n_scenarios):
        for _ in range(n_systems):
            score = rng.choice(points)
            said = score if rng.random() < rate else rng.choice([one for one in points if one != score])
            rows.append(Judged(scenario, said, said, (score,)))
    return rows


def n_held(rate, *, seed, n_contests, narrowed=1.0):
    rng, held = random.Random(seed), 0
    for _ in range(n_contests):
        found = agreement_with_people(contest(rng, rate), n_resamples=400)
        low, high = (found.value + narrowed * (end - found.value) for end in found.interval)
        held += low <= rate <= high
    return held


@pytest.mark.parametrize("rate", [0.55, 0.7, 0.85])
def test_the_interval_holds_the_planted_rate_in_93_to_97_of_100_contests(rate):
    assert 93 <= n_held(rate, seed=30, n_contests=100) <= 97


@pytest.mark.parametrize("rate", [0.55, 0.85])
def test_over_many_contests_it_does_so_whatever_the_seed(rate):
    assert 0.93 <= n_held(rate, seed=35, n_contests=800) / 800 <= 0.97


def test_an_interval_that_is_too_narrow_would_be_seen():
    assert n_held(0.7, seed=30, n_contests=100, narrowed=0.6) < 93


def test_the_agreement_alone_is_that_of_the_whole_comparison():
    things = contest(random.Random(1), 0.7)
    assert agreement_with_people(things, n_resamples=50) == against_people(things, "ordinal", n_resamples=50).agreement


def test_a_figure_that_is_undefined_is_none_and_never_nan():
    found = against_people(judged(("a", 1, (1,)), ("b", 1, (1,))), "ordinal")
    assert found.alpha == Figure(None)
    assert nan not in (found.pearson.value, found.kendall.value)
