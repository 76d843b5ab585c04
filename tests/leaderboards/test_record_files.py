"""Lines of a record file: the first line may begin with a byte order mark; every bad line is named at once."""

import json

import pytest
from django.utils import translation

from leaderboards.record_files import read_record_lines
from measures.live import SubtaskOutcome, record_of
from reading.checking import BadFile

GOOD = {
    "team": "甲",
    "scenario": "s",
    "reviewer": "r",
    "subtasks": [{"kind": "flight", "completed": True, "turns": 2, "cap": 9}],
}


def raw(**changed):
    return json.dumps(GOOD | changed).encode()


def test_a_line_is_a_record_and_what_else_it_holds_is_kept():
    (line,) = read_record_lines([b"\xef\xbb\xbf" + raw(note="x", ratings={"a": 1})], {"a": [0, 1]})
    assert (line.place, line.record.team, line.record.bot, line.dialogue) == ("line 1", "甲", "甲", "")
    assert line.record.subtasks == (SubtaskOutcome("flight", True, 2, 9),)
    assert line.content["note"] == "x"
    assert record_of(line.content) == line.record


def test_blank_lines_count_but_hold_nothing():
    assert [line.place for line in read_record_lines([b"", raw(), b"  ", raw(reviewer="q")], {})] == [
        "line 2",
        "line 4",
    ]


def test_a_dialogue_of_its_own_makes_a_record_of_its_own():
    assert len(read_record_lines([raw(dialogue="1"), raw(dialogue="2")], {})) == 2


def test_every_bad_line_is_named_at_once():
    subtask = {"completed": 1, "turns": 10, "cap": 9}
    lines = [b"{", raw(), raw(), b"[]", raw(team="x" * 201, bot="\x00"), raw(bot="", subtasks=[subtask], ratings=5)]
    with pytest.raises(BadFile) as bad:
        read_record_lines([*lines, raw(subtasks=[subtask | {"completed": True}]), raw(note=["\ud800"]), b"{}"], {})
    assert str(bad.value).splitlines() == [
        "line 1, column 2: is not JSON: Expecting property name enclosed in double quotes",
        "line 3: the same team, scenario and reviewer already appear at line 2",
        "line 4: must be an object, not a list",
        "line 5, bot: holds a NUL character or half a surrogate pair, which cannot be stored",
        "line 6, bot: must not be empty",
        "line 6, subtasks[0].completed: must be true or false, not 1",
        "line 6, ratings: must be an object, not a number",
        "line 7, subtasks[0].turns: is 10, more than its cap of 9",
        "line 8, note[0]: holds a NUL character or half a surrogate pair, which cannot be stored",
        "line 9, team: is missing",
        "line 9, scenario: is missing",
        "line 9, reviewer: is missing",
        "line 9, subtasks: is missing",
    ]


def test_a_bad_line_is_said_in_the_readers_language():
    with pytest.raises(BadFile) as bad:
        read_record_lines([raw(team=5)], {})
    (problem,) = bad.value.problems
    assert str(problem) == "line 1, team: must be a text, not a number"
    with translation.override("zh-hans"):
        assert str(problem) == "第 1 行, team: 必须是文本，不能是数字"


@pytest.mark.parametrize("score", [0.5, 2, "1", True, [1]])
def test_a_score_off_its_scale_is_named(score):
    with pytest.raises(BadFile, match=r"line 1, ratings\.a: must be on the scale 0…1, not \S"):
        read_record_lines([raw(ratings={"a": score})], {"a": [0, 1]})


def test_scores_of_criteria_that_are_not_asked_are_kept_as_they_are():
    (line,) = read_record_lines([raw(ratings={"other": "high", "a": None})], {"a": [0, 1]})
    assert line.record.ratings == {"other": "high", "a": None}


def test_a_criterion_scored_by_place_counts_with_its_mean():
    (line,) = read_record_lines([raw(ratings={"a": {"@1.bot": 0, "@2.bot": 1}}, dialogue_cap=9)], {"a": [0, 1]})
    assert (line.record.ratings, line.record.dialogue_cap) == ({"a": 0.5}, 9)
    assert record_of(line.content) == line.record


def test_each_score_by_place_is_on_the_scale():
    with pytest.raises(BadFile, match=r"line 1, ratings\.a\.@2\.bot: must be on the scale 0…1, not 2"):
        read_record_lines([raw(ratings={"a": {"@1.bot": 0, "@2.bot": 2}})], {"a": [0, 1]})


def test_a_table_of_something_else_that_nobody_asks_for_is_kept():
    (line,) = read_record_lines([raw(ratings={"other": {"by": "hand"}})], {"a": [0, 1]})
    assert line.record.ratings == {"other": {"by": "hand"}}
