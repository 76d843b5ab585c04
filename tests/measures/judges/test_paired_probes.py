"""Paired probes: p by hand, and at the level of 5 % what is planted is found and nothing else."""

import random

import pytest
from scipy.stats import permutation_test

from measures.judges.paired_probes import probed


def test_p_is_the_share_of_signs_that_give_as_much():
    # Six differences of 1: of 64 patterns of signs two give a sum as large.
    found = probed([0] * 6, [1] * 6)
    assert (found.shift, found.p, found.n_moved, found.is_found) == (1, pytest.approx(2 / 64), 6, True)


def test_p_is_that_of_scipy():
    rng = random.Random(1)
    before = [rng.random() for _ in range(10)]
    after = [one + rng.gauss(0.1, 0.2) for one in before]
    theirs = permutation_test(
        (after, before), lambda x, y, axis: (x - y).mean(axis=axis), permutation_type="samples", vectorized=True
    )
    assert probed(before, after).p == pytest.approx(theirs.pvalue)


def test_nothing_that_moves_is_no_shift():
    found = probed([1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7])
    assert (found.shift, found.p, found.is_found) == (0, 1.0, False)


def test_five_dialogues_are_too_few_to_find_anything():
    assert probed([0] * 5, [1] * 5).is_found is None
    assert probed([], []).shift is None


@pytest.mark.parametrize(("shift", "low", "high"), [(0.0, 0, 9), (0.6, 90, 100)])
def test_planted_shifts_are_found_and_none_where_none_is(shift, low, high):
    rng, n_found = random.Random(3), 0
    for seed in range(100):
        before = [rng.choice([1, 2, 3, 4, 5]) for _ in range(40)]
        after = [one + rng.choice([-1, 0, 0, 1]) + (rng.random() < shift) for one in before]
        n_found += probed(before, after, seed=seed, n_resamples=10).is_found
    assert low <= n_found <= high
