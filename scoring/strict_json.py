"""JSON from outside, read strictly: UTF-8, bounded depth, no key twice in an object, no NaN or Infinity. Pure.

Depth is checked before parsing: Python 3.11's parser was seen to leave the interpreter's recursion count wrong after
a text that is nested too deeply. Every step is linear in the length of the text, whatever it holds.
"""

import json
import re
from math import isfinite
from typing import Any

DEPTH_LIMIT = 40

# Possessive, and the closing quote is optional: a string that never ends is walked over once. A pattern that gives
# characters back starts anew at each of its quotes, and 256 KiB of them take minutes.
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]+|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)


def loads(content: bytes | str) -> Any:
    """The parsed text. Errors: `ValueError` with what is wrong, also for bytes that are not UTF-8."""
    text = content.decode("utf-8") if isinstance(content, bytes) else content
    if is_too_deep(text):
        raise ValueError(f"nested more than {DEPTH_LIMIT} levels deep")
    return json.loads(text, object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant, parse_float=_finite)


def is_too_deep(text: str) -> bool:
    if text.count("[") + text.count("{") <= DEPTH_LIMIT:
        return False
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        match found[0]:
            case "[" | "{":
                depth += 1
                if depth > DEPTH_LIMIT:
                    return True
            case "]" | "}":
                depth -= 1
    return False


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
