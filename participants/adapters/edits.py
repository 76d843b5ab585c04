"""Edits of JSON as Gradio's queue sends them: `["append", [0, "content"], "好"]` and the like.

Paths are keys and indexes from the value itself; an empty one is the value. Lists grow in place. A text that grows, and a
list that something is put into or taken out of, is copied, and a short edit may copy much; all that is copied for
one reply is counted together (`Copies`).
"""

from typing import Any

from django.utils.translation import gettext_noop

from participants import failure_sentences as sentences
from participants.adapters.calls import list_of
from participants.adapters.changing_text import REWRITTEN_LIMIT
from participants.failures import BotFailure, FailureKind
from reading.findings import Finding, sentence

EDIT_PARTS = 3
PATH_LIMIT = 40


class Copies:
    """Counts what edits copy, in characters and places of lists. Errors: `BotFailure` (`too_long`) beyond the limit."""

    def __init__(self, limit: int = REWRITTEN_LIMIT) -> None:
        self._left = limit

    def take(self, n: int) -> None:
        self._left -= n
        if self._left < 0:
            raise BotFailure(FailureKind.TOO_LONG, sentence(sentences.OUTPUT_REWRITTEN))


def edited(value: Any, edits: Any, place: str, copies: Copies) -> Any:
    """The value with all edits made; it may be changed in place. Errors: `BotFailure` (`bad_shape`) for what is no edit of it."""
    for edit in list_of(edits, place):
        try:
            act, path, part = edit if len(edit) == EDIT_PARTS else (*edit, None)
            if len(path) > PATH_LIMIT:
                raise ValueError
            value = _edited(value, act, path, part, copies)
        except (TypeError, ValueError, LookupError, OverflowError) as wrong:
            text = gettext_noop("holds an edit that cannot be made")
            raise BotFailure(FailureKind.BAD_SHAPE, Finding(place, text)) from wrong
    return value


def _edited(value: Any, act: str, path: list[Any], part: Any, copies: Copies) -> Any:
    if not path:
        return _made(value, act, part, copies)
    *way, last = path
    holder = value
    for key in way:
        holder = holder[key]
    if isinstance(holder, list) and act in {"add", "delete"}:
        copies.take(len(holder))
    if act == "add" and isinstance(holder, list):
        holder.insert(last, part)
    elif act == "delete":
        del holder[last]
    else:
        holder[last] = part if act == "add" else _made(holder[last], act, part, copies)
    return value


def _made(value: Any, act: str, part: Any, copies: Copies) -> Any:
    if act in {"replace", "add"}:
        return part
    if act == "append" and isinstance(value, list) and isinstance(part, list):
        value += part
        return value
    if act == "append":
        copies.take(len(value))
        return value + part
    if act == "delete":
        return None
    raise ValueError(act)
