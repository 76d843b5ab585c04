"""What a browser or program may ask for over its socket (design §6), frame by frame. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from django.utils.translation import gettext_noop

from dialogues.turn_taking import KEY_LIMIT, OPENING, EndReason, Refusal, RefusalCode
from participants.limits import MESSAGE_LIMIT
from reading.findings import Finding
from reading.kinds import FLAG, OBJECT, Choice, Kind, Text, TooLong, Whole, Wrong
from reading.storable import is_storable
from reading.strict_json import NotJson, loads
from reading.tables import Field

FRAME_LIMIT_BYTES = 16 * 1024


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


NUMBER = Whole(1, 2**31 - 1)
TURN = Whole(OPENING, 2**31 - 1)
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
