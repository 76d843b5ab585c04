"""JSON from outside, read strictly: UTF-8, bounded depth, no key twice in an object, no NaN or Infinity. Pure.

Depth is checked before parsing: Python 3.11's parser was seen to leave the interpreter's recursion count wrong after
a text that is nested too deeply. Every step is linear in the length of the text, whatever it holds.
"""

import json
import re
from math import isfinite
from typing import Any

from django.utils.translation import gettext_noop

from reading.findings import Finding

DEPTH_LIMIT = 40

# Possessive, and the closing quote is optional: a string that never ends is walked over once. A pattern that gives
# characters back restarts at each of its quotes, and 256 KiB of them take minutes.
_STRING = re.compile(r'"(?:[^"\\]+|\\.)*+"?', re.DOTALL)
_BRACKETS = re.compile(r"[\[\]{}]+")
_AS_ONE_KIND = str.maketrans("{}", "[]")


# What Python's reader and ours say.
REASONS = {
    gettext_noop("Expecting value"),
    gettext_noop("Expecting property name enclosed in double quotes"),
    gettext_noop("Expecting ':' delimiter"),
    gettext_noop("Expecting ',' delimiter"),
    gettext_noop("Extra data"),
    gettext_noop("Illegal trailing comma before end of array"),
    gettext_noop("Illegal trailing comma before end of object"),
    gettext_noop("Invalid \\escape"),
    gettext_noop("Invalid \\uXXXX escape"),
    gettext_noop("Invalid control character at"),
    gettext_noop("Unterminated string starting at"),
    gettext_noop("a key appears twice in one object"),
    gettext_noop("a number has too many digits"),
    gettext_noop("a number is too large"),
    gettext_noop("nested more than 40 levels deep"),
    gettext_noop("NaN is not JSON"),
    gettext_noop("Infinity is not JSON"),
    gettext_noop("-Infinity is not JSON"),
}
NOT_UTF8 = gettext_noop("is not UTF-8")
TOO_DEEP = f"nested more than {DEPTH_LIMIT} levels deep"


class NotJson(ValueError):
    """Why a text is not JSON, and where: line and column, the byte that is not UTF-8, or nowhere in particular."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.in_english)
        self.finding = finding


def loads(content: bytes | str) -> Any:
    """The parsed text. Errors: `NotJson`, also for bytes that are not UTF-8."""
    try:
        text = content.decode("utf-8") if isinstance(content, bytes) else content
        if is_too_deep(text):
            raise ValueError(TOO_DEEP)
        return _decode(text)
    except ValueError as bad:
        raise NotJson(_finding_of(bad)) from bad


def _finding_of(bad: ValueError) -> Finding:
    if isinstance(bad, json.JSONDecodeError):
        place = f"line {bad.lineno}, column {bad.colno}"
        return Finding(place, gettext_noop("is not JSON: %(reason)s"), {"reason": bad.msg})
    if isinstance(bad, UnicodeDecodeError):
        return Finding(f"byte {bad.start}", NOT_UTF8)
    reason = {"reason": reason_of(bad)}
    return Finding("", gettext_noop("is not usable JSON: %(reason)s"), reason)


def reason_of(bad: ValueError) -> str:
    # Python's own words for a number of thousands of digits advise to change a setting of the interpreter.
    return "a number has too many digits" if str(bad).startswith("Exceeds the limit") else str(bad)


def is_too_deep(text: str) -> bool:
    """Whether a JSON text is nested too deeply; other texts may pass with twice the depth, which harms no parser."""
    if text.count("[") + text.count("{") <= DEPTH_LIMIT:
        return False
    return is_nested_too_deep(_STRING.sub("", text))


def is_nested_too_deep(text: str) -> bool:
    """The same of a text without strings.

    Each step takes away the innermost pairs of the whole text at once: bracket by bracket, an answer of 240,000 of them
    would hold the interpreter for a tenth of a second, and every other turn with it.
    """
    brackets = "".join(_BRACKETS.findall(text)).translate(_AS_ONE_KIND)
    for _ in range(DEPTH_LIMIT):
        brackets = brackets.replace("[]", "")
    return "[]" in brackets or brackets.count("[") > DEPTH_LIMIT


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) != len(pairs):
        raise ValueError("a key appears twice in one object")
    return unique


def _finite(number: str) -> float:
    value = float(number)
    if not isfinite(value):
        raise ValueError("a number is too large")
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def are_same(one: Any, other: Any) -> bool:
    """Whether two parsed values are the same JSON: `true` is not `1`, which Python's `==` holds for equal; `1` is `1.0`."""
    match one, other:
        case dict(), dict():
            return one.keys() == other.keys() and all(are_same(value, other[key]) for key, value in one.items())
        case list(), list():
            return len(one) == len(other) and all(map(are_same, one, other))
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


# One decoder: `json.loads` with hooks makes one for each text.
_decode = json.JSONDecoder(
    object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant, parse_float=_finite
).decode
