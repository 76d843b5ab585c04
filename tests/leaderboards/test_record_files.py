"""Lines of a record file: the first line may begin with a byte order mark; every bad line is named at once."""

import json

import pytest

from leaderboards.record_files import BadRecordFile, read_record_lines, record_of
from measures.live import SubtaskOutcome

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
    assert (line.number, line.record.team, line.record.bot, line.dialogue) == (1, "甲", "甲", "")
    assert line.record.subtasks == (SubtaskOutcome("flight", True, 2, 9),)
    assert line.content["note"] == "x"
    assert record_of(line.content) == line.record


def test_blank_lines_count_but_hold_nothing():
    assert [line.number for line in read_record_lines([b"", raw(), b"  ", raw(reviewer="q")], {})] == [2, 4]


def test_a_dialogue_of_its_own_makes_a_record_of_its_own():
    assert len(read_record_lines([raw(dialogue="1"), raw(dialogue="2")], {})) == 2


def test_every_bad_line_is_named_at_once():
    with pytest.raises(BadRecordFile) as bad:
        read_record_lines([b"{", raw(), raw(), b"[]", raw(team="x" * 201)], {})
    assert [line.number for line in bad.value.lines] == [1, 3, 4, 5]
    assert "already appear on line 2" in str(bad.value)


@pytest.mark.parametrize("score", [0.5, 2, "1", True, [1]])
def test_a_score_off_its_scale_is_named(score):
    with pytest.raises(BadRecordFile, match=r"`ratings\.a` is .* not on the scale 0…1"):
        read_record_lines([raw(ratings={"a": score})], {"a": [0, 1]})


def test_scores_of_criteria_that_are_not_asked_are_kept_as_they_are():
    (line,) = read_record_lines([raw(ratings={"other": "high", "a": None})], {"a": [0, 1]})
    assert line.record.ratings == {"other": "high", "a": None}
