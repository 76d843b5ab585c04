"""Prediction-powered means: the formula by hand, its coverage also for few things, and a judge without worth."""

import numpy as np
import pytest

from measures.judges.prediction_powered import powered_mean


def test_the_estimator_of_2023_is_the_mean_of_all_predictions_less_their_bias():
    people, judge, alone = [1, 2, 2, 3, 4, 2], [2, 2, 3, 3, 5, 3], [3, 1, 2, 4, 5, 3, 2, 4]
    found = powered_mean(people, judge, alone, tuning=1.0)
    assert found.value == pytest.approx(np.mean(alone) - (np.mean(judge) - np.mean(people)))
    differences = np.array(judge) - np.array(people)
    spread = np.var(alone, ddof=1) / 8 + np.var(differences, ddof=1) / 6
    # Student's t of five degrees of freedom.
    assert found.interval[1] - found.value == pytest.approx(2.570581835636314 * np.sqrt(spread))
    assert found.people_interval[1] - found.people == pytest.approx(2.570581835636314 * np.std(people, ddof=1) / 6**0.5)
    assert found.effective == pytest.approx(np.var(people, ddof=1) / spread)


def test_things_of_a_cluster_count_as_one_where_they_are_all_alike():
    each, alone = np.array([1.0, 3.0, 2.0, 5.0, 4.0, 3.0]), np.arange(40.0) % 5
    judge = each + np.array([0.5, 0.0, 1.0, 0.5, 0.0, 0.5])
    once = powered_mean(each, judge, alone)
    twice = [np.repeat(one, 2) for one in (each, judge, alone)]
    clusters = np.repeat(np.arange(6), 2), np.repeat(np.arange(6, 46), 2)
    repeated = powered_mean(*twice, clusters=clusters)
    assert (repeated.n, repeated.n_clusters) == (12, 6)
    assert repeated.value == pytest.approx(once.value)
    assert repeated.interval == pytest.approx(once.interval)
    assert repeated.effective == pytest.approx(2 * once.effective)


def contest(rng, *, n=60, more=400, worth=0.9, shares=None):
    """What people said, what the judge said of the same and of more; with `shares` of scenarios, from which 0.4 of the variance is."""
    truth, scenarios = rng.normal(0, 1, n + more), None
    if shares is not None:
        own, others = (rng.permutation(np.arange(size) * len(shares) // size) for size in (n, more))
        if np.ptp(shares):
            own, others = (rng.choice(len(shares), size, p=shares) for size in (n, more))
        scenarios = own, others
        truth = np.sqrt(0.4) * rng.normal(0, 1, len(shares))[np.concatenate(scenarios)] + np.sqrt(0.6) * truth
    judge = worth * truth + np.sqrt(1 - worth**2) * rng.normal(0, 1, n + more) + 0.5
    return (truth[:n], judge[:n], judge[n:]), scenarios


def equal(n):
    return np.full(n, 1 / n)


@pytest.mark.parametrize(
    ("n", "worth", "shares"),
    [
        (10, 0.3, None), (10, 0.9, None), (20, 0.9, None), (60, 0.9, None),
        (10, 0.9, equal(5)), (20, 0.3, equal(10)), (20, 0.9, equal(10)), (60, 0.9, equal(20)),
        (60, 0.9, np.arange(4, 14) / np.arange(4, 14).sum()),
    ],
)  # fmt: skip
def test_the_interval_holds_the_true_mean_in_95_of_100_contests(n, worth, shares):
    rng, held = np.random.default_rng(1), 0
    for _ in range(1000):
        scores, scenarios = contest(rng, n=n, worth=worth, shares=shares)
        low, high = powered_mean(*scores, clusters=scenarios, n_resamples=0).interval
        held += low <= 0 <= high
    assert 0.93 <= held / 1000 <= 0.97


def test_a_good_judge_saves_reviews_and_one_without_worth_saves_none():
    good = powered_mean(*contest(np.random.default_rng(2))[0])
    assert good.saved > 60
    assert good.saved_interval[0] > 0
    assert good.interval[1] - good.interval[0] < good.people_interval[1] - good.people_interval[0]
    useless = powered_mean(*contest(np.random.default_rng(3), worth=0.0)[0])
    assert useless.tuning < 0.3
    assert useless.saved < 10
    assert useless.saved_interval[0] < 1


def test_nothing_is_said_of_too_little():
    assert powered_mean([1, 2], [1, 2], [1] * 9) is None
    assert powered_mean([1] * 9, [1] * 9, [1] * 9) is None
    few = np.arange(9) % 4
    assert powered_mean(range(9), range(9), range(9), clusters=(few, np.arange(9) % 9)) is None
    with pytest.raises(ValueError, match="cannot be paired"):
        powered_mean([1, 2], [1], [1])


def test_nothing_is_said_where_all_scenarios_have_the_same_mean():
    judge, twice = [2.0, 1.0] * 5, [one for one in range(5) for _ in "ab"]
    assert powered_mean([1.0, 2.0] * 5, judge, judge, clusters=(twice, twice)) is None
    assert powered_mean([1.0, 1.0, 2.0, 2.0, 1.0] * 2, judge, judge, clusters=(twice, twice)) is not None
