"""TOML from outside, read strictly: bounded depth, and limits of time and memory where a file is large.

A dotted key nests without a bracket, and Python's parser takes time with the square of its parts: the depth of each key and value is
counted before anything is parsed, in one walk over the text. What is small enough to cost little is parsed here, the rest in a child process.
"""

import re
import tomllib
from datetime import date, datetime, time
from typing import Any

from django.utils.translation import gettext_noop

from reading.limited_reading import read_apart
from reading.strict_json import DEPTH_LIMIT, TOO_DEEP, is_nested_too_deep

# Within the depth limit a byte of keys can become 500 bytes of tables: 32 MB at most.
SMALL_CHARACTERS = 64 * 1024
TOO_COSTLY = gettext_noop("reading it takes more time or memory than a file may take")

# Possessive, and the closing quotes are optional: each character is walked over once, whatever the text holds. The parser
# stops at the end of the line where a quote of one line is missing, so what follows may be taken for anything.
_TEXT_OR_COMMENT = re.compile(
    r'"""(?:[^"\\]++|\\.|"(?!""))*+"{0,5}'
    r"|'''(?:[^']++|'(?!''))*+'{0,5}"
    r'|"(?:[^"\\\n]++|\\[^\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|\#[^\n]*+",
    re.DOTALL,
)
_KEY = re.compile(r"[\w-]++(?:[ \t]*+\.[ \t]*+[\w-]++)*+")
_MADE = {"datetime": datetime.fromisoformat, "date": date.fromisoformat, "time": time.fromisoformat}


def loads(text: str) -> dict[str, Any]:
    """The parsed text. Errors: `ValueError`, in the words of `tomllib` or ours."""
    if is_too_deep(text):
        raise ValueError(TOO_DEEP)
    if len(text) <= SMALL_CHARACTERS:
        return _not_too_deep(tomllib.loads(text))
    answer = read_apart("toml", text.encode())
    if "not_toml" in answer:
        raise ValueError(answer["not_toml"])
    if "reason" in answer:
        raise ValueError(TOO_COSTLY)
    values = iter(answer["others"])
    parsed: dict[str, Any] = _with_others(_not_too_deep(answer["parsed"]), lambda: _made(*next(values)))
    return parsed


def _not_too_deep(parsed: dict[str, Any]) -> dict[str, Any]:
    """The parsed text, unless keys within tables within keys nest too deeply together; layer by layer, so that no depth is too much to count."""
    layer: list[Any] = [parsed]
    for _ in range(DEPTH_LIMIT):
        tables = [value for value in layer if isinstance(value, dict | list)]
        layer = [inner for value in tables for inner in (value.values() if isinstance(value, dict) else value)]
    if any(isinstance(value, dict | list) for value in layer):
        raise ValueError(TOO_DEEP)
    return parsed


def is_too_deep(text: str) -> bool:
    """Whether keys have too many parts, or lists and tables of one value are nested too deeply."""
    bare = _TEXT_OR_COMMENT.sub(_stand_in, text)
    return is_nested_too_deep(bare) or any(key.count(".") >= DEPTH_LIMIT for key in _KEY.findall(bare))


def _stand_in(found: re.Match[str]) -> str:
    # A quoted part of a key stays a part.
    return "" if found[0].startswith("#") else "_"


def _with_others(value: Any, next_other: Any) -> Any:
    """JSON has no word for some values: nulls stand for them, in the order in which the child named them."""
    if isinstance(value, dict):
        return {name: _with_others(inner, next_other) for name, inner in value.items()}
    if isinstance(value, list):
        return [_with_others(inner, next_other) for inner in value]
    return next_other() if value is None else value


def _made(kind: str, said: str) -> Any:
    return int(said, 16) if kind == "int" else _MADE[kind](said)
