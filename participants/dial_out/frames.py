"""The frames on the socket of a bot that connects to the platform (docs/protocols.md, dial-out). Pure.

What the platform sends is the native protocol's request with a head; what the bot sends names the turn that it is about.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring.storable import is_storable

ID_LIMIT = 64
# What ends a turn, and what comes before.
ENDING, PASSING = ("reply", "error"), ("delta",)
PING, PONG = "ping", "pong"


@dataclass(frozen=True, slots=True)
class BotFrame:
    """What a bot said about one turn; `content` is the whole frame, which came in so many characters."""

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
    return f'{{"type":"turn","id":"{turn_id}","again":false,{request[1:].decode()}'


def close_frame(farewell: bytes) -> str:
    """The frame at the end of a dialogue, which nobody answers: `farewell` is a JSON object, which stays as it is encoded."""
    return f'{{"type":"close",{farewell[1:].decode()}'


def handed_again(frame: str, left_s: float) -> str:
    """The same turn for a bot that may have read it: same id, marked, with the time that is left now."""
    return _text_of(json.loads(frame) | {"again": True, "deadline_ms": int(left_s * 1000)})


def ready_frame(bot: str) -> str:
    return _text_of({"type": "ready", "protocol": "huace/1", "bot": bot})


def error_frame(code: str, message: str, turn_id: str = "") -> str:
    named = {"id": turn_id} if turn_id else {}
    return _text_of({"type": "error", "code": code, "message": message, **named})


PONG_FRAME = '{"type":"pong"}'


def _text_of(frame: Mapping[str, Any]) -> str:
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":"))


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
