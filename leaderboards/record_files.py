"""Reads a file of records (design §8: JSON Lines, one dialogue × reviewer per line). Pure: bad lines have numbers."""

import codecs
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from measures.live import Record, SubtaskOutcome
from scoring.storable import unstorable_place
from scoring.strict_json import loads


@dataclass(frozen=True, slots=True)
class BadLine:
    number: int
    message: str

    def __str__(self) -> str:
        return f"line {self.number}: {self.message}"


class BadRecordFile(Exception):
    """Nothing is imported; `lines` names every bad line."""

    def __init__(self, lines: list[BadLine]) -> None:
        super().__init__("\n".join(map(str, lines)))
        self.lines = lines


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A record with the number of its line, the optional dialogue id, and everything else the line held."""

    number: int
    record: Record
    dialogue: str
    content: dict[str, Any]

    @property
    def identity(self) -> tuple[str, str, str, str, str]:
        record = self.record
        return (record.team, record.bot, record.scenario, record.reviewer, self.dialogue)


class _Wrong(Exception):
    pass


def read_record_lines(lines: Iterable[bytes], scales: Mapping[str, list[int]]) -> list[RecordLine]:
    """The records of a file; `scales` maps criteria to their scores. Errors: `BadRecordFile` naming all bad lines."""
    read, bad = [], []
    first_seen: dict[tuple[str, ...], int] = {}
    for number, raw in enumerate(lines, start=1):
        if not raw.strip():
            continue
        try:
            line = _read_line(number, raw, scales)
            if line.identity in first_seen:
                raise _Wrong(f"the same team, scenario and reviewer already appear on line {first_seen[line.identity]}")
            first_seen[line.identity] = number
            read.append(line)
        except _Wrong as wrong:
            bad.append(BadLine(number, str(wrong)))
    if bad:
        raise BadRecordFile(bad)
    return read


def _read_line(number: int, raw: bytes, scales: Mapping[str, list[int]]) -> RecordLine:
    try:
        content = loads(raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw)
    except ValueError as bad:
        raise _Wrong(f"is not JSON ({bad})") from bad
    if not isinstance(content, dict):
        raise _Wrong("is not a JSON object")
    if (place := unstorable_place(content)) is not None:
        raise _Wrong(f"`{place}` holds a NUL character or half a surrogate pair")
    team = _text(content, "team")
    record = Record(
        team=team,
        bot=_text(content, "bot") if "bot" in content else team,
        scenario=_text(content, "scenario"),
        reviewer=_text(content, "reviewer"),
        subtasks=_subtasks(content.get("subtasks")),
        ratings=_ratings(content.get("ratings", {}), scales),
    )
    dialogue = _text(content, "dialogue") if "dialogue" in content else ""
    return RecordLine(number, record, dialogue, content)


def record_of(content: dict[str, Any]) -> Record:
    """The record of a line that was checked when it was imported."""
    subtasks = tuple(
        SubtaskOutcome(row.get("kind", ""), row["completed"], row["turns"], row["cap"]) for row in content["subtasks"]
    )
    return Record(
        team=content["team"],
        bot=content.get("bot", content["team"]),
        scenario=content["scenario"],
        reviewer=content["reviewer"],
        subtasks=subtasks,
        ratings=content.get("ratings", {}),
    )


def _text(content: dict[str, Any], name: str) -> str:
    value = content.get(name)
    if not isinstance(value, str) or not value.strip() or len(value) > 200:
        raise _Wrong(f"`{name}` must be a text of 1 to 200 characters")
    return value


def _subtasks(value: Any) -> tuple[SubtaskOutcome, ...]:
    if not isinstance(value, list) or not value:
        raise _Wrong("`subtasks` must be a list of at least one subtask")
    return tuple(_subtask(row, f"subtasks[{index}]") for index, row in enumerate(value))


def _subtask(row: Any, place: str) -> SubtaskOutcome:
    if not isinstance(row, dict):
        raise _Wrong(f"`{place}` must be an object")
    if not isinstance(row.get("completed"), bool):
        raise _Wrong(f"`{place}.completed` must be true or false")
    for name in ("turns", "cap"):
        value = row.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 100_000:
            raise _Wrong(f"`{place}.{name}` must be a whole number from 0")
    if row["turns"] > row["cap"]:
        raise _Wrong(f"`{place}.turns` is {row['turns']}, more than its cap of {row['cap']}")
    kind = row.get("kind", "")
    if not isinstance(kind, str):
        raise _Wrong(f"`{place}.kind` must be a text")
    return SubtaskOutcome(kind, row["completed"], row["turns"], row["cap"])


def _ratings(value: Any, scales: Mapping[str, list[int]]) -> dict[str, float | None]:
    if not isinstance(value, dict):
        raise _Wrong("`ratings` must be an object")
    for key, score in value.items():
        if score is None or key not in scales:
            continue
        if isinstance(score, bool) or score not in scales[key]:
            low, high = scales[key][0], scales[key][-1]
            raise _Wrong(f"`ratings.{key}` is {score!r}, which is not on the scale {low}…{high}")
    return value
