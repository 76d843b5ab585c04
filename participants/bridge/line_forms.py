"""What is written to a command and read from it, line by line. Pure.

plain   the tester's text on one line; each line that comes back is one text of the reply
json    the huace/1 request on one line; the answer is one line: {"text": …} or {"texts": […]}, with "end" and "dialogue"
"""

import json
from collections.abc import Sequence
from typing import Any, Protocol

Json = dict[str, Any]


class NotAReply(Exception):
    """What the command printed cannot be read as a reply."""


class LineForm(Protocol):
    def line_of(self, request: Json) -> bytes:
        """What is written to the command, without the line's end."""

    def reply_of(self, lines: Sequence[bytes]) -> Json:
        """The reply in the native protocol. Errors: `NotAReply`."""


class Plain:
    def line_of(self, request: Json) -> bytes:
        """A text of several lines becomes one: the command could not tell them from several turns."""
        return " ".join(str(request["text"]).split("\n")).replace("\r", "").encode()

    def reply_of(self, lines: Sequence[bytes]) -> Json:
        return {"texts": [text_in(line) for line in lines]}


class JsonLines:
    def line_of(self, request: Json) -> bytes:
        return json.dumps(request, ensure_ascii=False, separators=(",", ":")).encode()

    def reply_of(self, lines: Sequence[bytes]) -> Json:
        said = object_in(lines[0])
        if not ("text" in said or "texts" in said):
            raise NotAReply("The command's line has neither text nor texts.")
        return {name: said[name] for name in ("text", "texts", "end") if name in said}


def object_in(line: bytes) -> Json:
    """Errors: `NotAReply`."""
    try:
        said = json.loads(text_in(line))
    except (ValueError, RecursionError) as bad:
        raise NotAReply(f"The command printed a line that is not JSON: {bad}") from bad
    if not isinstance(said, dict):
        raise NotAReply("The command's line is not a JSON object.")
    return said


def text_in(line: bytes) -> str:
    """Errors: `NotAReply`."""
    try:
        return line.decode()
    except UnicodeDecodeError as bad:
        raise NotAReply(f"The command printed a line that is not UTF-8: {bad}") from bad


FORMS: dict[str, LineForm] = {"plain": Plain(), "json": JsonLines()}
