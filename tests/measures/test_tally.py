"""What pictures are drawn from: by hand, and beside numpy and a second way to leave somebody out."""

from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from measures.live import LiveSums, Record, SubtaskOutcome
from measures.ranking import RankingKey, rank
from measures.tally import Tally, spread_of

RULE = (RankingKey("completion", "higher"), RankingKey("mean_turns", "lower"), RankingKey("sa", "higher"))


def record(bot, scenario, reviewer, is_finished, turns, sa):
    return Record(bot, bot, scenario, reviewer, (SubtaskOutcome("flight", is_finished, turns, 20),), {"sa": sa})


def tallied(records):
    tally = Tally(["sa"])
    for one in records:
        tally.add(one.bot, one.scenario, one)
    return tally


def drawn(seed, n_bots=4, n_scenarios=7, n_reviewers=3):
    rng = np.random.default_rng(seed)
    return [
        record(f"b{bot}", f"s{scenario}", f"r{reviewer}", bool(rng.random() < 0.3 + bot / 9), int(rng.integers(1, 20)), int(rng.integers(-2, 3)))
        for bot in range(n_bots)
        for scenario in range(n_scenarios)
        for reviewer in range(n_reviewers)
    ]  # fmt: skip


def ranks_of(records):
    sums = {}
    for one in records:
        sums.setdefault(one.bot, LiveSums()).add_record(one, ["sa"])
    figures = {bot: own.figures(["sa"]) for bot, own in sums.items()}
    rows = {
        bot: {"completion": one.completion, "mean_turns": one.mean_turns, "sa": one.ratings["sa"]}
        for bot, one in figures.items()
    }
    return {one.name: one.rank for one in rank(rows, RULE)}


def test_scores_are_counted_and_turns_are_told_apart_by_outcome():
    """By hand: an unfinished subtask is charged its cap."""
    made = tallied(
        [record("a", "s", "r1", True, 4, 1), record("a", "s", "r2", True, 6, 1), record("a", "t", "r1", False, 3, -2)]
    ).to_json(RULE)
    assert made["scores"] == {"sa": {"a": [[-2.0, 1], [1.0, 2]]}}
    assert made["turns"]["a"]["finished"] == {
        "n": 2, "low": 4, "first": 4.5, "median": 5.0, "third": 5.5, "high": 6, "mean": 5.0,
    }  # fmt: skip
    assert made["turns"]["a"]["unfinished"]["median"] == 20


def test_one_against_one_counts_the_scenarios_that_both_played():
    """By hand: a finishes s, both tie on t, b alone plays u."""
    made = tallied(
        [
            record("a", "s", "r", True, 4, 1),
            record("b", "s", "r", False, 4, 1),
            record("a", "t", "r", True, 4, 1),
            record("b", "t", "r", True, 4, 1),
            record("b", "u", "r", True, 4, 1),
        ]
    ).to_json(RULE)
    assert made["duels"] == {"a": {"b": [1, 1, 0]}, "b": {"a": [0, 1, 1]}}
    assert made["mean_ranks"] is None, "two scenarios are too few"


@pytest.mark.parametrize("seed", range(10))
def test_ranks_without_one_are_those_of_the_records_that_are_left(seed):
    records = drawn(seed)
    made, base = tallied(records).to_json(RULE)["without"], ranks_of(records)
    for part in ("reviewer", "scenario"):
        names = sorted({getattr(one, part) for one in records})
        others = {name: ranks_of([one for one in records if getattr(one, part) != name]) for name in names}
        assert made[part]["n"] == len(names)
        for bot, row in made[part]["rows"].items():
            places = [base[bot], *(ranks[bot] for ranks in others.values())]
            assert (row["low"], row["high"]) == (min(places), max(places))
            assert row["moved_by"] == [[name, ranks[bot]] for name, ranks in others.items() if ranks[bot] != base[bot]]


def test_without_a_reviewer_the_others_share_the_weight_of_the_dialogue():
    """By hand: in s r1 says that a finished, r2 that it did not, half each; all else is r2's alone. a has (1/2 + 1) / 2 = 0.75, b 3/5.

    Without r1, s is r2's alone and weighs one: a has (0 + 1) / 2 = 0.5 and is behind b. With half a dialogue left it would have
    1 / 1.5 = 0.67 and stay first. Without r2, nothing of b is left.
    """
    half = Fraction(1, 2)
    tally = Tally(["sa"])
    for reviewer, is_finished in (("r1", True), ("r2", False)):
        tally.add("a", "s", replace(record("a", "s", reviewer, is_finished, 4, 0), weight=half), "d1")
    tally.add("a", "t", record("a", "t", "r2", True, 4, 0), "d2")
    for number, is_finished in enumerate((True, True, True, False, False)):
        tally.add("b", f"u{number}", record("b", f"u{number}", "r2", is_finished, 4, 0), f"d{number + 3}")
    assert tally.to_json(RULE)["without"]["reviewer"]["rows"] == {
        "a": {"low": 1, "high": 2, "moved_by": [["r1", 2]], "n_moving": 1},
        "b": {"low": 1, "high": 2, "moved_by": [["r1", 1]], "n_moving": 1},
    }


@pytest.mark.parametrize("seed", range(5))
def test_ranks_without_a_reviewer_are_those_of_panels_weighed_anew(seed):
    """Panels of one to three: the records that are left are given their shares from the start."""
    rng = np.random.default_rng(seed)
    panels = defaultdict(list)
    for one in drawn(seed):
        if one.reviewer == "r0" or rng.random() < 0.5:
            panels[one.bot, one.scenario].append(one)

    def weighed(records):
        return [replace(one, weight=Fraction(1, len(records))) for one in records]

    tally = Tally(["sa"])
    for (bot, scenario), records in panels.items():
        for one in weighed(records):
            tally.add(bot, scenario, one, f"{bot}-{scenario}")
    made = tally.to_json(RULE)["without"]["reviewer"]["rows"]
    names = ("r0", "r1", "r2")
    everything = ranks_of([one for records in panels.values() for one in weighed(records)])
    left = {
        name: ranks_of([one for own in panels.values() for one in weighed([it for it in own if it.reviewer != name])])
        for name in names
    }
    for bot, row in made.items():
        moved = [[name, left[name][bot]] for name in names if left[name].get(bot, everything[bot]) != everything[bot]]
        assert row["moved_by"] == moved


def test_without_the_only_reviewer_nothing_is_left_to_rank():
    made = tallied([record("a", "s", "r", True, 4, 1)]).to_json(RULE)["without"]["reviewer"]
    assert made == {"n": 1, "rows": {"a": {"low": 1, "high": 1, "moved_by": [], "n_moving": 0}}}


@pytest.mark.parametrize("seed", range(10))
def test_quartiles_are_those_of_numpy(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(1, 40, int(rng.integers(1, 50))).tolist()
    found = spread_of(Counter(values))
    ends = ("low", "first", "median", "third", "high")
    assert [found[name] for name in ends] == pytest.approx(np.quantile(values, [0, 0.25, 0.5, 0.75, 1]).tolist())
    assert found["mean"] == pytest.approx(np.mean(values))
