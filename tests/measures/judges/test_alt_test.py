"""The alternative annotator test: indicators by hand, the control of false discoveries as statsmodels has it, and its power."""

import random
from operator import itemgetter

import numpy as np
import pytest
from scipy.stats import ttest_1samp
from statsmodels.stats.multitest import multipletests

from measures.judges.alt_test import alt_test, benjamini_yekutieli, power


def test_advantage_is_that_worked_by_hand():
    # Left out, p is nearer to the others on thing 1, as near on 2, farther on 3: the judge is at least as near on two of three.
    people = {"p": {1: 2, 2: 0, 3: 5}, "q": {1: 2, 2: 1, 3: 1}, "r": {1: 2, 2: 1, 3: 1}}
    found = alt_test({1: 0, 2: 0, 3: 1}, people, fewest=3)
    assert next(one for one in found.people if one.person == "p").advantage == pytest.approx(2 / 3)


def test_labels_are_aligned_by_the_share_that_is_equal():
    people = {"p": {1: 1, 2: 2}, "q": {1: 1, 2: 1}, "r": {1: 1, 2: 3}}
    found = alt_test({1: 3, 2: 1}, people, alignment="accuracy", fewest=2)
    # Thing 1: nobody else says 3. Thing 2: of q and r one says 1, none says 2.
    assert next(one for one in found.people if one.person == "p").advantage == 0.5


def made(rng, *, n=200, noise_of_judge=0.2, noise=0.3, n_people=4):
    truth = {thing: rng.choice([1, 2, 3, 4]) for thing in range(n)}

    def scores(share):
        return {thing: rng.choice([1, 2, 3, 4]) if rng.random() < share else value for thing, value in truth.items()}

    return scores(noise_of_judge), {f"p{number}": scores(noise) for number in range(n_people)}


def test_a_judge_better_than_people_passes_and_one_that_guesses_does_not():
    judge, people = made(random.Random(1))
    assert alt_test(judge, people).passes is True
    guessing, people = made(random.Random(2), noise_of_judge=1.0, noise=0.1)
    found = alt_test(guessing, people)
    assert (found.passes, found.winning_rate) == (False, 0.0)


def test_p_is_that_of_the_one_sided_t_test():
    judge, people = made(random.Random(3), noise_of_judge=0.4)
    for one in alt_test(judge, people, epsilon=0.1).people:
        others = [own for name, own in people.items() if name != one.person]
        rows = []
        for thing, own in people[one.person].items():
            given = np.array([other[thing] for other in others])
            of_judge = -np.sqrt(((given - judge[thing]) ** 2).mean())
            of_person = -np.sqrt(((given - own) ** 2).mean())
            rows.append(int(of_person >= of_judge) - int(of_judge >= of_person))
        assert one.p == pytest.approx(ttest_1samp(rows, 0.1, alternative="less").pvalue)


def test_few_things_are_tested_by_signed_ranks():
    judge, people = made(random.Random(4), n=20, noise_of_judge=0.0, noise=0.6)
    found = alt_test(judge, people, fewest=10)
    assert all(0 < one.p < 1 for one in found.people)
    assert alt_test(judge, people).winning_rate is None


def test_false_discoveries_are_held_as_statsmodels_does():
    rng = np.random.default_rng(5)
    for _ in range(50):
        p_values = list(rng.uniform(0, 0.05, 7))
        theirs = multipletests(p_values, 0.05, method="fdr_by")[0]
        assert benjamini_yekutieli(p_values) == list(theirs)
    assert benjamini_yekutieli([]) == []


def test_power_grows_with_things_and_is_that_of_a_judge_as_good_as_people():
    judge, people = made(random.Random(6), noise_of_judge=0.3)
    few, many = power(judge, people, [30, 200], n_simulated=100)
    assert few.share < many.share
    assert many.share > 0.9
    assert power(judge, people, [30], n_simulated=50) == power(judge, people, [30], n_simulated=50)


def test_turns_of_a_dialogue_are_no_dialogues():
    judge, people = made(random.Random(8), n=40)

    def by_turn(scores):
        return {(dialogue, turn): score for dialogue, score in scores.items() for turn in range(10)}

    everybody = {name: by_turn(scores) for name, scores in people.items()}
    assert alt_test(by_turn(judge), everybody, cluster_of=itemgetter(0)) == alt_test(judge, people)
    # Taken one by one, the same opinions would look ten times as many.
    assert {one.n for one in alt_test(by_turn(judge), everybody).people} == {400}
    said = power(by_turn(judge), everybody, [30], n_simulated=50, cluster_of=itemgetter(0))
    assert said == power(judge, people, [30], n_simulated=50)
    few = {
        name: {thing: score for thing, score in scores.items() if thing[0] < 29} for name, scores in everybody.items()
    }
    assert alt_test(by_turn(judge), few, cluster_of=itemgetter(0)).winning_rate is None


def test_without_people_nothing_is_said():
    found = alt_test({1: 2}, {})
    assert (found.winning_rate, found.passes, power({}, {}, [30])) == (None, None, [])


def test_things_that_one_person_alone_scored_take_no_part():
    judge, people = made(random.Random(7), n=40)
    people["alone"] = dict.fromkeys(range(1000, 1100), 1)
    judge |= dict.fromkeys(range(1000, 1100), 1)
    assert "alone" not in {one.person for one in alt_test(judge, people).people}
