"""What a line of the trail is hashed as. Pure.

Every line's hash covers its content and the hash of the line before: whoever changes, removes or inserts one has to compute
all later hashes anew, and the head with them.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

# What the first line follows.
START = "0" * 64


@dataclass(frozen=True, slots=True)
class Line:
    """The content of one line; `number` counts from 1 without gaps."""

    number: int
    at: datetime
    person_id: int | None
    person: str
    act: str
    campaign: str
    about: str
    because: str
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Chained:
    """A stored line: its content, and the two hashes that stand beside it."""

    line: Line
    previous: str
    hash: str


@dataclass(frozen=True, slots=True)
class Break:
    """Where the chain does not hold, and what is wrong there."""

    number: int
    sentence: str


def hash_of(line: Line, previous: str) -> str:
    """SHA-256 of the line as JSON with sorted keys, its time in UTC to the microsecond, and the previous hash."""
    content = {
        "number": line.number,
        "at": line.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "person_id": line.person_id,
        "person": line.person,
        "act": line.act,
        "campaign": line.campaign,
        "about": line.about,
        "because": line.because,
        "details": line.details,
        "previous": previous,
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def breaks_in(lines: Iterable[Chained], *, n_lines: int, head: str) -> Iterator[Break]:
    """Every place where the lines, in the order of their numbers, are not what was recorded.

    `n_lines` and `head` are the last number and its hash as the head says them.
    """
    expected, previous = 1, START
    for stored in lines:
        number = stored.line.number
        if number != expected:
            yield Break(expected, f"Lines {expected} to {number - 1} are missing.")
        elif stored.previous != previous:
            yield Break(number, "It does not follow the line before.")
        if stored.hash != hash_of(stored.line, stored.previous):
            yield Break(number, "Its content is not what was recorded.")
        expected, previous = number + 1, stored.hash
    if expected - 1 != n_lines:
        yield Break(expected, f"The trail ends at line {expected - 1}; the head says {n_lines}.")
    elif previous != head:
        yield Break(expected - 1, "The head has another hash than the last line.")
