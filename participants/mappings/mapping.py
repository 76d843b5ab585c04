"""A mapping as a whole: its options, read and checked together; what it finds in an answer. Pure."""

import json
from collections.abc import Mapping as Table
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext_noop

from participants.limits import MESSAGE_LIMIT
from participants.mappings.paths import Path, PathKind, path_of
from participants.mappings.steps import Steps
from participants.mappings.templates import (
    HeadersKind,
    Lines,
    QueryKind,
    Template,
    TemplateKind,
    headers_of,
    query_of,
    template_of,
)
from reading.findings import Finding
from reading.kinds import FLAG, Choice, Kind, Notes, Text

NO_STREAM, SSE, NDJSON, WEBSOCKET = "none", "sse", "ndjson", "websocket"
STREAMS = (NO_STREAM, SSE, NDJSON, WEBSOCKET)
# What is read from an answer, and of a stream from each of its events.
PATHS = ("reply", "replies", "delta", "done", "end", "state", "error")
OF_STREAMS = ("delta", "done", "cumulative")

MAPPING_OPTIONS: Table[str, Kind] = MappingProxyType(
    {
        "request": TemplateKind(),
        "headers": HeadersKind(),
        "query": QueryKind(),
        "stream_kind": Choice(STREAMS),
        **{name: PathKind() for name in PATHS},
        "cumulative": FLAG,
        "opening": Text(MESSAGE_LIMIT),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapping:
    """The compiled options. `paths` holds those that are given, in the order of `PATHS`."""

    request: Template
    headers: Lines = ()
    query: Lines = ()
    stream_kind: str = NO_STREAM
    paths: Table[str, Path] = field(default_factory=dict)
    is_cumulative: bool = False
    opening: str = ""

    @property
    def sends_secret_itself(self) -> bool:
        """Whether the mapping says where the secret goes; else it is a bearer token."""
        in_headers = any("secret" in path.names for _, words in self.headers for path in words.paths)
        return in_headers or "secret" in self.request.names

    @property
    def n_parts(self) -> int:
        """Of all paths: reading an answer takes no more steps than this for each of its values."""
        return sum(path.n_parts for path in self.paths.values())

    def found(self, name: str, value: Any, steps: Steps) -> Any:
        """What the path of that name finds; None where there is no such path. Errors: `Wrong`."""
        return self.paths[name].found_in(value, steps) if name in self.paths else None


def check_mapping(options: Table[str, Any], notes: Notes) -> None:
    """Notes what is missing or does not go together; each option by itself is read as its kind says."""
    kind = options.get("stream_kind")
    # Messages of a WebSocket may be a stream, or hold a reply each.
    is_stream = kind in (SSE, NDJSON) or (kind == WEBSOCKET and bool(options.get("delta")))
    if not options.get("request"):
        notes.note("options.request", gettext_noop("is missing"))
    if is_stream and not options.get("delta"):
        notes.note("options.delta", gettext_noop("is missing: a stream is read by it"))
    if not (is_stream or options.get("reply") or options.get("replies")):
        notes.note("options.reply", gettext_noop("is missing: without it, or a path to replies, no text is found"))
    if options.get("reply") and options.get("replies"):
        notes.note("options.replies", gettext_noop("appears beside a path to one reply: keep one of them"))
    for name in OF_STREAMS:
        if not is_stream and options.get(name):
            notes.note(f"options.{name}", gettext_noop("is about streams, and this answer is none"))


class _Noted:
    def __init__(self) -> None:
        self.findings: list[Finding] = []

    def note(self, place: str, text: str, **values: Any) -> None:
        self.findings.append(Finding(place, text, values))


def mapping_of(options: Table[str, Any]) -> Mapping | Finding:
    """The options compiled, once for all calls; what is wrong first, where they cannot be."""
    return _mapping_of(json.dumps(dict(options), sort_keys=True))


@lru_cache(maxsize=500)
def _mapping_of(said: str) -> Mapping | Finding:
    options = json.loads(said)
    problems = problems_of(options)
    return problems[0] if problems else _compiled(options)


def problems_of(options: Table[str, Any]) -> list[Finding]:
    """All that is wrong with the options, by itself or together."""
    noted = _Noted()
    for name, value in options.items():
        if name in MAPPING_OPTIONS:
            MAPPING_OPTIONS[name].read(value, "options", name, noted)
        else:
            noted.note(f"options.{name}", gettext_noop("is not an option of this protocol"))
    check_mapping(options, noted)
    return noted.findings


def _compiled(options: Table[str, Any]) -> Mapping:
    return Mapping(
        request=template_of(options["request"]),
        headers=headers_of(options.get("headers", "")),
        query=query_of(options.get("query", "")),
        stream_kind=options.get("stream_kind", NO_STREAM),
        paths={name: path_of(options[name]) for name in PATHS if name in options},
        is_cumulative=options.get("cumulative", False),
        opening=options.get("opening", ""),
    )
