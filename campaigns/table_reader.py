"""Reads the values of a declared file (TOML or JSON) one by one. Pure: every problem is noted with its place."""

import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from participants.header_text import is_header_text
from scoring.storable import is_storable, unstorable_place
from scoring.strict_json import DEPTH_LIMIT, loads

SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}", re.IGNORECASE)
UNSTORABLE = "holds a NUL character or half a surrogate pair"
TOO_DEEP = f"nested more than {DEPTH_LIMIT} levels deep"


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and where in the file."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True, slots=True)
class Texts:
    zh: str = ""
    en: str = ""


def parsed_file(name: str, content: bytes) -> Any:
    """The values of a TOML file, or of a JSON file by its name. Errors: `ValueError` with what is wrong."""
    text = content.decode("utf-8")
    if name.endswith(".json"):
        return loads(text)
    # Counting brackets beforehand, as for JSON, would need TOML's strings; and a dotted key nests without a bracket.
    try:
        parsed = tomllib.loads(text)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    if _depth(parsed) > DEPTH_LIMIT:
        raise ValueError(TOO_DEEP)
    return parsed


def _depth(parsed: Any) -> int:
    """How deeply tables and lists are nested; layer by layer, so that no depth is too much to count."""
    depth, layer = 0, [parsed]
    while layer:
        tables = [value for value in layer if isinstance(value, dict | list)]
        layer = [inner for value in tables for inner in (value.values() if isinstance(value, dict) else value)]
        depth += bool(tables)
    return depth


class TableReader:
    """Walks the parsed file, noting each problem with its place and going on, so that all are named at once."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def note(self, place: str, message: str) -> None:
        self.problems.append(Problem(place, message))

    def table(self, value: Any, place: str, known: set[str]) -> dict[str, Any]:
        if not isinstance(value, dict):
            self.note(place, "is missing or not a table")
            return {}
        for name in value.keys() - known:
            self.note(f"{place} {name}", f"is not known here; there are {', '.join(sorted(known))}")
        return value

    def rows(
        self,
        root: dict[str, Any],
        name: str,
        read: Callable[[Any, str], Any],
        key_of: Callable[[Any], str],
    ) -> tuple[Any, ...]:
        value = root.get(name, [])
        if not isinstance(value, list):
            self.note(f"[[{name}]]", "must be a list of tables")
            return ()
        found, seen = [], set()
        for number, row in enumerate(value, start=1):
            place = f"[[{name}]] {number}"
            spec = read(row, place)
            if key_of(spec) and key_of(spec) in seen:
                self.note(place, f"{key_of(spec)!r} appears twice")
            seen.add(key_of(spec))
            found.append(spec)
        return tuple(found)

    def string(self, row: dict[str, Any], name: str, place: str, *, limit: int, needed: bool = False) -> str:
        value = row.get(name, "")
        if not isinstance(value, str) or len(value) > limit:
            self.note(f"{place} {name}", f"must be a text of at most {limit} characters")
            return ""
        if not is_storable(value):
            self.note(f"{place} {name}", UNSTORABLE)
            return ""
        if needed and not value.strip():
            self.note(f"{place} {name}", "is missing")
        return value

    def secret(self, row: dict[str, Any], name: str, place: str) -> str:
        value = self.string(row, name, place, limit=500)
        if not is_header_text(value):
            self.note(
                f"{place} {name}",
                "is sent in an HTTP header: it must be ASCII on one line, without spaces at its ends; "
                "copy it again without the line break, or choose another",
            )
        return value

    def slug(self, row: dict[str, Any], name: str, place: str) -> str:
        value = row.get(name)
        if not isinstance(value, str) or not SLUG.fullmatch(value):
            self.note(f"{place} {name}", "must be letters, digits, - and _ (at most 60)")
            return ""
        return value

    def texts(self, row: dict[str, Any], name: str, place: str, *, needed: bool = True) -> Texts:
        value = row.get(name, {})
        if isinstance(value, str):
            value = {"zh": value, "en": value}
        if not isinstance(value, dict) or not set(value) <= {"zh", "en"}:
            self.note(f"{place} {name}", "must be a text or {zh = …, en = …}")
            return Texts()
        read = Texts(**{language: self.string(value, language, f"{place} {name}", limit=4000) for language in value})
        if needed and not (read.zh or read.en):
            self.note(f"{place} {name}", "is missing")
        return read

    def flag(self, row: dict[str, Any], name: str, place: str) -> bool:
        value = row.get(name, False)
        if not isinstance(value, bool):
            self.note(f"{place} {name}", "must be true or false")
            return False
        return value

    def number(
        self, row: dict[str, Any], name: str, place: str, limits: tuple[int, int], default: int | None
    ) -> int | None:
        value = row.get(name, default)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not limits[0] <= value <= limits[1]:
            self.note(f"{place} {name}", f"must be a whole number from {limits[0]} to {limits[1]}")
            return default
        return value

    def choice(self, row: dict[str, Any], name: str, place: str, choices: tuple[str, ...], default: str) -> str:
        value = row.get(name, default)
        if value not in choices:
            self.note(f"{place} {name}", f"must be one of {', '.join(choices)}, not {value!r}")
            return default
        return str(value)

    def strings(self, row: dict[str, Any], name: str, place: str) -> list[str]:
        value = row.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.note(f"{place} {name}", "must be a list of texts")
            return []
        if not all(map(is_storable, value)):
            self.note(f"{place} {name}", UNSTORABLE)
            return []
        return value

    def free_table(self, row: dict[str, Any], name: str, place: str) -> dict[str, Any]:
        value = row.get(name, {})
        if not isinstance(value, dict):
            self.note(f"{place} {name}", "must be a table")
            return {}
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            self.note(f"{place} {name}", "may hold texts, numbers, lists and tables only (no dates)")
            return {}
        if (inside := unstorable_place(value)) is not None:
            self.note(f"{place} {name}.{inside}", UNSTORABLE)
            return {}
        return value
