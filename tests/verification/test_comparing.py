import pytest

from verification.bundle_format import as_document, as_line
from verification.comparing import RecordLines, compare_board, differences
from verification.findings import Findings


def record(dialogue, reviewer="p", **others):
    return {"team": "T", "bot": "b", "scenario": "s", "reviewer": reviewer, "dialogue": dialogue} | others


def compared(actual, recomputed):
    """What is said of those lines beside the recomputed records, whose dialogues are a, b, c …"""
    findings = Findings()
    lines = RecordLines(iter(as_line(one).rstrip("\n").encode() for one in actual), findings)
    for one in recomputed:
        lines.compare(one, lambda other, one=one: other["dialogue"] < one["dialogue"])
    lines.check_end()
    return lines.n_equal, list(map(str, findings))


RECORDS = [record(dialogue) for dialogue in "abc"]


def test_equal_lines_are_counted():
    assert compared(RECORDS, RECORDS) == (3, [])


def test_a_difference_is_named_by_its_field():
    n_equal, (found,) = compared(
        [RECORDS[0], record("b", turns=[1, 2]), RECORDS[2]], [*RECORDS[:1], record("b", turns=[1, 3]), RECORDS[2]]
    )
    assert n_equal == 2
    assert found == "records.jsonl, line 2: the record of p on dialogue b says turns[1] is 2; recomputed it is 3"


def test_a_missing_record_and_one_too_many_are_named_alone():
    assert compared(RECORDS[1:], RECORDS) == (
        2,
        ["records.jsonl, line 1: the record of p on dialogue a is missing here"],
    )
    assert compared(RECORDS[:2], RECORDS) == (2, ["records.jsonl: the record of p on dialogue c is missing here"])
    for twice in range(3):
        lines = sorted([*RECORDS, RECORDS[twice]], key=lambda one: one["dialogue"])
        n_equal, (found,) = compared(lines, RECORDS)
        assert n_equal == 3
        assert found.startswith(f"records.jsonl, line {twice + 2}: appears twice")


def test_the_same_record_written_otherwise_is_named():
    findings = Findings()
    lines = RecordLines(iter([as_line(RECORDS[0]).replace(": ", ":").rstrip("\n").encode(), b"nonsense"]), findings)
    lines.compare(RECORDS[0], lambda other: False)
    lines.compare(RECORDS[1], lambda other: False)
    assert list(map(str, findings)) == [
        "records.jsonl, line 1: the record of p on dialogue a is written otherwise than records are",
        "records.jsonl, line 2: is no record",
        "records.jsonl: the record of p on dialogue b is missing here",
    ]


@pytest.mark.parametrize(
    ("expected", "actual", "where"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 1.0}, ["a"]),
        ({"a": 1}, {"a": True}, ["a"]),
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, ["a[1].b"]),
        ({"a": [1]}, {"a": [1, 2]}, ["a[1]"]),
        ({"a": 1}, {"b": 1}, ["a", "b"]),
        ({"a": None}, {}, ["a"]),
    ],
)
def test_differences_are_named_by_their_place(expected, actual, where):
    assert [place for place, _, _ in differences(expected, actual)] == where


def test_a_board_is_compared_byte_for_byte():
    board = {"rows": [{"bot": "b", "figures": {"fluency": 0.5}}], "unranked": []}
    findings = Findings()
    compare_board(as_document(board), board, findings)
    assert not list(findings)
    compare_board(as_document(board).replace(b"0.5", b"0.50"), board, findings)
    compare_board(as_document(board).replace(b"0.5", b"0.75"), board, findings)
    assert list(map(str, findings)) == [
        "leaderboard.json: says the recomputed figures, but is not written as they are",
        "leaderboard.json: rows[0].figures.fluency (b) is 0.75; recomputed it is 0.5",
    ]
