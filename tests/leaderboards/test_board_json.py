"""What programs get of a board: figures, how sure they are, and why each row is ahead of the next."""

from dataclasses import replace

from django.utils.translation import override

from leaderboards.board import BoardSource, Key, Row, Words, ranked
from leaderboards.board_json import board_as_text, rounded, to_json
from leaderboards.live_board import Unranked
from rubrics.column_names import COLUMNS

C = Key("c", Words("完成率", "Completion"), "higher", 3, "C")
ROWS = [
    Row("a", "bot a", {"c": 0.5}, team="A", n=8, n_failed=1, n_turns=9),
    Row("b", "bot b", {"c": 0.25}, team="B", n=8, n_failed=0, n_turns=8),
    Row("d", "bot d", {"c": 0.25}, team="D", n=8),
    Row("e", "bot e", {}, team="E", n=0, reason=Unranked.NO_REVIEWS),
]
BOARD = ranked(keys=(C,), rule=(C,), rows=ROWS)
STATISTICS = {
    "n_resamples": 2000,
    "n_permutations": 5000,
    "rows": {
        key: {"intervals": {"c": [0.25, 0.75]}, "rank_interval": [1, 3], "rank_probabilities": [0.5, 0.25, 0.25]}
        for key in "abd"
    },
    "pairs": [
        {
            "one": "b", "other": "a", "ahead": 0.1, "behind": 0.9, "decided_by": "c", "plan": None,
            "tests": {"c": {"difference": -0.25, "p": 0.2, "effect": -0.75}},
        }
    ],
}  # fmt: skip


def told(statistics=STATISTICS, agreement=None):
    with override("en"):
        return to_json("small", BoardSource(BOARD, statistics, agreement or {}), turns_are="exchanges")


def test_a_row_says_how_sure_it_is_and_what_failed():
    assert told()["rows"][0] == {
        "rank": 1, "key": "a", "team": "A", "team_en": "", "bot": "bot a", "n_records": 8, "n_failed": 1, "n_turns": 9, "c": 0.5,
        "intervals": {"c": [0.25, 0.75]}, "rank_interval": [1, 3], "rank_probabilities": [0.5, 0.25, 0.25],
    }  # fmt: skip
    assert (told()["rows"][2]["n_failed"], told()["rows"][2]["n_turns"]) == (None, None)


def test_without_statistics_nothing_is_said_of_how_sure_it_is():
    row = told(None)["rows"][0]
    assert (row["intervals"], row["rank_interval"], row["rank_probabilities"]) == ({}, None, None)


def test_of_a_row_with_few_records_and_of_ranks_beside_it_nothing_is_told():
    few = replace(BOARD, rows=(replace(BOARD.rows[0], n=4), *BOARD.rows[1:]))
    with override("en"):
        said = to_json("small", BoardSource(few, STATISTICS, {}), turns_are="exchanges")
    one, other = said["rows"][:2]
    assert (one["intervals"], one["rank_interval"], one["rank_probabilities"]) == ({}, None, None)
    assert (other["intervals"], other["rank_interval"]) == ({"c": [0.25, 0.75]}, None)
    assert [len(why["how_sure"]) for why in said["why"]] == [0, 0]


def test_ranks_that_were_drawn_without_a_row_of_the_board_are_not_told():
    fewer = {**STATISTICS, "rows": {key: row for key, row in STATISTICS["rows"].items() if key != "d"}}
    assert told(fewer)["rows"][0]["rank_probabilities"] is None
    assert told(fewer)["rows"][0]["intervals"] == {"c": [0.25, 0.75]}


def test_a_row_without_a_rank_says_why_for_programs_and_for_people():
    (row,) = told()["unranked"]
    assert (row["key"], row["rank"], row["reason"], row["reason_text"]) == (
        "e",
        None,
        "no reviews",
        "waits for reviews",
    )


def test_no_criterion_takes_the_place_of_what_a_row_says_beside_its_figures():
    document = told()
    assert {name for row in (*document["rows"], *document["unranked"]) for name in row} - {"c"} <= COLUMNS


def test_a_column_has_the_agreement_of_its_reviewers():
    assert told()["columns"][0]["agreement"] is None
    assert told(agreement={"c": 0.61})["columns"][0] == {
        "key": "c", "head": "C", "better": "higher", "decimals": 3, "agreement": 0.61
    }  # fmt: skip


def test_of_every_two_neighbours_it_says_why_the_first_is_ahead():
    first, second = told()["why"]
    assert (first["ahead"], first["of"], first["is_tied"]) == ("a", "b", False)
    assert first["steps"] == [
        {
            "key": "c", "ahead": 0.5, "of": 0.25, "verdict": "decides",
            "sentence": "A · bot a has 0.500, B · bot b 0.250: higher by 0.250. This decides.",
        }
    ]  # fmt: skip
    # Stored the other way round: A was ahead in 90%.
    assert "A · bot a was ahead in 90%" in first["how_sure"][0]
    assert "The effect size in C is 0.75 in favour of A · bot a" in first["how_sure"][2]
    assert (second["ahead"], second["of"], second["is_tied"], second["how_sure"]) == ("b", "d", True, [])


PRINTED = [
    {"key": "completion", "head": "C", "better": "higher", "decimals": 3},
    {"key": "mean_turns", "head": "T", "better": "lower", "decimals": 2},
]


def test_columns_are_aligned_and_rounded_and_the_unranked_come_last():
    first = {"rank": 1, "team": "一队", "bot": "a", "n_records": 63, "completion": 2 / 3, "mean_turns": 34.285}
    other = {"rank": None, "team": "Two", "bot": "bee", "n_records": 0, "completion": None, "mean_turns": None}
    board = {"columns": PRINTED, "rows": [first], "unranked": [other]}
    assert board_as_text(board).splitlines() == [
        "#  team  bot   n      C      T",
        "─  ────  ───  ──  ─────  ─────",
        "1  一队  a    63  0.667  34.28",
        "–  Two   bee   0      –      –",
    ]


def test_missing_is_not_zero():
    assert (rounded(0.0, 2), rounded(None, 2)) == ("0.00", "–")


def test_negative_figures_have_a_true_minus_and_a_rounded_zero_has_none():
    assert (rounded(-1.5, 2), rounded(-0.001, 2)) == ("−1.50", "0.00")
