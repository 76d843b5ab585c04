"""Bias and drift against gold, with figures that are worked out by hand."""

from datetime import timedelta

import pytest

from reviews.gold_agreement import against_gold
from reviews.training import GoldTry
from tests.reviews.conftest import NOON

ANN, BEN = 7, 8


def tried(minute, differences, *, reviewer=ANN, n_exact=0, n_scores=0):
    at = NOON + timedelta(minutes=minute)
    return GoldTry(reviewer, minute, False, at, n_exact, n_scores, differences)


def at_s(*minutes):
    return [(NOON + timedelta(minutes=minute)).timestamp() for minute in minutes]


def test_the_clock_of_the_drift_is_all_that_was_handed_in():
    """Deviations 0, 1, 1 at the hand-ins 0, 2, 4. Slope 2/8 per hand-in; residuals −1/6, 1/3, −1/6, so s² = 1/6 with one degree of freedom and
    t = 12.7062: 12.7062·√(1/48) = 1.83399."""
    told = against_gold(
        [tried(0, {"fluency": 0}), tried(20, {"fluency": 1}), tried(40, {"fluency": 1})], {ANN: at_s(10, 30)}
    )
    figures = told[str(ANN)]
    assert (figures["n"], figures["bias"]) == (3, pytest.approx(2 / 3, abs=1e-6))
    assert figures["drift"] == pytest.approx([25, 25 - 183.399, 25 + 183.399], abs=1e-3)
    assert figures["criteria"]["fluency"]["drift"] == figures["drift"]


def test_opposite_biases_of_two_criteria_are_told_apart():
    told = against_gold([tried(0, {"satisfaction": -2, "fluency": 2, "guidance": 0})], {})[str(ANN)]
    assert told["bias"] == 0
    assert {key: one["bias"] for key, one in told["criteria"].items()} == {
        "satisfaction": -2,
        "fluency": 2,
        "guidance": 0,
    }


def test_the_places_of_a_criterion_are_one_opinion_per_dialogue():
    told = against_gold([tried(0, {"coherence#1": 1, "coherence#2": 2}), tried(1, {"coherence#1": 0})], {})[str(ANN)]
    assert told["criteria"]["coherence"]["bias"] == pytest.approx(0.75)


def test_two_tries_say_nothing_of_drift_and_labels_nothing_of_bias():
    tries = [tried(0, {}, n_exact=1, n_scores=2), tried(1, {}, n_exact=2, n_scores=2)]
    assert against_gold(tries, {ANN: at_s(2)}) == {
        str(ANN): {"n": 2, "exact": 0.75, "bias": None, "drift": None, "criteria": {}}
    }


def test_each_reviewer_has_their_own():
    told = against_gold([tried(0, {"fluency": 1}), tried(1, {"fluency": -1}, reviewer=BEN)], {})
    assert {person: figures["bias"] for person, figures in told.items()} == {"7": 1, "8": -1}
