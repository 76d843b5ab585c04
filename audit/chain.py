"""What a line of the trail is hashed as. Pure.

Every line's hash covers its content and the hash of the line before: a change, removal or insertion has to recompute
all later hashes and the head. Texts that may name a person are covered by a salted digest each: a text can go
without a trace of it, its digest stays, and the chain holds.
"""

import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

# What the first line follows.
START = "0" * 64
# The texts of a line: what can be erased.
TEXTS = ("person", "about", "because", "details")
# The keys of acts that erase texts begin so.
ERASING = "erased."


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
    """A stored line: its content, the two hashes that stand beside it, and what covers its texts.

    `salts` has one for each text that is as it was recorded, `gone` the digest of each that was erased; `erased_by` is the
    number of the line that says so.
    """

    line: Line
    previous: str
    hash: str
    salts: Mapping[str, str]
    gone: Mapping[str, str] = field(default_factory=dict)
    erased_by: int | None = None


@dataclass(frozen=True, slots=True)
class Break:
    """Where the chain does not hold, and what is wrong there."""

    number: int
    sentence: str


def new_salts() -> dict[str, str]:
    return {name: secrets.token_hex(16) for name in TEXTS}


def digest_of_text(salt: str, text: Any) -> str:
    """SHA-256 of the JSON list of both. Once the salt is gone, no guess at the text can be checked."""
    return _sha256([salt, text])


def hash_of(line: Line, previous: str, salts: Mapping[str, str], gone: Mapping[str, str] | None = None) -> str:
    """SHA-256 of the line as JSON with sorted keys, its time in UTC to the microsecond, and the previous hash.

    In place of each text stands its digest: that in `gone`, or else the one with its salt.
    """
    gone = gone or {}
    content = {
        "number": line.number,
        "at": line.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "person_id": line.person_id,
        "act": line.act,
        "campaign": line.campaign,
        "previous": previous,
    }
    texts = {name: gone.get(name) or digest_of_text(salts.get(name, ""), getattr(line, name)) for name in TEXTS}
    return _sha256(content | texts)


def _sha256(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def breaks_in(
    lines: Iterable[Chained], *, n_lines: int, head: str, after: int = 0, previous: str = START
) -> Iterator[Break]:
    """Every place where the lines, in the order of their numbers, are not what was recorded.

    `n_lines` and `head` are the last number and its hash as the head says them. The lines begin behind line `after`, whose
    hash is `previous`.
    """
    expected = after + 1
    # By the number of the line that is to say why: the first line whose texts are gone.
    unexplained: dict[int | None, int] = {}
    for stored in lines:
        number = stored.line.number
        if number != expected:
            yield Break(expected, f"Lines {expected} to {number - 1} are missing.")
        elif stored.previous != previous:
            yield Break(number, "It does not follow the line before.")
        if stored.hash != hash_of(stored.line, stored.previous, stored.salts, stored.gone):
            yield Break(number, "Its content is not what was recorded.")
        if stored.line.act.startswith(ERASING):
            unexplained.pop(number, None)
        if stored.gone:
            unexplained.setdefault(stored.erased_by, number)
        expected, previous = number + 1, stored.hash
    if expected - 1 != n_lines:
        yield Break(expected, f"The trail ends at line {expected - 1}; the head says {n_lines}.")
    elif previous != head:
        yield Break(expected - 1, "The head has another hash than the last line.")
    for number in unexplained.values():
        yield Break(number, "Its texts are gone, and no later line says that they were erased.")
