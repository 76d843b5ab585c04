"""The frames of a dialogue's socket as JSON Schema, from the definitions that read and write them. Pure."""

from typing import Any, NotRequired, TypedDict

from dialogues.events import DialogueState, LedgerLine, TurnFailed, TurnFailedFrame
from dialogues.turn_taking import KEY_LIMIT
from reading.json_schemas import Moment, Schema, Shapes, object_schema, schema_of
from testing_console.client_frames import FRAMES, Key


@schema_of.register
def _key(kind: Key) -> Schema:
    return {"type": "string", "minLength": 1, "maxLength": KEY_LIMIT}


class ReplyDelta(TypedDict):
    """What has come of a reply so far; it is not stored."""

    turn: int
    text: str


class TurnWaiting(TypedDict):
    """The bot is at its declared limit: `place` in the row of those who wait. Neither the bot's time nor its fault."""

    turn: int
    place: int


class Error(TypedDict):
    """Why a frame was refused; `key` is the frame's, if it had a valid one."""

    code: str
    message: str
    key: NotRequired[str]


class Notice(TypedDict):
    id: int
    zh: str
    en: str
    at: Moment
    until: Moment | None


class Notices(TypedDict):
    """All announcements of the organizers that stand now."""

    notices: list[Notice]


class Pong(TypedDict):
    pass


PASSING: dict[str, Any] = {
    "dialogue.state": DialogueState,
    "reply.delta": ReplyDelta,
    "turn.waiting": TurnWaiting,
    "error": Error,
    "notices": Notices,
    "pong": Pong,
}


def dialogue_frames() -> dict[str, Schema]:
    """What a client may send, and what it is sent; each frame under `client.` or `server.` with its type."""
    shapes = Shapes("#/$defs/")
    client = {
        f"client.{kind}": _typed(kind, object_schema(fields, keeps_others=True)) for kind, fields in FRAMES.items()
    }
    lines = {one.kind: one for one in LedgerLine.__subclasses__()}
    stored = {f"server.{kind}": _typed(kind, _line(line, shapes)) for kind, line in lines.items()}
    passing = {f"server.{kind}": _typed(kind, shapes.object_of(made)) for kind, made in PASSING.items()}
    return client | stored | passing | shapes.named


def _line(line: type[LedgerLine], shapes: Shapes) -> Schema:
    if line is TurnFailed:
        return shapes.object_of(TurnFailedFrame)
    schema = shapes.object_of(line)
    return {
        **schema,
        "properties": {"seq": {"type": "integer", "minimum": 1}, **schema["properties"]},
        "required": ["seq", *schema["required"]],
    }


def _typed(kind: str, schema: Schema) -> Schema:
    named = {**schema["properties"], "type": {"const": kind}}
    return {**schema, "properties": named, "required": ["type", *(one for one in schema["required"] if one != "type")]}
