"""The board on a terminal, from what programs get."""

from leaderboards.board_json import board_as_text, rounded

COLUMNS = [
    {"key": "completion", "head": "C", "better": "higher", "decimals": 3},
    {"key": "mean_turns", "head": "T", "better": "lower", "decimals": 2},
]


def test_columns_are_aligned_and_rounded_and_the_unranked_come_last():
    first = {"rank": 1, "team": "一队", "bot": "a", "n_records": 63, "completion": 2 / 3, "mean_turns": 34.285}
    other = {"rank": None, "team": "Two", "bot": "bee", "n_records": 0, "completion": None, "mean_turns": None}
    board = {"columns": COLUMNS, "rows": [first], "unranked": [other]}
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
