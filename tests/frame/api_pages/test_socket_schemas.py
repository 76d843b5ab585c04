"""One document describes the frames of all sockets."""

import re

from jsonschema import Draft202012Validator

from frame.api_pages.socket_schemas import frame_schemas
from frame.frame_types import FILE, frame_types
from tests.test_house import ROOT


def validator(side: str) -> Draft202012Validator:
    return Draft202012Validator({**frame_schemas(), "$ref": f"#/$defs/{side}"})


def test_it_is_a_valid_schema():
    Draft202012Validator.check_schema(frame_schemas())


def test_frames_of_a_client_are_told_apart_by_their_type():
    client = validator("DialogueClient")
    assert client.is_valid({"type": "turn.send", "key": "k", "text": "你好"})
    assert client.is_valid({"type": "ping"})
    assert not client.is_valid({"type": "turn.send", "key": "", "text": "你好"})
    assert not client.is_valid({"type": "subtask.close", "subtask": 1})
    assert not client.is_valid({"type": "elsewhere"})


def test_frames_of_bots_that_connect_themselves_are_told_apart_from_those_of_dialogues():
    bot = validator("BotClient")
    assert bot.is_valid({"type": "reply", "id": "t1", "texts": ["好"], "end": True})
    assert not bot.is_valid({"type": "reply", "text": "好"})
    assert not bot.is_valid({"type": "turn.send", "key": "k", "text": "你好"})


def test_a_frame_of_the_wall_has_its_type_and_time():
    wall = validator("WallServer")
    assert wall.is_valid({"type": "wall.needs", "at": "2026-03-01T09:00:00+08:00", "needs": []})
    assert not wall.is_valid({"type": "wall.needs", "needs": []})


def test_the_stored_types_are_those_of_the_schemas():
    assert (ROOT / FILE).read_text() == frame_types(), "run: manage.py frame_types"


def test_every_type_that_is_named_is_declared_and_none_is_unknown():
    text = frame_types()
    declared = re.findall(r"^export interface (\w+) ", text, re.MULTILINE)
    named = {name for name in re.findall(r": (?:Array<)?([A-Z]\w+)", text) if name not in {"Array", "Record"}}
    assert len(declared) == len(set(declared))
    assert named <= set(declared)
    assert "unknown" not in text
