"""A combined board for programs and spreadsheets; every figure by hand."""

import pytest

from automatic_tasks.combined.joining import Column, Source, combined
from automatic_tasks.combined.tables import as_table, to_json
from automatic_tasks.models import CombinedBoard
from campaigns.models import Campaign
from leaderboards.board import BoardSource, Key, Row, Words

pytestmark = pytest.mark.usefixtures("few_are_enough")

WORDS = Words("排行榜", "Leaderboard")
ROWS = {team: Row(team, team, {}, team=team, n=4, n_failed=1, n_turns=9) for team in "AB"}
PEOPLE = Source(WORDS, {"A": {"success": 3.0}, "B": {"success": 2.0}}, rows=ROWS)
SUCCESS = Column(Key("success", WORDS, "higher", 3), PEOPLE, "success")
BOARD = CombinedBoard(
    campaign=Campaign(slug="c"),
    key="main",
    columns=[{"key": "success", "task": "", "split": "", "figure": "success", "weight": 1}],
)
STATISTICS = {
    "seed": 1,
    "n_resamples": 10,
    "n_permutations": 9,
    "rows": {
        "A": {"intervals": {"success": [2.5, 3.5]}, "rank_interval": [1, 1], "rank_probabilities": [1.0, 0.0]},
        "B": {"intervals": {"success": [1.5, 2.5]}, "rank_interval": [2, 2], "rank_probabilities": [0.0, 1.0]},
    },
    "pairs": [
        {"one": "A", "other": "B", "ahead": 0.9, "behind": 0.1, "decided_by": "success", "tests": {}, "plan": None}
    ],
}


def test_a_row_for_a_spreadsheet_has_intervals_counts_and_failures():
    heads, (first, _) = as_table(BOARD, combined([SUCCESS], None, ["success"]), STATISTICS)
    assert dict(zip(heads, first, strict=True)) == {
        "rank": 1, "team": "A", "success": 3.0, "success_low": 2.5, "success_high": 3.5, "rank_low": 1, "rank_high": 1,
        "n_records": 4, "n_failed": 1, "n_turns": 9, "reason": "", "team_en": "",
    }  # fmt: skip


def test_a_column_of_turns_says_what_a_turn_is():
    turns = Column(Key("t", WORDS, "lower", 2), Source(WORDS, {"A": {"mean_turns": 4.0}}), "mean_turns")
    board = CombinedBoard(
        campaign=Campaign(slug="c", turns_are="utterances"), key="main",
        columns=[{"key": "t", "task": "", "split": "", "figure": "mean_turns", "weight": 1}],
    )  # fmt: skip
    made = combined([turns], None, ["t"])
    heads, (row,) = as_table(board, made)
    assert (heads[-2], row[-2]) == ("turns_are", "utterances")
    assert to_json(board, BoardSource(made))["turns_are"] == "utterances"
    assert "turns_are" not in to_json(BOARD, BoardSource(combined([SUCCESS], None, ["success"])))


def test_programs_get_how_sure_a_row_is_and_why_it_is_ahead():
    answer = to_json(BOARD, BoardSource(combined([SUCCESS], None, ["success"]), STATISTICS, {"success": 0.4}))
    assert answer["rows"][0] == {
        "team_en": "", "rank": 1, "team": "A", "figures": {"success": 3.0}, "n_records": 4, "n_failed": 1, "n_turns": 9,
        "intervals": {"success": [2.5, 3.5]}, "rank_interval": [1, 1], "rank_probabilities": [1.0, 0.0],
    }  # fmt: skip
    assert answer["columns"][0]["agreement"] == 0.4
    (why,) = answer["why"]
    assert (why["ahead"], why["of"], why["is_tied"]) == ("A", "B", False)
    assert "In 10 resamples A was ahead in 90%, B in 10%." in why["how_sure"]
