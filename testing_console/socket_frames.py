"""The frames of a dialogue's socket (design §6): what a client may ask for, read strictly, and the JSON Schema of both ways. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict, TypeGuard

from django.utils.translation import gettext_noop

from dialogues.events import DialogueState, LedgerLine, TurnFailed, TurnFailedFrame
from dialogues.turn_taking import KEY_LIMIT, OPENING, EndReason, Refusal, RefusalCode
from participants.limits import MESSAGE_LIMIT
from reading.findings import Finding
from reading.json_schemas import Moment, Schema, Shapes, object_schema, schema_of
from reading.kinds import FLAG, OBJECT, Choice, Kind, Text, TooLong, Whole, Wrong
from reading.storable import is_storable
from reading.strict_json import NotJson, loads
from reading.tables import Field

FRAME_LIMIT_BYTES = 16 * 1024
NUMBER = Whole(1, 2**31 - 1)
TURN = Whole(OPENING, 2**31 - 1)


class Key(Kind):
    """What a client calls its message by; blanks are letters like others."""

    def value_of(self, value: Any) -> str:
        if not is_key(value):
            raise Wrong(gettext_noop("must be a text of 1 to %(limit)s characters"), limit=KEY_LIMIT)
        return value


class BadFrame(Refusal):
    """The frame is not what is declared; `finding` says where and what."""

    def __init__(self, code: RefusalCode, finding: Finding) -> None:
        super().__init__(code, finding.text)
        self.finding = finding

    @property
    def message(self) -> str:
        return str(self.finding)


@dataclass(frozen=True)
class Reason(Choice):
    def value_of(self, value: Any) -> EndReason:
        return EndReason(super().value_of(value))


FRAMES: Mapping[str, Mapping[str, Field]] = {
    "turn.send": {"key": Field(Key()), "text": Field(Text(MESSAGE_LIMIT))},
    "turn.retry": {"number": Field(TURN, key="turn")},
    "subtask.close": {"index": Field(NUMBER, key="subtask"), "is_finished": Field(FLAG, key="finished")},
    "dialogue.end": {"reason": Field(Reason(tuple(EndReason)))},
    "ping": {},
}


def is_key(key: object) -> TypeGuard[str]:
    return isinstance(key, str) and 1 <= len(key) <= KEY_LIMIT and is_storable(key)


def parsed_frame(text: str | None) -> dict[str, Any]:
    """The frame as JSON. Errors: `Refusal`."""
    if text is None:
        raise Refusal(RefusalCode.BAD_FRAME, gettext_noop("Frames are JSON text, not binary."))
    if len(text) > FRAME_LIMIT_BYTES or len(text.encode()) > FRAME_LIMIT_BYTES:
        raise Refusal(RefusalCode.TOO_LONG, gettext_noop("A frame has at most %(n)d bytes."), n=FRAME_LIMIT_BYTES)
    try:
        frame: dict[str, Any] = OBJECT.value_of(loads(text))
    except NotJson as bad:
        raise BadFrame(RefusalCode.BAD_FRAME, bad.finding) from bad
    except Wrong as wrong:
        raise BadFrame(RefusalCode.BAD_FRAME, wrong.at("frame")) from wrong
    return frame


def asked_by(frame: Mapping[str, Any]) -> dict[str, Any]:
    """What the frame asks for, by the names that the command takes; other fields are passed over. Errors: `Refusal`."""
    kind = frame.get("type")
    if not isinstance(kind, str) or kind not in FRAMES:
        raise Refusal(RefusalCode.BAD_FRAME, gettext_noop("The frame's `type` is not known."))
    asked = {}
    for name, field in FRAMES[kind].items():
        place = field.key or name
        try:
            asked[name] = field.kind.value_of(frame.get(place))
        except Wrong as wrong:
            code = RefusalCode.TOO_LONG if isinstance(wrong, TooLong) else RefusalCode.BAD_FRAME
            raise BadFrame(code, wrong.at(place)) from wrong
    return asked


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
