import json

import pytest

from verification.archive import Read
from verification.bundle_format import COLUMNS
from verification.findings import Findings
from verification.tables import Table, beginning_of, lines_of, parsed

DISPUTE = dict.fromkeys(COLUMNS["disputes.jsonl"]) | {"tester": "t", "bot": "b", "scenario": "s", "repetition": 1}


class Lines:
    """An archive of one file."""

    former_columns = {}

    def __init__(self, *rows):
        self.seen = {"disputes.jsonl": Read()}
        self.rows = [row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows]

    def lines(self, name):
        return iter(self.rows)


def row(dialogue, **others):
    return DISPUTE | {"dialogue": dialogue} | others


def taken(*rows, dialogues=("a", "b", "c")):
    findings = Findings()
    order = {dialogue: place for place, dialogue in enumerate(dialogues)}
    table = Table(Lines(*rows), "disputes.jsonl", order, findings)
    of = {dialogue: [line for line, _ in table.of(dialogue, beginning_of(row(dialogue)))] for dialogue in dialogues}
    table.check_end()
    return of, list(map(str, findings))


def test_each_dialogue_gets_its_rows():
    assert taken(row("a"), row("a"), row("c")) == ({"a": [1, 2], "b": [], "c": [3]}, [])


def test_a_row_of_no_dialogue_is_named_and_the_others_are_found():
    of, found = taken(row("a"), row("x"), row("b"), row(7), row("c"))
    assert of == {"a": [1], "b": [3], "c": [5]}
    assert [one.split(": ")[0] for one in found] == ["disputes.jsonl, line 2", "disputes.jsonl, line 4"]


def test_a_row_behind_its_place_is_named():
    of, found = taken(row("b"), row("a"), row("c"), row("b"))
    assert of == {"a": [], "b": [1], "c": [3]}
    assert all("stands behind its place" in one for one in found)
    assert len(found) == 2


def test_a_row_that_says_another_tester_is_named():
    _, (found,) = taken(row("a", tester="u"))
    assert found == "disputes.jsonl, line 1: says another tester, bot, scenario or repetition than dialogue a has"


def test_lines_that_are_no_rows_are_named_and_left_out():
    findings = Findings()
    rows = list(
        lines_of(Lines(b"{", b"[]", row("a"), b'{"a": NaN}', b"\xff", {"dialogue": "a"}), "disputes.jsonl", findings)
    )
    assert [line for line, _ in rows] == [3]
    assert [one.line for one in findings] == [1, 2, 4, 5, 6]


@pytest.mark.parametrize("content", [b"[" * 5000, b"NaN", b"-Infinity", b"", b"9" * 5000])
def test_what_is_no_json_is_refused(content):
    with pytest.raises(ValueError):  # noqa: PT011
        parsed(content)
