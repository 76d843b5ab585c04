"""The frames on the socket of a bot that connects to the platform (docs/dial-out.md). Pure.

What the platform sends is the native protocol's request with a head; what the bot sends names the turn that it is about.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from reading.kinds import Text
from reading.storable import is_storable

ID_LIMIT = 64
TurnId = Annotated[str, Text(ID_LIMIT)]
# What ends a turn, and what comes before.
ENDING, PASSING = ("reply", "error"), ("delta",)
PING, PONG = "ping", "pong"


class Ready(TypedDict):
    """The first frame: the platform knows the bot by its key."""

    type: Literal["ready"]
    protocol: str
    bot: str


class TurnHead(TypedDict):
    """What stands before the request of a turn; `again` where the bot may have been handed it before, under the same `id`."""

    type: Literal["turn"]
    id: TurnId
    again: bool


class Refused(TypedDict):
    """Why a frame was refused; `id` is that of its turn, if it was about one."""

    type: Literal["error"]
    code: str
    message: str
    id: NotRequired[TurnId]


class Pong(TypedDict):
    """The answer to `ping`."""

    type: Literal["pong"]


@dataclass(frozen=True, slots=True)
class BotFrame:
    """What a bot said about one turn; `content` is the whole frame, `n_characters` its length."""

    kind: str
    turn_id: str
    content: Mapping[str, Any]
    n_characters: int = 0

    @property
    def is_last(self) -> bool:
        return self.kind in ENDING

    @property
    def in_utf8(self) -> bytes:
        """The frame as JSON. Half of a surrogate pair, which UTF-8 cannot hold, stays the escape that the bot wrote."""
        return _text_of(self.content).encode("utf-8", "backslashreplace")


class BadFrame(Exception):
    """A frame that no bot should send. It is about no turn, so every turn goes on waiting."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def turn_frame(turn_id: str, request: bytes) -> str:
    """The frame of a turn: `request` is a JSON object, which stays as it is encoded."""
    head: TurnHead = {"type": "turn", "id": turn_id, "again": False}
    return f"{_text_of(head)[:-1]},{request[1:].decode()}"


def close_frame(farewell: bytes) -> str:
    """The frame at the end of a dialogue, which nobody answers: `farewell` is a JSON object, which stays as it is encoded."""
    return f'{{"type":"close",{farewell[1:].decode()}'


def handed_again(frame: str, left_s: float) -> str:
    """The same turn for a bot that may have read it: same id, marked, with the time that is left now."""
    return _text_of(json.loads(frame) | {"again": True, "deadline_ms": int(left_s * 1000)})


def ready_frame(bot: str) -> str:
    ready: Ready = {"type": "ready", "protocol": "huace/1", "bot": bot}
    return _text_of(ready)


def error_frame(code: str, message: str, turn_id: str = "") -> str:
    refused: Refused = {"type": "error", "code": code, "message": message}
    if turn_id:
        refused["id"] = turn_id
    return _text_of(refused)


def _text_of(frame: Mapping[str, Any]) -> str:
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":"))


_PONG: Pong = {"type": "pong"}
PONG_FRAME = _text_of(_PONG)


def bot_frame(parsed: Any, n_characters: int = 0) -> BotFrame | str:
    """The frame, or the kind of one that is about no turn (`ping`, `pong`). Errors: `BadFrame`."""
    kind = parsed.get("type") if isinstance(parsed, dict) else None
    if kind in (PING, PONG):
        return str(kind)
    if kind not in (*ENDING, *PASSING):
        raise BadFrame("bad_frame", "A frame is a JSON object whose type is reply, delta, error, ping or pong.")
    turn_id = parsed.get("id")
    if not isinstance(turn_id, str) or not 1 <= len(turn_id) <= ID_LIMIT or not is_storable(turn_id):
        raise BadFrame("bad_frame", "The frame's id must be that of its turn.")
    return BotFrame(kind, turn_id, parsed, n_characters)
