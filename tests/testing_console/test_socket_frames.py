"""Frames of a dialogue's socket: what a client sends is of its kind or refused with its place; what is sent fits its schema."""

import json
from contextlib import suppress

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from dialogues import events
from dialogues.turn_taking import EndReason, Refusal, RefusalCode
from testing_console.socket_frames import FRAME_LIMIT_BYTES, FRAMES, asked_by, dialogue_frames, is_key, parsed_frame

SEND = {"type": "turn.send", "key": "k", "text": "好"}


CLOSE = {"type": "subtask.close", "subtask": 1, "finished": True}


def refused(text, language="en"):
    """Put into words after the frame was read, as sockets do."""
    with pytest.raises(Refusal) as refusal, translation.override("zh-hans"):
        asked_by(parsed_frame(text))
    with translation.override(language):
        return refusal.value.code, refusal.value.message


@pytest.mark.parametrize(
    ("frame", "asked"),
    [
        (SEND | {"more": 1}, {"key": "k", "text": "好"}),
        (SEND | {"key": " ", "text": "好" * 2000}, {"key": " ", "text": "好" * 2000}),
        ({"type": "turn.retry", "turn": 2}, {"number": 2}),
        (CLOSE, {"index": 1, "is_finished": True}),
        ({"type": "dialogue.end", "reason": "gave_up"}, {"reason": EndReason.GAVE_UP}),
        ({"type": "ping"}, {}),
    ],
)
def test_a_frame_is_what_its_command_takes(frame, asked):
    assert asked_by(parsed_frame(json.dumps(frame))) == asked


@pytest.mark.parametrize("text", ["", "   ", "\u3000", None, 7, "a\x00b", "\ud800"])
def test_a_text_that_says_nothing_or_cannot_be_stored_is_a_bad_frame(text):
    code, message = refused(json.dumps(SEND | {"text": text}))
    assert code == "bad_frame"
    assert message.startswith("text: ")


def test_a_text_of_2001_characters_is_too_long():
    assert refused(json.dumps(SEND | {"text": "好" * 2001}, ensure_ascii=False)) == (
        "too_long",
        "text: has 2001 characters; 2000 are the most",
    )


@pytest.mark.parametrize("key", ["", "k" * 65, None, 3, "\x00", "\ud800", ["k"]])
def test_a_key_has_1_to_64_characters(key):
    assert refused(json.dumps(SEND | {"key": key})) == ("bad_frame", "key: must be a text of 1 to 64 characters")
    assert not is_key(key)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "Frames are JSON text, not binary."),
        ("not json", "line 1, column 1: is not JSON: Expecting value"),
        ('{"type": "ping", "type": "ping"}', "is not usable JSON: a key appears twice in one object"),
        ("[" * 5000, "is not usable JSON: nested more than 40 levels deep"),
        ("[NaN]", "is not usable JSON: NaN is not JSON"),
        ("[1]", "frame: must be an object, not a list"),
        ("{}", "The frame's `type` is not known."),
        ('{"type": ["turn.send"]}', "The frame's `type` is not known."),
        ('{"type": "turn.retry", "turn": "1"}', 'turn: must be a whole number from 0 to 2147483647, not "1"'),
        ('{"type": "turn.retry", "turn": 2147483648}', "turn: must be a whole number from 0 to 2147483647, not 2147483648"),
        (json.dumps(CLOSE | {"finished": 1}), "finished: must be true or false, not 1"),
        (json.dumps(CLOSE | {"subtask": True}), "subtask: must be a whole number from 1 to 2147483647, not true"),
        ('{"type": "dialogue.end", "reason": "bored"}', 'reason: must be one of done, gave_up, not "bored"'),
        ('{"type": "dialogue.end", "reason": {}}', "reason: must be one of done, gave_up, not {…}"),
    ],
)  # fmt: skip
def test_what_is_no_frame_is_refused_with_its_place(text, message):
    assert refused(text) == ("bad_frame", message)


def test_the_code_is_the_same_in_every_language_and_the_sentence_is_not():
    text = json.dumps(SEND | {"key": ""})
    assert refused(text, "zh-hans") == ("bad_frame", "key: 必须是 1 到 64 个字符的文本")


def test_a_frame_has_a_limit_in_bytes():
    assert parsed_frame(json.dumps({"x": "y" * (FRAME_LIMIT_BYTES - 9)}))
    assert refused(json.dumps({"x": "y" * (FRAME_LIMIT_BYTES - 8)}))[0] == "too_long"
    assert refused(json.dumps({"x": "字" * (FRAME_LIMIT_BYTES // 3)}, ensure_ascii=False))[0] == "too_long"


@given(
    st.dictionaries(
        st.sampled_from(["type", "key", "text", "turn", "subtask", "finished", "reason"]),
        st.sampled_from([*FRAMES, "done", "k", "x" * 3000, "\x00"]) | st.integers() | st.booleans() | st.none()
        | st.lists(st.text(max_size=2), max_size=2),
    )
)  # fmt: skip
def test_every_json_object_is_taken_or_refused(frame):
    with suppress(Refusal):
        assert set(asked_by(frame)) == set(FRAMES[frame["type"]])


SENT = [
    events.TurnAccepted(1, "k", "你好", 1, 1).frame(1),
    events.ReplyDone(1, ["嗯"], 40).frame(2),
    events.ReplyDone(1, ["嗯"], 40, ["masked"]).frame(2),
    events.ReplyDone(1, ["嗯\n好"], 40, None, ["好"]).frame(2),
    events.TurnFailed(1, "dns", "bot", 2, "It failed.").frame(2),
    events.TurnRetried(1).frame(3),
    events.SubtaskClosed(1, "finished").frame(3),
    events.DialogueClosed("completed", "done").frame(4),
    events.DialogueClosed("void", "ended_by_organizer", "because").frame(4),
    events.DialogueReturned("because").frame(5),
    events.DialogueVoided("because").frame(5),
    events.DialogueRestored("completed", "done", "because").frame(6),
    events.FaultBooked(1, "platform", "because").frame(7),
    events.DialogueState("open", 0, 5, [events.SubtaskState(1, "flight", 0, 3, "open")], 0).frame(),
    events.ErrorFrame(RefusalCode.CLOSED, "It is closed.", {"key": "k"}).frame(),
    events.reply_delta(1, "嗯"),
    events.turn_waiting(1, 2),
    events.PONG,
]


def schema_of_frame(frame: dict) -> Draft202012Validator:
    known = dialogue_frames()
    return Draft202012Validator({"$defs": known, "$ref": f"#/$defs/server.{frame['type']}"})


@pytest.mark.parametrize("text", SENT, ids=lambda text: json.loads(text)["type"])
def test_what_is_sent_fits_its_schema(text):
    schema_of_frame(json.loads(text)).validate(json.loads(text))


@pytest.mark.parametrize("text", SENT[:13], ids=lambda text: json.loads(text)["type"])
def test_a_frame_without_one_of_its_fields_does_not_fit(text):
    frame = json.loads(text)
    needed = next(name for name in frame if name not in {"type", "flags", "because"})
    assert not schema_of_frame(frame).is_valid({name: value for name, value in frame.items() if name != needed})


def test_every_event_of_the_ledger_has_a_schema():
    assert {f"server.{line.kind}" for line in events.LedgerLine.__subclasses__()} <= dialogue_frames().keys()
