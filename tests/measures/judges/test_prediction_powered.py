"""Prediction-powered means: the formula by hand, its coverage, and a judge without worth."""

import numpy as np
import pytest

from measures.judges.prediction_powered import powered_mean


def test_the_estimator_of_2023_is_the_mean_of_all_predictions_less_their_bias():
    people, judge, alone = [1, 2, 2, 3, 4, 2], [2, 2, 3, 3, 5, 3], [3, 1, 2, 4, 5, 3, 2, 4]
    found = powered_mean(people, judge, alone, tuning=1.0)
    assert found.value == pytest.approx(np.mean(alone) - (np.mean(judge) - np.mean(people)))
    differences = np.array(judge) - np.array(people)
    spread = np.var(alone, ddof=1) / 8 + np.var(differences, ddof=1) / 6
    assert found.interval[1] - found.value == pytest.approx(1.959963984540054 * np.sqrt(spread))
    assert found.effective == pytest.approx(np.var(people, ddof=1) / spread)


def contest(rng, *, n=60, more=400, worth=0.9):
    truth = rng.normal(0, 1, n + more)
    judge = worth * truth + np.sqrt(1 - worth**2) * rng.normal(0, 1, n + more) + 0.5
    return truth[:n], judge[:n], judge[n:]


def test_the_interval_holds_the_true_mean_whatever_the_judge_s_bias():
    rng, held = np.random.default_rng(1), 0
    for _ in range(400):
        low, high = powered_mean(*contest(rng), n_resamples=1).interval
        held += low <= 0 <= high
    assert 0.92 <= held / 400 <= 0.98


def test_a_good_judge_saves_reviews_and_one_without_worth_saves_none():
    good = powered_mean(*contest(np.random.default_rng(2)))
    assert good.saved > 60
    assert good.saved_interval[0] > 0
    assert good.interval[1] - good.interval[0] < good.people_interval[1] - good.people_interval[0]
    useless = powered_mean(*contest(np.random.default_rng(3), worth=0.0))
    assert useless.tuning < 0.3
    assert useless.saved < 10
    assert useless.saved_interval[0] < 1


def test_nothing_is_said_of_too_little():
    assert powered_mean([1, 2], [1, 2], [1] * 9) is None
    assert powered_mean([1] * 9, [1] * 9, [1] * 9) is None
    with pytest.raises(ValueError, match="cannot be paired"):
        powered_mean([1, 2], [1], [1])
