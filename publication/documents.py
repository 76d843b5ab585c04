"""A snapshot as one JSON document, from which alone the public page, its files and every later check are made; how it is cited. Pure.

A document is written canonically (sorted keys, no spaces, no NaN), so that its SHA-256 says whether a copy is the published one.
Teams are named in it, or bots by their aliases alone; then nothing in it tells who made which.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from leaderboards.board import Board, Key, Named, Row, Words, with_names
from measures.live import MEAN_TURNS

FORMAT = 1
Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class FrozenReason:
    """Why a row had no rank, in words that are frozen with it."""

    value: str
    words: Words

    @property
    def label(self) -> str:
        return str(self.words)


def canonical(document: Document) -> str:
    """The one way to write a document."""
    return json.dumps(document, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def time_of(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def document_of(
    board: Board, *, names: Mapping[str, Named], statistics: Mapping[str, Any] | None, head: Mapping[str, Any]
) -> Document:
    """The document of a board whose rows get `names` by their keys; `statistics` has these names already. `head` says of which campaign,
    when and by what rules.
    """
    named = with_names(board, names)
    return {
        "format": FORMAT,
        **head,
        "keys": [_key(key) for key in board.keys],
        "rule": [key.name for key in board.rule],
        "rows": [_row(board.keys, row) for row in named.rows],
        "unranked": [_row(board.keys, row) for row in named.unranked],
        "statistics": dict(statistics) if statistics else None,
    }


def has_same_rows(document: Document, other: Mapping[str, Any]) -> bool:
    """Whether ranks, names and figures are those of another document, such as a bundle's own leaderboard."""
    parts = ("rows", "unranked")
    return all([_told(row) for row in document[part]] == [_told(row) for row in other[part]] for part in parts)


def _told(row: Mapping[str, Any]) -> list[Any]:
    return [row[name] for name in ("key", "rank", "team", "bot", "n_records", "figures")]


def board_in(document: Document) -> Board:
    """The board that a document says, for the pages and files of boards."""
    keys = {row["key"]: _key_in(row) for row in document["keys"]}
    intervals = {key: row.get("intervals", {}) for key, row in (document["statistics"] or {}).get("rows", {}).items()}
    return Board(
        keys=tuple(keys.values()),
        rule=tuple(keys[name] for name in document["rule"]),
        rows=tuple(_row_in(row, intervals) for row in document["rows"]),
        unranked=tuple(_row_in(row, intervals) for row in document["unranked"]),
    )


def board_name_in(document: Document) -> str:
    """What the board is called in the reader's language; empty for the leaderboard."""
    return str(Words(**document["combined"]["name"])) if "combined" in document else ""


def is_of_runs(document: Document) -> bool:
    """Whether its rows are the runs of one task."""
    return bool(document.get("combined", {}).get("of_runs"))


def has_people(document: Document) -> bool:
    """Whether people's scores are on the board."""
    return "combined" not in document or any(part["task"] is None for part in document["combined"]["parts"])


def counts_turns(document: Document) -> bool:
    """Whether a column is T; a combined board may give it another key."""
    if "combined" in document:
        columns = document["combined"]["columns"]
        return any(one["task"] is None and one["figure"] == MEAN_TURNS.name for one in columns)
    return any(key["key"] == MEAN_TURNS.name for key in document["keys"])


def name_head_of(document: Document) -> str:
    """What a row of the board is, as the head of its column says."""
    if is_of_runs(document):
        return _("Run")
    return _("Team") if "combined" in document else _("System")


def changes_in(document: Document) -> Mapping[str, Any]:
    """What is told of systems that changed, by the keys of rows; empty where the campaign publishes none."""
    found: Mapping[str, Any] = document.get("changes") or {}
    return found


def agreement_in(document: Document) -> dict[str, float]:
    """The panel's alpha by figure; empty where nobody's agreement was frozen."""
    return dict(document.get("agreement") or {})


def _key(key: Key) -> dict[str, Any]:
    words = {"zh": key.words.zh, "en": key.words.en}
    named = {"key": key.name, "letter": key.letter, "words": words, "better": key.better, "decimals": key.decimals}
    return named | {"scale": list(key.scale) if key.scale else None}


def _key_in(row: Mapping[str, Any]) -> Key:
    low_high = row["scale"]
    scale = (low_high[0], low_high[1]) if low_high else None
    return Key(row["key"], Words(**row["words"]), row["better"], row["decimals"], row["letter"], scale)


def _row(keys: tuple[Key, ...], row: Row) -> dict[str, Any]:
    told: dict[str, Any] = {"key": row.key, "rank": row.rank, "team": row.team, "bot": row.name, "n_records": row.n}
    told["figures"] = {key.name: row.figures.get(key.name) for key in keys}
    told |= {} if row.weigh_alike else {"weigh_alike": False}
    told |= {"baseline": row.baseline} if row.baseline else {}
    told |= {"source": row.source} if row.source is not None else {}
    told |= {"changed": [moment.isoformat() for moment in row.changed]} if row.changed else {}
    told["failed"] = None if row.n_failed is None else [row.n_failed, row.n_turns]
    if row.reason is not None:
        words = Words.of(row.reason.label)
        told["reason"] = {"value": row.reason.value, "words": {"zh": words.zh, "en": words.en}}
    return told


def _row_in(row: Mapping[str, Any], intervals: Mapping[str, Mapping[str, Any]]) -> Row:
    reason, (n_failed, n_turns) = row.get("reason"), row["failed"] or (None, 0)
    return Row(
        row["key"],
        row["bot"],
        row["figures"],
        team=row["team"],
        n=row["n_records"],
        weigh_alike=row.get("weigh_alike", True),
        rank=row["rank"],
        intervals={name: (ends[0], ends[1]) for name, ends in intervals.get(row["key"], {}).items() if ends},
        reason=FrozenReason(reason["value"], Words(**reason["words"])) if reason else None,
        baseline=row.get("baseline", ""),
        source=row.get("source"),
        n_failed=n_failed,
        n_turns=n_turns,
        changed=tuple(map(datetime.fromisoformat, row.get("changed", ()))),
    )


@dataclass(frozen=True, slots=True)
class Citation:
    text: str
    bibtex: str


def citation_of(
    document: Document, *, name: str, public_from: datetime | None, zone: ZoneInfo, address: str, digest: str
) -> Citation:
    """Its days are those of the campaign's `zone`, as on the page.

    `public_from` is missing while nothing is published: then it cites the day of the freeze.
    """
    frozen = _day_of(datetime.fromisoformat(document["frozen_at"]), zone)
    day = _day_of(public_from, zone) if public_from else frozen
    number, slug = document["number"], document["campaign"]
    caveat = (
        " Records reconstructed from published figures, not the original scores."
        if document.get("n_reconstructed")
        else ""
    )
    if n_of_programs := document.get("n_of_programs"):
        caveat += f" Counts {n_of_programs} records of programs."
    text = f"{name}, leaderboard {number}, frozen {frozen}, published {day}.{caveat} {address} (SHA-256 {digest})"
    title = name.replace("\\", "").translate({ord(sign): f"\\{sign}" for sign in "{}&%$#_"})
    lines = [
        f"@misc{{{slug}-leaderboard-{number},",
        f"  title = {{{title}, leaderboard {number}}},",
        f"  year = {{{day[:4]}}},",
        f"  note = {{Frozen {frozen}, published {day}.{caveat} SHA-256 {digest}}},",
        f"  howpublished = {{\\url{{{address}}}}},",
        "}",
    ]
    return Citation(text, "\n".join(lines))


def _day_of(moment: datetime, zone: ZoneInfo) -> str:
    return moment.astimezone(zone).date().isoformat()
