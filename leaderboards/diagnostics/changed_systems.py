"""The records of systems that changed while they were tested, split there: figures of before and after, stored with the parts of the board."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from campaigns.models import Campaign
from dialogues.models import Dialogue
from leaderboards import explanations
from leaderboards.board import Board, Key, Row
from leaderboards.live_board import columns_of
from leaderboards.records import counted_lines
from measures.before_after import Spans
from measures.live import record_of
from replays.system_changes import SystemChange, changes_of, span_of

# What is stored of one system: `{"changes": [[last same or null, found]], "spans": [{"n", "figures", "intervals"}], "n_between"}`.
Split = Mapping[str, Any]


def stored_changes(changes: Sequence[SystemChange]) -> list[list[str | None]]:
    return [[one.last_same.isoformat() if one.last_same else None, one.found.isoformat()] for one in changes]


def splits_of(campaign: Campaign) -> dict[str, Split]:
    """By the entry's id as a text; nothing of systems that did not change. The queries are as many for one as for all."""
    changed = changes_of(campaign)
    if not changed:
        return {}
    names = [key.name for key in columns_of(campaign)]
    spans = {entry: Spans(len(changes) + 1, names) for entry, changes in changed.items()}
    live = Dialogue.objects.of_campaign(campaign).filter(assignment__entry__in=changed, origin=Dialogue.Origin.LIVE)
    told = live.exclude(closed_at=None).values_list("pk", "assignment__entry", "opened_at", "closed_at")
    times = {pk: (entry, opened, closed) for pk, entry, opened, closed in told}
    for line in counted_lines(campaign, live.order_by("assignment_id", "opened_at", "pk")):
        if line.dialogue in times:
            entry, opened, closed = times[line.dialogue]
            side = span_of(changed[entry], opened, closed)
            spans[entry].add(side, line.content["scenario"], record_of(line.content))
    return {
        str(entry): {
            "changes": stored_changes(changed[entry]),
            "spans": [
                {
                    "n": one.n,
                    "figures": one.figures,
                    "intervals": {name: list(ends) for name, ends in one.intervals.items()},
                }
                for one in of_entry.figures(names)
            ],
            "n_between": of_entry.n_between,
        }
        for entry, of_entry in spans.items()
    }


@dataclass(frozen=True, slots=True)
class SpanCell:
    """A figure of one span with the ends of its interval, where there is one."""

    key: Key
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class SpanShown:
    """The records from `since` on, until `until`; None: from the beginning, or to the end."""

    since: datetime | None
    until: datetime | None
    n: int
    cells: Sequence[SpanCell]


@dataclass(frozen=True, slots=True)
class SplitShown:
    row: Row
    spans: Sequence[SpanShown]
    n_between: int


def splits_shown(board: Board, splits: Mapping[str, Split]) -> list[SplitShown]:
    """In the order of the board; of too few records no interval is told, as on the board."""
    rows = [*board.rows, *board.unranked]
    return [_shown(board, row, splits[row.key]) for row in rows if row.key in splits]


def _shown(board: Board, row: Row, split: Split) -> SplitShown:
    changes = [(_moment(last_same), _moment(found)) for last_same, found in split["changes"]]
    since = [None, *(found for _, found in changes)]
    until = [*(last_same or found for last_same, found in changes), None]
    spans = [
        SpanShown(start, end, one["n"], [_cell(key, one) for key in board.keys])
        for start, end, one in zip(since, until, split["spans"], strict=True)
    ]
    return SplitShown(row, spans, split["n_between"])


def _cell(key: Key, span: Mapping[str, Any]) -> SpanCell:
    ends = span["intervals"].get(key.name) if span["n"] >= explanations.FEWEST else None
    low, high = ends or (None, None)
    return SpanCell(key, span["figures"].get(key.name), low, high)


def _moment(said: str | None) -> datetime | None:
    return None if said is None else datetime.fromisoformat(said)
