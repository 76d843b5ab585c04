"""Every event that is sent fits the schema of its frame. Frames of whole dialogues: tests/live/server.py looks at each."""

import json

import pytest
from jsonschema import Draft202012Validator

from dialogues import events
from dialogues.turn_taking import RefusalCode
from testing_console.socket_frames import dialogue_frames

SENT = [
    events.TurnAccepted(1, "k", "你好", 1, 1).frame(1),
    events.ReplyDone(1, ["嗯"], 40).frame(2),
    events.ReplyDone(1, ["嗯"], 40, ["masked"]).frame(2),
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
