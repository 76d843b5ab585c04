import pytest

from leaderboards.record_lines import figures_of, record_of
from measures.live import Record, SubtaskOutcome

LINE = {"team": "T", "scenario": "s", "reviewer": "r", "subtasks": [{"completed": True, "turns": 2, "cap": 5}]}


def test_a_line_is_a_record_whose_bot_is_called_as_its_team_where_it_names_none():
    assert record_of(LINE) == Record("T", "T", "s", "r", (SubtaskOutcome("", True, 2, 5),))
    assert record_of(LINE | {"bot": "b", "dialogue_cap": 9}).bot == "b"


@pytest.mark.parametrize(
    ("given", "figure"),
    [
        (2, 2),
        (None, None),
        ({"@1.bot": 0, "@2.bot": 1}, 0.5),
        ({}, {}),
        ({"a": "x"}, {"a": "x"}),
        ({"a": None, "b": 1}, 1),
    ],
)
def test_scores_by_place_count_with_their_mean(given, figure):
    assert figures_of({"c": given}) == {"c": figure}
