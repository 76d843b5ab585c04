"""A line of the trail as pages, programs and files show it."""

import json
from collections.abc import Iterator
from datetime import UTC
from typing import Any

from django.utils.translation import gettext

from audit.models import TrailLine, TrailLineQuerySet
from campaigns.actions.stages import FAILED_IN_A_ROW
from leaderboards.table_files.text_files import csv_pieces, json_lines
from registration.actions.inviting import BY_INVITATION

COLUMNS = (
    "number",
    "at",
    "person",
    "person_id",
    "act",
    "campaign",
    "about",
    "because",
    "details",
    "previous",
    "hash",
)
FORMATS = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl; charset=utf-8"}
LINES_AT_ONCE = 1000
OF_THE_PLATFORM = {BY_INVITATION, FAILED_IN_A_ROW}


def row_of(line: TrailLine) -> dict[str, Any]:
    """Everything that the line's hash covers, as it covers it (docs/audit-trail.md), and both hashes."""
    said = {name: getattr(line, name) for name in COLUMNS}
    return said | {"at": line.at.astimezone(UTC).isoformat(timespec="microseconds")}


def pieces_of(lines: TrailLineQuerySet, format: str) -> Iterator[bytes]:
    """The lines as a file of that format, a few at a time in memory."""
    rows = (row_of(line) for line in lines.iterator(chunk_size=LINES_AT_ONCE))
    pieces = csv_pieces(COLUMNS, (list(row.values()) for row in rows)) if format == "csv" else json_lines(rows)
    return (piece.encode() for piece in pieces)


def because_of(line: TrailLine) -> str:
    """The reason as a page shows it: the platform's own in the reader's language, a person's as they wrote it."""
    return gettext(line.because) if line.because in OF_THE_PLATFORM else line.because


def details_of(line: TrailLine) -> list[tuple[str, list[str]]]:
    """What a page shows under a line: each detail with its values as text."""
    return [(name, _texts(value)) for name, value in line.details.items()]


def _texts(value: Any) -> list[str]:
    if isinstance(value, list):
        return [_text(one) for one in value]
    return [_text(value)]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
