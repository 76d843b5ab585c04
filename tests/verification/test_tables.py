"""The settings of a bundle can have the values that those of a campaign can have; they are declared in both places."""

import json

import pytest

from campaigns.campaign_file.campaign_settings import SETTINGS
from publication.bundle.documents import LEFT_OUT
from reading.kinds import Choice, Flag, Whole
from verification.archive import Read
from verification.bundle_format import COLUMNS
from verification.findings import SHOWN_PER_FILE, Findings, shown
from verification.possible_settings import (
    CHOICES,
    FLAGS,
    MAY_BE_NULL,
    QUOTA,
    WHOLE,
    check_settings,
    is_possible,
)
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


def test_a_finding_names_its_file_and_line():
    findings = Findings()
    findings.note("turns.jsonl", "is odd", line=3, figure="text")
    findings.note("campaign.json", "is odd")
    assert list(map(str, findings)) == ["turns.jsonl, line 3: is odd", "campaign.json: is odd"]
    assert next(iter(findings)).as_json() == {
        "file": "turns.jsonl",
        "text": "is odd",
        "line": 3,
        "figure": "text",
    }


def test_of_many_findings_of_a_file_the_first_are_shown_and_all_are_counted():
    findings = Findings()
    for line in range(1, 101):
        findings.note("turns.jsonl", "is odd", line=line)
    told = list(map(str, findings))
    assert len(findings) == 100
    assert told[SHOWN_PER_FILE:] == ["turns.jsonl: 80 more findings of this kind are not listed"]


def test_values_out_of_a_bundle_cannot_steer_a_terminal_or_fill_it():
    assert shown("好") == "好"
    assert "\x1b" not in shown("\x1b[31m")
    assert "\n" not in shown("a\nb")
    assert "\x1b" not in shown(["\x1b"])
    assert len(shown("x" * 10_000)) == 81


TOLD = {name: one for name, one in SETTINGS.items() if name not in LEFT_OUT}


def test_choices_flags_and_limits_are_those_of_campaigns():
    choices = {name: one for name, one in TOLD.items() if isinstance(one.kind, Choice)}
    assert {name: set(allowed) for name, allowed in CHOICES.items()} == {
        name: set(one.kind.choices) - set(one.only_in_files) for name, one in choices.items()
    }
    assert set(FLAGS) == {name for name, one in TOLD.items() if isinstance(one.kind, Flag)}
    numbers = {name: one for name, one in TOLD.items() if isinstance(one.kind, Whole)}
    assert {name: (one.kind.lowest, one.kind.highest) for name, one in numbers.items()} == WHOLE
    assert {name for name, one in numbers.items() if one.word_for_null or one.default is None} == MAY_BE_NULL
    assert (TOLD["quota"].kind.kind.lowest, TOLD["quota"].kind.kind.highest) == QUOTA


def test_every_setting_that_a_bundle_tells_is_looked_at():
    assert set(TOLD) == {*CHOICES, *FLAGS, *WHOLE, "quota", "context_message"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("turns_are", "words"), ("bot_may_end", 1), ("reply_deadline_s", 0), ("reply_deadline_s", 121),
        ("reply_deadline_s", None), ("reply_deadline_s", True), ("turn_cap", 0), ("context_message", "no place for it"),
    ],
)  # fmt: skip
def test_a_value_that_no_campaign_can_have_is_impossible(name, value):
    assert not is_possible(name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("turns_are", "utterances"), ("turn_cap", None), ("adjudicated_over", None), ("context_message", ""), ("of_later", 7)],
)  # fmt: skip
def test_a_value_that_a_campaign_can_have_is_possible(name, value):
    assert is_possible(name, value)


def found(**settings):
    findings = Findings()
    check_settings({"cap_per": "subtask", "turn_cap": None, "quota": {}} | settings, findings)
    return list(map(str, findings))


def test_one_cap_or_one_for_each_part():
    said = (
        "campaign.json: cap_per and turn_cap exclude each other: one cap spans the dialogue, or each part has its own"
    )
    assert found() == found(cap_per="dialogue", turn_cap=9) == []
    assert found(turn_cap=9) == found(cap_per="dialogue") == [said]


def test_a_quota_is_of_one_dialogue_at_least():
    assert found(quota={"booking": 3}) == []
    assert found(quota={"booking": 0}) == ["campaign.json: the quota of booking cannot be 0"]
