"""The chain of the audit trail: each line's digest covers the digest of the line before it. Pure."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

# One for all lines: `json.dumps` makes a new encoder for each call that names an option.
_encoder = json.JSONEncoder(ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def digest_of(line: Mapping[str, Any], previous: str) -> str:
    """The digest of a line of the trail (plain JSON values) that follows a line with the digest `previous`."""
    return hashlib.sha256(_encoder.encode([previous, line]).encode()).hexdigest()


def first_broken(lines: Iterable[tuple[Mapping[str, Any], str]]) -> int | None:
    """The place (from 0) of the first line whose digest is not that of what it says; None where the chain holds."""
    previous = ""
    for place, (line, digest) in enumerate(lines):
        if digest_of(line, previous) != digest:
            return place
        previous = digest
    return None
