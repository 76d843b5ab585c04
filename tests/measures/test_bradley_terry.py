"""Strengths from pairs: against a library's conditional logit, against hand-worked designs, and how often intervals hold the truth."""

import random
from itertools import combinations
from math import exp, log, sqrt

import numpy as np
import pytest
from statsmodels.discrete.conditional_models import ConditionalLogit

from measures.bradley_terry import (
    Comparison,
    Islands,
    NotIdentified,
    OneSided,
    OnlyTies,
    chances,
    difference_of,
    fit,
    intervals,
    votes_needed,
)

NAMES = ("a", "b", "c", "d", "e")


def votes(text):
    """`a>b` for a win, `a=b` for a tie, `a-b` for both bad."""
    found = []
    for word in text.split():
        verdict = {">": "first", "=": "tie", "-": "both_bad"}[word[1]]
        found.append(Comparison(word[0], word[2], verdict))
    return found


def design(rng, *, n_systems, n_votes, tie, coefficient=None, n_judges=12, n_scenarios=15, repeats=0.0):
    """Votes of judges who say again what they said of the same two with the chance `repeats`, and the strengths they are drawn from."""
    names = NAMES[:n_systems]
    strengths = {name: rng.gauss(0, 0.6) for name in names}
    mean = sum(strengths.values()) / n_systems
    strengths = {name: value - mean for name, value in strengths.items()}
    found, said = [], {}
    for number in range(n_votes):
        judge, scenario = f"judge-{number % n_judges}", f"scenario-{rng.randrange(n_scenarios)}"
        first, second = rng.sample(names, 2)
        x = (rng.gauss(0, 2),) if coefficient is not None else ()
        wins, loses, _neither = chances(strengths[first] - strengths[second] + (coefficient * x[0] if x else 0.0), tie)
        drawn = rng.random()
        verdict = "first" if drawn < wins else "second" if drawn < wins + loses else rng.choice(["tie", "both_bad"])
        if (judge, first, second) in said and rng.random() < repeats:
            verdict = said[judge, first, second]
        said[judge, first, second] = verdict
        said[judge, second, first] = {"first": "second", "second": "first"}.get(verdict, verdict)
        found.append(Comparison(first, second, verdict, judge, scenario, x))
    return strengths, found


def logit(comparisons, names, n_covariates):
    """The same model as a conditional logit of three alternatives a vote, by statsmodels: strengths of mean 0, ν and coefficients."""
    has_ties = any(one.verdict in ("tie", "both_bad") for one in comparisons)
    rows, chosen, groups = [], [], []
    for number, one in enumerate(comparisons):
        half = [(name == one.first) / 2 - (name == one.second) / 2 for name in names[1:]]
        half += [value / 2 for value in one.covariates]
        alternatives = [(half, 0.0, one.verdict == "first"), ([-value for value in half], 0.0, one.verdict == "second")]
        if has_ties:
            alternatives.append(([0.0] * len(half), 1.0, one.verdict in ("tie", "both_bad")))
        for values, tie, is_chosen in alternatives:
            rows.append([*values, *([tie] if has_ties else [])])
            chosen.append(int(is_chosen))
            groups.append(number)
    model = ConditionalLogit(np.array(chosen), np.array(rows), groups=np.array(groups))
    found = model.fit(method="newton", disp=False, tol=1e-12, maxiter=100).params
    strengths = np.concatenate([[0.0], found[: len(names) - 1]])
    covariates = found[len(names) - 1 : len(names) - 1 + n_covariates]
    return strengths - strengths.mean(), exp(found[-1]) if has_ties else 0.0, covariates


@pytest.mark.parametrize("seed", range(100))
def test_strengths_are_those_of_a_conditional_logit(seed):
    rng = random.Random(seed)
    n_systems, with_covariate = rng.randint(2, 5), seed % 3 == 0
    _strengths, comparisons = design(
        rng,
        n_systems=n_systems,
        n_votes=90,
        tie=rng.choice([0.0, 0.3, 1.0]),
        coefficient=0.3 if with_covariate else None,
    )
    ours = fit(comparisons, covariate_names=("x",) if with_covariate else ())
    strengths, tie, covariates = logit(comparisons, ours.names, int(with_covariate))
    assert list(ours.strengths.values()) == pytest.approx(strengths, abs=1e-6)
    assert ours.tie == pytest.approx(tie, abs=1e-6)
    assert list(ours.coefficients.values()) == pytest.approx(covariates, abs=1e-6)


def test_two_systems_without_ties_differ_by_the_log_odds():
    found = fit(votes("a>b a>b a>b b>a"))
    assert found.strengths["a"] - found.strengths["b"] == pytest.approx(log(3), abs=1e-9)
    assert sum(found.strengths.values()) == pytest.approx(0, abs=1e-12)
    assert found.tie == 0
    # The variance of log odds is 1/3 + 1/1; each strength moves by half of it.
    assert sqrt(found.covariance[0, 0]) == pytest.approx(sqrt(4 / 3) / 2, abs=1e-6)


def test_two_systems_with_ties_have_the_shares_of_their_votes():
    """With three outcomes and two parameters the model meets the lead and the ties: 4 wins, 1 loss and 2 of neither."""
    found = fit(votes("a>b a>b a>b a>b b>a a=b a-b"))
    assert found.chances("a", "b") == pytest.approx((4 / 7, 1 / 7, 2 / 7), abs=1e-9)
    assert found.chances("b", "a") == pytest.approx((1 / 7, 4 / 7, 2 / 7), abs=1e-9)
    assert found.strengths["a"] - found.strengths["b"] == pytest.approx(log(4), abs=1e-9)
    assert found.tie == pytest.approx(1, abs=1e-9)
    assert (found.n_votes, found.n_both_bad) == (7, 1)


def test_both_bad_is_a_tie_to_the_strengths():
    assert fit(votes("a>b b>a b>a a=b")).strengths == fit(votes("a>b b>a b>a a-b")).strengths


def test_the_order_and_the_sides_of_votes_do_not_matter():
    rng = random.Random(4)
    _strengths, comparisons = design(rng, n_systems=4, n_votes=80, tie=0.5, coefficient=0.4)
    mirrored = [
        Comparison(
            one.second,
            one.first,
            {"first": "second", "second": "first"}.get(one.verdict, one.verdict),
            covariates=tuple(-value for value in one.covariates),
        )
        for one in rng.sample(comparisons, len(comparisons))
    ]
    ours, theirs = (fit(some, covariate_names=("x",)) for some in (comparisons, mirrored))
    assert list(ours.strengths.values()) == pytest.approx(list(theirs.strengths.values()), abs=1e-9)
    assert ours.coefficients == pytest.approx(theirs.coefficients, abs=1e-9)


def test_systems_that_no_vote_connects_are_refused_whatever_the_penalty():
    with pytest.raises(Islands) as refused:
        fit(votes("a>b b>a c>d d>c"), penalty=0.01)
    assert refused.value.groups == (("a", "b"), ("c", "d"))


def test_a_system_that_won_everything_is_refused_or_penalised():
    comparisons = votes("a>b a>c b>c c>b b=c")
    with pytest.raises(OneSided) as refused:
        fit(comparisons)
    assert refused.value.groups == (("a",), ("b", "c"))
    found = fit(comparisons, penalty=0.01)
    assert found.penalty == 0.01
    assert found.strengths["a"] > 3 > found.strengths["b"] == pytest.approx(found.strengths["c"], abs=1e-6)


@pytest.mark.parametrize("text", ["a=b b-a a=b", "a>b a=b", "a>b b=c c=a"])
def test_ties_that_outweigh_every_circle_of_wins_are_refused(text):
    with pytest.raises(OnlyTies):
        fit(votes(text))
    assert fit(votes(text), penalty=0.01).tie > 1


def test_a_circle_of_more_wins_than_ties_has_a_maximum():
    found = fit(votes("a>b b>c c=a"))
    assert found.strengths["a"] > found.strengths["c"]


def test_a_covariate_that_follows_from_the_systems_is_refused():
    lengths = {"a": 1.0, "b": 3.0, "c": 7.0}
    comparisons = [
        Comparison(first, second, verdict, covariates=(lengths[first] - lengths[second],))
        for first, second in combinations("abc", 2)
        for verdict in ("first", "second", "tie")
    ]
    with pytest.raises(NotIdentified):
        fit(comparisons, covariate_names=("length",))


def test_what_is_no_comparison_is_refused():
    for wrong in ([], [Comparison("a", "a", "tie")], [Comparison("a", "b", "tie", covariates=(1.0,))]):
        with pytest.raises(ValueError, match=r"no vote|no comparison"):
            fit(wrong)


def test_control_takes_length_out_of_the_strengths():
    """Judges who like length alone: its strength is the longer system's until length is controlled for."""
    rng = random.Random(7)
    comparisons = []
    for number in range(4000):
        longer = 1.0 + rng.gauss(0, 1)
        wins, loses, _tie = chances(0.8 * longer, 0.5)
        drawn = rng.random()
        verdict = "first" if drawn < wins else "second" if drawn < wins + loses else "tie"
        comparisons.append(Comparison("long", "short", verdict, f"judge-{number % 20}", covariates=(longer,)))
    plain = fit([Comparison(one.first, one.second, one.verdict) for one in comparisons])
    controlled = fit(comparisons, covariate_names=("length",))
    assert plain.strengths["long"] > 0.3
    assert controlled.strengths["long"] == pytest.approx(0, abs=0.1)
    assert controlled.coefficients["length"] == pytest.approx(0.8, abs=0.1)


def test_the_same_seed_draws_the_same_intervals():
    _strengths, comparisons = design(random.Random(1), n_systems=3, n_votes=120, tie=0.4)
    one, again, other = (
        intervals(comparisons, rng=random.Random(seed), n_resamples=50).strength("a") for seed in (5, 5, 6)
    )
    assert one == again != other
    assert one.low < one.value < one.high


def test_votes_of_one_judge_on_one_scenario_have_no_interval():
    found = intervals(votes("a>b b>a a=b"), rng=random.Random(0), n_resamples=20)
    assert found.strength("a").low is None
    assert found.design_effect is None


def test_judges_who_repeat_themselves_widen_intervals():
    rng = random.Random(2)
    _strengths, comparisons = design(rng, n_systems=3, n_votes=600, tie=0.3, repeats=0.9)
    clustered = intervals(comparisons, rng=random.Random(0), n_resamples=300)
    assert clustered.design_effect > 3


def test_intervals_hold_the_truth():
    """95 of 100, over strengths and their differences: independent votes, and those of judges who repeat themselves."""
    for repeats in (0.0, 0.5):
        n_held = n = 0
        for seed in range(120):
            strengths, comparisons = design(
                random.Random(f"{seed}/{repeats}"),
                n_systems=4,
                n_votes=400,
                tie=0.5,
                n_judges=25,
                n_scenarios=25,
                repeats=repeats,
            )
            found = intervals(comparisons, rng=random.Random(seed), n_resamples=200)
            for name, truth in strengths.items():
                held = found.strength(name)
                n_held += held.low <= truth <= held.high
            for first, second in combinations(strengths, 2):
                held = found.difference(first, second)
                n_held += held.low <= strengths[first] - strengths[second] <= held.high
            n += 10
        assert 0.93 <= n_held / n <= 0.97, (repeats, n_held / n)


def test_the_planner_gives_connors_numbers():
    """6 of 10 wins without ties: (1.96 + 0.8416 · √0.96)² / 0.04 = 193.9."""
    assert votes_needed(difference_of(0.6)) == 194
    assert votes_needed(difference_of(0.6), design_effect=2) == 388
    with pytest.raises(ValueError, match="never part"):
        votes_needed(0)


@pytest.mark.parametrize(("share", "tie_share"), [(0.65, 0.0), (0.7, 0.4)])
def test_as_many_votes_as_planned_part_two_systems_at_80_percent(share, tie_share):
    n = votes_needed(difference_of(share), tie_share=tie_share)
    numbers = np.random.default_rng(3)
    outcomes = numbers.multinomial(n, chances(difference_of(share), 2 * tie_share / (1 - tie_share)), size=20_000)
    wins, losses = outcomes[:, 0], outcomes[:, 1]
    power = (np.abs(wins - losses) / np.sqrt(wins + losses) > 1.96).mean()
    assert power == pytest.approx(0.8, abs=0.025)


def test_time_is_linear_in_distinct_pairs():
    """A hundred thousand votes on ten pairs cost counts alone: as many parameters, and ten rows."""
    comparisons = [Comparison(first, second, "first") for first, second in combinations(NAMES, 2)] * 9_000
    comparisons += [Comparison(second, first, "first") for first, second in combinations(NAMES, 2)] * 1_000
    found = fit(comparisons)
    assert found.n_votes == 100_000
    assert found.strengths["a"] > found.strengths["e"]
