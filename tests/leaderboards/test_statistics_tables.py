"""P(rank = k), other rankings and all pairs as tables, by hand."""

import pytest
from django.utils.translation import override

from leaderboards.board import Key, Row, Words, ranked
from leaderboards.explanations import Chance, OtherRanking, statistics_tables, with_statistics

C = Key("c", Words("完成率", "Completion"), "higher", 3, "C")
T = Key("t", Words("轮数", "Turns"), "lower", 2, "T")
TAU = {"n": 3, "tau": -1 / 3, "interval": [-1.0, 1.0], "p": 0.0004}


def stored(**more):
    rows = {
        "a": {"intervals": {}, "rank_probabilities": [0.5, 0.499, 0.001], "rank_interval": [1, 2]},
        "b": {"intervals": {}, "rank_probabilities": [0.5, 0.5, 0.0], "rank_interval": [1, 2]},
        "z": {"intervals": {}, "rank_probabilities": [0.0, 0.001, 0.999], "rank_interval": [3, 3]},
    }
    lost = {"difference": -0.25, "p": 0.012, "effect": -1.5}
    pairs = [
        {"one": "a", "other": "b", "ahead": 0.499, "behind": 0.5, "tests": {"c": {"difference": 0.0, "p": 1.0, "effect": None}}},
        # As documents have it: by name, the worse row in front.
        {"one": "a", "other": "z", "ahead": 0.001, "behind": 0.999, "tests": {"c": lost}},
        {"one": "b", "other": "z", "ahead": 0.0, "behind": 1.0, "tests": {"c": lost}},
    ]  # fmt: skip
    drawn = {"seed": 1, "n_resamples": 2000, "n_permutations": 5000}
    return {**drawn, "rows": rows, "pairs": pairs, "rankings": {"c": TAU, "t": {**TAU, "interval": None}}, **more}


def board():
    figures = {"a": (0.5, 9.0), "b": (0.5, 9.0), "z": (0.75, 9.0)}
    rows = [Row(key, key, {"c": c, "t": t}) for key, (c, t) in figures.items()]
    return ranked(keys=(C, T), rule=(C, T), rows=rows)


def tables(statistics, pairs_by=""):
    with override("en"):
        return statistics_tables(with_statistics(board(), statistics), statistics, pairs_by)


def test_chances_are_whole_percents_and_what_is_neither_never_nor_always_is_not_shown_as_such():
    made = tables(stored())
    assert [one.row.key for one in made.chances] == ["z", "a", "b"]
    assert [cell.percents for cell in made.chances[0].chances] == ["0", "<1", ">99"]
    assert list(made.ranks) == [1, 2, 3]


@pytest.mark.parametrize(("share", "shade"), [(0.0, 0), (0.001, 1), (0.25, 1), (0.26, 2), (0.75, 3), (1.0, 4)])
def test_a_cell_is_tinted_the_more_the_likelier_its_rank_is(share, shade):
    statistics = stored()
    statistics["rows"]["z"]["rank_probabilities"] = [share, 0.0, 0.0]
    assert tables(statistics).chances[0].chances[0].shade == shade
    assert tables(statistics).chances[0].chances[1] == Chance("0", 0)


def test_chances_of_other_rows_than_those_of_the_board_are_not_shown():
    statistics = stored()
    del statistics["rows"]["b"]
    assert tables(statistics).chances == ()


def test_a_board_without_statistics_has_no_tables():
    assert tables(None) is None
    assert tables({"rows": {}, "pairs": []}) is None


def test_pairs_come_in_the_order_of_the_board_with_the_better_row_first():
    made = tables(stored(), "c")
    assert [(pair.one, pair.other) for pair in made.pairs] == [("z", "a"), ("z", "b"), ("a", "b")]
    first, second, last = made.pairs
    assert (first.ahead, first.behind, first.difference, first.effect, first.p) == (
        "> 99%", "< 1%", "+0.250", "+1.50", "0.012"
    )  # fmt: skip
    assert (first.is_significant, second.ahead) == (True, "100%")
    assert (last.difference, last.effect, last.p, last.is_significant) == ("0.000", "–", "1.000", False)


@pytest.mark.parametrize("asked", ["", "t", "unknown"])
def test_pairs_are_made_for_a_key_that_was_tested_and_asked_for(asked):
    made = tables(stored(), asked)
    assert ([key.name for key in made.tested], made.pairs_by, made.pairs) == (["c"], None, ())


def test_a_pair_that_a_key_did_not_test_has_dashes():
    statistics = stored()
    statistics["pairs"][0]["tests"] = {}
    assert (tables(statistics, "c").pairs[-1].p, tables(statistics, "c").pairs[-1].effect) == ("–", "–")


def test_other_rankings_are_named_with_their_tau():
    made = tables(stored(development=TAU, people=None, snapshots={"2": TAU}))
    assert made.rankings[0] == OtherRanking("C alone", 3, "−0.33", "−1.00 – 1.00", "< 0.001")
    assert [one.name for one in made.rankings] == [
        "C alone", "T alone", "Development split", "Frozen leaderboard 2"
    ]  # fmt: skip
    assert made.rankings[1].interval == "–"


def test_a_rule_of_one_key_is_not_compared_with_that_key():
    statistics = stored()
    alone = ranked(keys=(C, T), rule=(C,), rows=board().rows)
    assert [one.n for one in statistics_tables(alone, statistics).rankings] == [3]


def test_a_tie_that_is_told_the_other_way_round_is_not_minus_nothing():
    statistics = stored()
    statistics["pairs"][1]["tests"] = {"c": {"difference": 0.0, "p": 1.0, "effect": 0.0}}
    assert (tables(statistics, "c").pairs[0].difference, tables(statistics, "c").pairs[0].effect) == ("0.000", "0.00")
