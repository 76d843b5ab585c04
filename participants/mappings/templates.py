"""What a mapping sends: JSON, and lines `Name: value`, with placeholders `{{…}}` that are filled for each call. Pure.

A placeholder is a path (paths.py) into what the platform knows of the call. One that is a whole text, `"{{history}}"`, is
replaced by the value itself; one within a longer text by the value as a text, other values than texts as compact
JSON. Both happen to values, before anything is written as JSON, so nothing that somebody says can leave its place.
What was filled in is not looked at for placeholders again.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop

from participants.limits import is_header_text
from participants.mappings.paths import Path, path_of
from participants.mappings.steps import Steps
from reading.kinds import Kind, Text, Wrong
from reading.strict_json import NotJson, loads

REQUEST_LIMIT = 8000
# All headers together, or all parameters of the address.
HEADERS_LIMIT = 2000
# What all placeholders of one request together may repeat: a dialogue can be long.
FACTORS_LIMIT = 32
# What a call is known by; decided in `participants.adapters.mapping.known_of`.
KNOWN = (
    "text",
    "history",
    "messages",
    "dialogue",
    "turn",
    "turn_key",
    "context",
    "context_text",
    "language",
    "state",
    "deadline_ms",
    "secret",
)
# What fits into a header or an address.
SHORT = ("dialogue", "turn", "turn_key", "language", "state", "deadline_ms", "secret")
# Headers that say how the request is sent, which is not the mapping's to say.
FRAMING = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "expect",
        "host",
        "keep-alive",
        "proxy-authorization",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_QUERY_NAME = re.compile(r"[^\s=&#?]{1,100}")

Known = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Words:
    """A text with placeholders; `is_whole` where the text is one placeholder and nothing else."""

    parts: tuple[str | Path, ...]
    is_whole: bool = False

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(part for part in self.parts if isinstance(part, Path))

    def filled(self, known: Known, steps: Steps) -> Any:
        """Errors: `Wrong`."""
        values = [part.found_in(known, steps) if isinstance(part, Path) else part for part in self.parts]
        return values[0] if self.is_whole else "".join(map(as_text, values))


def as_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def words_of(text: str, names: tuple[str, ...] = KNOWN) -> Words:
    """Errors: `Wrong`."""
    if text.startswith("{{") and text.endswith("}}") and "{{" not in text[2:-2] and len(text) > 4:
        return Words((_path(text[2:-2], names),), is_whole=True)
    parts: list[str | Path] = []
    at = 0
    # A placeholder holds one character at least, so that the first `}` of `{{}}}` belongs to it.
    while (start := text.find("{{", at)) >= 0 and (end := text.find("}}", start + 3)) >= 0:
        parts += [text[at:start]] if start > at else []
        parts.append(_path(text[start + 2 : end], names))
        at = end + 2
    return Words((*parts, text[at:]) if text[at:] else tuple(parts))


def _path(text: str, names: tuple[str, ...]) -> Path:
    path = path_of(text.strip())
    unknown = sorted(path.names - {*names})
    if unknown:
        said = gettext_noop("uses %(name)s, which is not known here; there are %(known)s")
        raise Wrong(said, name=unknown[0], known=", ".join(names))
    return path


# -- JSON ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Template:
    """JSON with placeholders; `words` holds each text of it that has some."""

    parsed: Any
    words: Mapping[str, Words]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for words in self.words.values() for path in words.paths for name in path.names)

    def filled(self, known: Known, steps: Steps) -> Any:
        """Errors: `Wrong`."""
        return self._filled(self.parsed, known, steps)

    def _filled(self, value: Any, known: Known, steps: Steps) -> Any:
        if isinstance(value, dict):
            return {name: self._filled(inner, known, steps) for name, inner in value.items()}
        if isinstance(value, list):
            return [self._filled(inner, known, steps) for inner in value]
        return self.words[value].filled(known, steps) if isinstance(value, str) and value in self.words else value


class TemplateKind(Kind):
    """JSON with placeholders, as a text."""

    def value_of(self, value: Any) -> str:
        text: str = Text(REQUEST_LIMIT).value_of(value)
        template_of(text)
        return text


def template_of(text: str) -> Template:
    """Errors: `Wrong`."""
    try:
        parsed = loads(text)
    except NotJson as bad:
        where, why = bad.finding.place or "line 1", bad.finding.values.get("reason", bad.finding.text)
        raise Wrong(gettext_noop("is not JSON (%(place_before)s): %(reason)s"), place_before=where, reason=why) from bad
    if not isinstance(parsed, dict | list):
        raise Wrong(gettext_noop("must be an object or a list"))
    words = {said: words_of(said) for said in _texts(parsed) if "{{" in said}
    n = sum(path.factor for said in _texts(parsed) if said in words for path in words[said].paths)
    if n > FACTORS_LIMIT:
        raise Wrong(gettext_noop("has %(n)s placeholders; %(limit)s are the most"), n=n, limit=FACTORS_LIMIT)
    return Template(parsed, words)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


# -- lines --------------------------------------------------------------------------------------------------------


class HeadersKind(Kind):
    """Headers, one per line: `Name: value`."""

    def value_of(self, value: Any) -> str:
        text: str = Text(HEADERS_LIMIT).value_of(value)
        headers_of(text)
        return text


class QueryKind(Kind):
    """Parameters of the address, one per line: `name: value`."""

    def value_of(self, value: Any) -> str:
        text: str = Text(HEADERS_LIMIT).value_of(value)
        query_of(text)
        return text


Lines = tuple[tuple[str, Words], ...]


def headers_of(text: str) -> Lines:
    """Errors: `Wrong`."""
    lines = _lines(text, _HEADER_NAME, SHORT)
    for name, words in lines:
        if name.lower() in FRAMING:
            raise Wrong(gettext_noop("sets %(name)s, which the platform sets itself"), name=name)
        if not all(is_header_text(f"x{part}x") for part in words.parts if isinstance(part, str)):
            raise Wrong(gettext_noop("gives %(name)s a value that is not ASCII"), name=name)
    return lines


def query_of(text: str) -> Lines:
    """Errors: `Wrong`: addresses are written down in many places, so no secret goes into one."""
    return _lines(text, _QUERY_NAME, tuple(name for name in SHORT if name != "secret"))


def _lines(text: str, name_form: re.Pattern[str], names: tuple[str, ...]) -> Lines:
    lines: list[tuple[str, Words]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        name, colon, value = (part.strip() for part in line.partition(":"))
        if not colon or not name_form.fullmatch(name):
            raise Wrong(gettext_noop("line %(n)s is not of the form Name: value"), n=number)
        if name.lower() in {before.lower() for before, _ in lines}:
            raise Wrong(gettext_noop("names %(name)s twice"), name=name)
        lines.append((name, words_of(value, names)))
    return tuple(lines)


def filled_lines(lines: Lines, known: Known, steps: Steps) -> dict[str, str]:
    """The lines that have a value. Errors: `Wrong`."""
    filled = {name: as_text(words.filled(known, steps)) for name, words in lines}
    return {name: value for name, value in filled.items() if value}
