import csv
import json
from collections import defaultdict
from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.automatic.distributions import (
    BadDistribution,
    jsd,
    minus_log2,
    nmd,
    nugget_score,
    over_labels,
    popularity,
    rnss,
    rsnod,
    uniform,
)
from tests.conftest import published_rows, reference

MEASURES = {"NMD": nmd, "RSNOD": rsnod, "RNSS": rnss, "JSD": jsd}
CUSTOMER, HELPDESK = ["CNUG0", "CNUG", "CNUG*", "CNaN"], ["HNUG", "HNUG*", "HNaN"]


def test_values_worked_by_hand():
    p, gold = [1, 0, 0], [0, 0, 1]
    assert nmd(p, gold) == 1
    assert rnss(p, gold) == 1
    assert jsd(p, gold) == 1
    # DW over the one positive bin on each side: 0·1 + 2·1 = 2; SOD = 2; sqrt(2/2)
    assert rsnod(p, gold) == 1
    assert nmd([0, 1, 0], [0, 0, 1]) == 0.5
    assert rsnod([0, 1, 0], [0, 0, 1]) == pytest.approx(sqrt(1 / 2))


def test_the_golden_values_of_ntcir14():
    pairs = json.loads(reference("ntcir14", "measure_values.json").read_text())["pairs"]
    assert len(pairs) == 27
    for pair in pairs:
        p, gold = ([float(Fraction(part)) for part in pair[side]] for side in ("p", "p_star"))
        for name, measure in MEASURES.items():
            assert measure(p, gold) == pytest.approx(float(pair[name]), abs=1e-9), (pair["id"], name)


def published(table: str, run: str) -> dict[tuple[str, str], float]:
    """The printed means of a run by criterion (none for nuggets) and measure."""
    (row,) = (
        row for row in published_rows(f"ntcir14/{table}.csv") if (row["language"], row["run"]) == ("Chinese", run)
    )
    return {
        (parts[-2] if len(parts) == 3 else "", parts[-1].upper()): float(mean)
        for figure, mean in row.items()
        if len(parts := figure.split(".")) > 1
    }


BASELINES = {"BL-uniform": lambda votes: uniform(len(votes)), "BL-popularity": popularity}


@pytest.mark.parametrize("run", BASELINES)
def test_the_baselines_reproduce_the_published_means_of_dialogue_quality(run):
    wanted, found = published("dialogue_quality", run), defaultdict(list)
    with reference("ntcir14", "test_gold_quality_counts.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            votes = [int(row[f"votes_{score}"]) for score in (2, 1, 0, -1, -2)]
            for name in ("NMD", "RSNOD"):
                found[row["criterion"], name].append(MEASURES[name](BASELINES[run](votes), votes))
    assert len(wanted) == 6
    for place, mean in wanted.items():
        assert len(found[place]) == 390
        assert sum(found[place]) / 390 == pytest.approx(mean, abs=0.00005), place


@pytest.mark.parametrize("run", BASELINES)
def test_the_baselines_reproduce_the_published_means_of_nugget_detection(run):
    wanted, votes = published("nugget_detection", run), defaultdict(lambda: defaultdict(dict))
    with reference("ntcir14", "test_gold_nugget_counts.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            votes[row["dialogue_id"]][int(row["turn"]), row["sender"]][row["type"]] = int(row["votes"])
    assert len(votes) == 390
    assert len(wanted) == 2
    for (_criterion, name), mean in wanted.items():
        scores = []
        for turns in votes.values():
            sides = {"customer": [], "helpdesk": []}
            for (_turn, sender), by_type in turns.items():
                gold = over_labels(by_type, CUSTOMER if sender == "customer" else HELPDESK)
                sides[sender].append(MEASURES[name](BASELINES[run](gold), gold))
            scores.append(nugget_score(sides["customer"], sides["helpdesk"]))
        assert sum(scores) / 390 == pytest.approx(mean, abs=0.00005), name


DISTRIBUTIONS = st.lists(st.floats(0, 1), min_size=2, max_size=7).filter(lambda weights: sum(weights) > 1e-6)


@given(DISTRIBUTIONS, st.randoms())
def test_every_measure_is_0_for_equal_ones_symmetric_and_at_most_1(p, rng):
    gold = rng.sample(p, len(p))
    for measure in MEASURES.values():
        assert measure(p, p) == pytest.approx(0, abs=1e-9)
        assert measure(p, gold) == pytest.approx(measure(gold, p), abs=1e-12)
        assert -1e-12 <= measure(p, gold) <= 1 + 1e-9


def test_predictions_are_normalised_by_their_sum():
    assert nmd([2, 2], [1, 1]) == 0


@pytest.mark.parametrize("bad", [[1, -1], [0, 0], [float("nan"), 1], [float("inf"), 1], [1], []])
def test_numbers_that_are_no_distribution_are_refused(bad):
    with pytest.raises(BadDistribution):
        nmd(bad, [0.5] * len(bad))


def test_unknown_labels_are_errors_and_missing_ones_zero():
    assert over_labels({"HNUG": 3}, HELPDESK) == [1, 0, 0]
    with pytest.raises(BadDistribution, match="HNUG\\?"):
        over_labels({"HNUG?": 1}, HELPDESK)


def test_a_side_without_turns_leaves_its_weight_to_the_other():
    assert nugget_score([0.2, 0.4], [0.5], alpha=0.25) == pytest.approx(0.25 * 0.3 + 0.75 * 0.5)
    assert nugget_score([], [0.5]) == 0.5
    with pytest.raises(ValueError, match="turn"):
        nugget_score([], [])


def test_ties_share_the_popularity():
    assert popularity([3, 1, 3]) == [0.5, 0, 0.5]


def test_minus_log2_of_a_mean():
    assert minus_log2(1 / 8) == 3
    assert minus_log2(0) == float("inf")


def test_the_smallest_probability_there_is_breaks_nothing():
    assert jsd([1.0, 5e-324], [1.0, 0.0]) == 0
