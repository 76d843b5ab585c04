"""Writes values as TOML, so that reading the text gives the same values. Pure.

A table on a line of its own keeps to one line as long as it fits; one that does not gets a head of its own, and so do the tables
of a list of which one does not fit.
"""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

WIDTH = 120
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


class NotToml(ValueError):
    """TOML has no word for a value; `place` says where it is."""

    def __init__(self, place: str) -> None:
        super().__init__(f"{place} is null, which TOML cannot say")
        self.place = place


def toml_of(document: Mapping[str, Any]) -> str:
    """Tables (`[name]`) and lists of tables (`[[name]]`), in their order. Errors: `NotToml`."""
    blocks: list[str] = []
    for name, value in document.items():
        rows = value if isinstance(value, list) else [value]
        head = f"[[{key_of(name)}]]" if isinstance(value, list) else f"[{key_of(name)}]"
        for number, row in enumerate(rows, start=1):
            blocks += _blocks(row, head, key_of(name), f"{name} {number}" if isinstance(value, list) else name)
    return "\n".join(blocks)


def _blocks(table: Mapping[str, Any], head: str, path: str, place: str) -> Iterator[str]:
    """The table, then those of its tables that do not fit on a line: after their heads nothing of the table could follow."""
    lines, below = [head], []
    for name, value in table.items():
        line = f"{key_of(name)} = {inline(value, f'{place}.{name}')}"
        if (isinstance(value, dict) and len(line) > WIDTH) or _needs_heads(value, place):
            below.append((name, value))
        else:
            lines.append(_broken(name, value, place) if isinstance(value, list) and len(line) > WIDTH else line)
    yield "\n".join(lines) + "\n"
    for name, value in below:
        under, inner = f"{path}.{key_of(name)}", f"{place}.{name}"
        if isinstance(value, dict):
            yield from _lines_below(value, under, inner)
            continue
        for row in value:
            yield from _blocks(row, f"[[{under}]]", under, inner)


def _needs_heads(value: Any, place: str) -> bool:
    """Whether the value is a list of tables of which one does not fit on a line."""
    is_rows = isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)
    return is_rows and any(len(inline(row, place)) > WIDTH for row in value)


def _lines_below(table: Mapping[str, Any], path: str, place: str) -> Iterator[str]:
    lines = [f"[{path}]"]
    for name, value in table.items():
        line = f"{key_of(name)} = {inline(value, f'{place}.{name}')}"
        lines.append(_broken(name, value, place) if isinstance(value, list) and len(line) > WIDTH else line)
    yield "\n".join(lines) + "\n"


def _broken(name: str, values: list[Any], place: str) -> str:
    """A list with one item per line."""
    items = [f"    {inline(value, f'{place}.{name}')}," for value in values]
    return "\n".join([f"{key_of(name)} = [", *items, "]"])


def inline(value: Any, place: str) -> str:
    match value:
        case None:
            raise NotToml(place)
        case bool():
            return str(value).lower()
        case int() | float():
            return repr(value)
        case datetime():
            return value.isoformat()
        case str():
            # JSON escapes all that TOML wants escaped, except the delete character.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case list() | tuple():
            return f"[{', '.join(inline(item, place) for item in value)}]"
    pairs = (f"{key_of(name)} = {inline(item, f'{place}.{name}')}" for name, item in value.items())
    return f"{{{', '.join(pairs)}}}"


def key_of(name: str) -> str:
    return name if BARE_KEY.fullmatch(name) else inline(name, name)
