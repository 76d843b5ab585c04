"""People and programs side by side: figures by hand, planted orders that are found, and none where there is none."""

import random

import pytest
from scipy.stats import kendalltau

from simulation.comparing import Figures, Verdict, compared


def outcomes(rates, *, rng, scenarios=12, times=4):
    """Of each system by the rate at which it completes; turns grow as it fails."""
    completed = {
        (system, f"s{number}"): sum(rng.random() < rate for _ in range(times))
        for system, rate in rates.items()
        for number in range(scenarios)
    }
    return {cell: (times, n, 5 * n + 20 * (times - n)) for cell, n in completed.items()}


def test_means_and_differences_by_hand():
    people = {("a", "x"): (2, 1, 24), ("a", "y"): (1, 1, 6)}
    programs = {("a", "x"): (1, 1, 8), ("b", "x"): (1, 0, 20)}
    found = compared(people, programs, n_resamples=10)
    a, b = found.systems
    assert (a.people, a.programs) == (Figures(3, 2 / 3, 10.0), Figures(1, 1.0, 8.0))
    assert (b.people, b.difference) == (None, None)
    assert a.difference == Figures(1, pytest.approx(1 / 3), -2.0)
    cells = {(one.system, one.scenario): one for one in found.cells}
    assert cells["a", "x"].people == Figures(2, 0.5, 12.0)
    completion = found.agreements[0]
    # One cell that both met: 1.0 against 0.5.
    assert (completion.n_cells, completion.apart, completion.shift) == (1, 0.5, 0.5)
    assert completion.verdict is Verdict.TOO_FEW


RATES = {"a": 0.9, "b": 0.7, "c": 0.5, "d": 0.3, "e": 0.1}


def test_an_order_that_both_see_is_found_and_so_is_the_opposite_one():
    rng = random.Random(1)
    people = outcomes(RATES, rng=rng)
    alike = compared(people, outcomes(RATES, rng=rng), n_resamples=300).agreements[0]
    turned = dict(zip(RATES, reversed(RATES.values()), strict=True))
    opposite = compared(people, outcomes(turned, rng=rng), n_resamples=300).agreements[0]
    assert (alike.verdict, opposite.verdict) == (Verdict.ALIKE, Verdict.OPPOSITE)
    assert alike.kendall > 0.7
    assert alike.kendall_interval[0] > 0
    assert (alike.n_systems, alike.n_scenarios, alike.n_cells) == (5, 12, 60)


def test_where_programs_see_no_difference_there_is_no_evidence_in_most_draws():
    rng, found = random.Random(2), []
    for _ in range(20):
        people, programs = outcomes(RATES, rng=rng), outcomes(dict.fromkeys(RATES, 0.5), rng=rng)
        found.append(compared(people, programs, n_resamples=200).agreements[0].verdict)
    assert found.count(Verdict.NO_EVIDENCE) >= 14


def test_scenarios_that_people_met_more_often_shift_nothing():
    """In each cell both found the same; people had the easy scenario nine times, programs once."""
    people, programs = {}, {}
    for system in "abc":
        for number, n in enumerate((9, 1, 1, 1)):
            is_easy = number == 0
            people[system, f"s{number}"] = (n, n * is_easy, 5 * n)
            programs[system, f"s{number}"] = (1, int(is_easy), 5)
    completion, turns = compared(people, programs, n_resamples=200).agreements
    assert (completion.shift, completion.shift_interval) == (0.0, (0.0, 0.0))
    assert (turns.apart, turns.shift_interval) == (0.0, (0.0, 0.0))


def test_the_interval_of_a_shift_holds_the_shift_that_was_planted():
    rng, held = random.Random(6), 0
    for _ in range(60):
        people = outcomes(dict.fromkeys("abcd", 0.5), rng=rng, scenarios=20)
        programs = outcomes(dict.fromkeys("abcd", 0.7), rng=rng, scenarios=20)
        low, high = compared(people, programs, n_resamples=200).agreements[0].shift_interval
        held += low <= 0.2 <= high
    assert held >= 52


def test_the_coefficients_are_those_of_an_independent_library():
    rng = random.Random(3)
    found = compared(outcomes(RATES, rng=rng), outcomes(RATES, rng=rng), n_resamples=50)
    xs = [one.people.mean_turns for one in found.systems]
    ys = [one.programs.mean_turns for one in found.systems]
    assert found.agreements[1].kendall == pytest.approx(kendalltau(xs, ys).statistic)
    assert compared({}, {}, n_resamples=5).systems == ()


def test_the_same_seed_gives_the_same_intervals():
    people = outcomes(RATES, rng=random.Random(4))
    programs = outcomes(RATES, rng=random.Random(5))
    assert compared(people, programs, n_resamples=50) == compared(people, programs, n_resamples=50)
