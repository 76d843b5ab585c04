"""Exports of a campaign as flat rows: turns, dialogues, reviews, ratings, leaderboard; as CSV or JSON Lines.

Rows are made one by one, so that a million turns need no memory. Times are UTC in ISO 8601; ids are stable. CSV has
a byte order mark (Excel opens Chinese) and its text cells cannot become formulas; JSON Lines is exact: lists and tables
are JSON there too, where a CSV cell holds them as one text.
"""

import csv
import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any, TextIO

from django.db.models import QuerySet

from campaigns.models import Campaign
from leaderboards.live_board import board_of, stored_board, to_json
from reviews.models import Rating, Review
from testing_console.models import Dialogue, Turn

Rows = Iterator[dict[str, Any]]

# Excel and LibreOffice take the full-width signs of a Chinese input method for the plain ones.
FORMULA_SIGNS = frozenset("=+-@＝＋－＠")
# Importers trim these first, or take what follows them for a cell of its own.
CELL_BREAKS = ("\t", "\r", "\n")
# How a list of texts becomes one cell.
JOINED_BY = {"reply": "\n", "flags": " "}


def turns(campaign: Campaign) -> Rows:
    wanted = Turn.objects.filter(dialogue__assignment__campaign=campaign).select_related(
        "dialogue__tester", "dialogue__assignment__entry", "dialogue__assignment__scenario"
    )
    for turn in wanted.order_by("dialogue__opened_at", "dialogue_id", "number").iterator(2000):
        yield {
            **_place(turn.dialogue),
            "turn": turn.number,
            "subtask": turn.subtask,
            "key": turn.key,
            "status": turn.status,
            "text": turn.text,
            "reply": turn.texts,
            "flags": turn.flags,
            "attempts": turn.attempt_number,
            "latency_ms": turn.latency_ms,
            "asked_at": _time(turn.asked_at),
            "settled_at": _time(turn.settled_at),
        }


def dialogues(campaign: Campaign) -> Rows:
    wanted = Dialogue.objects.of_campaign(campaign).with_names().select_related("tester")
    for dialogue in wanted.prefetch_related("subtasks").order_by("opened_at", "pk").iterator(2000):
        yield {
            **_place(dialogue),
            "status": dialogue.status,
            "reason": dialogue.reason,
            "turns_used": dialogue.turns_used,
            "subtasks": [
                {
                    "kind": subtask.kind,
                    "status": subtask.status,
                    "turns": subtask.turns_used,
                    "cap": subtask.turn_cap,
                }
                for subtask in dialogue.subtasks.all()
            ],
            "opened_at": _time(dialogue.opened_at),
            "closed_at": _time(dialogue.closed_at),
        }


def reviews(campaign: Campaign) -> Rows:
    for review in _reviews(campaign).prefetch_related("verdicts").iterator(2000):
        yield {
            **_place(review.dialogue),
            "reviewer": review.reviewer.username,
            "verdicts": {str(verdict.subtask): verdict.is_finished for verdict in review.verdicts.all()},
            "comment": review.comment,
            "version": review.version,
            "submitted_at": _time(review.submitted_at),
        }


def ratings(campaign: Campaign) -> Rows:
    wanted = Rating.objects.filter(review__in=_reviews(campaign)).select_related(
        "criterion", "review__reviewer", "review__dialogue__tester",
        "review__dialogue__assignment__entry", "review__dialogue__assignment__scenario",
    )  # fmt: skip
    for rating in wanted.order_by("review_id", "criterion__position").iterator(2000):
        yield {
            **_place(rating.review.dialogue),
            "reviewer": rating.review.reviewer.username,
            "criterion": rating.criterion.key,
            "score": rating.score,
        }


def leaderboard_rows(campaign: Campaign) -> Rows:
    board = to_json(campaign, board_of(campaign, stored_board(campaign).rows))
    yield from board["rows"]
    for row in board["unranked"]:
        yield {name: value for name, value in row.items() if name != "reason"}


WHAT: dict[str, Callable[[Campaign], Rows]] = {
    "turns": turns,
    "dialogues": dialogues,
    "reviews": reviews,
    "ratings": ratings,
    "leaderboard": leaderboard_rows,
}

# The columns of an export that has no rows yet.
COLUMNS = {
    "turns": "dialogue tester bot scenario repetition turn subtask key status text reply flags attempts latency_ms "
    "asked_at settled_at",
    "dialogues": "dialogue tester bot scenario repetition status reason turns_used subtasks opened_at closed_at",
    "reviews": "dialogue tester bot scenario repetition reviewer verdicts comment version submitted_at",
    "ratings": "dialogue tester bot scenario repetition reviewer criterion score",
    "leaderboard": "rank team bot n_records completion mean_turns",
}


def _reviews(campaign: Campaign) -> QuerySet[Review]:
    return (
        Review.objects.filter(is_submitted=True, dialogue__assignment__campaign=campaign)
        .select_related("reviewer", "dialogue__tester", "dialogue__assignment__entry", "dialogue__assignment__scenario")
        .order_by("pk")
    )


def _place(dialogue: Dialogue) -> dict[str, Any]:
    assignment = dialogue.assignment
    return {
        "dialogue": str(dialogue.pk),
        "tester": dialogue.tester.username,
        "bot": assignment.entry.key,
        "scenario": assignment.scenario.key,
        "repetition": assignment.repetition,
    }


def _time(at: datetime | None) -> str | None:
    return at.isoformat() if at is not None else None


def write_jsonl(rows: Iterable[dict[str, Any]], out: TextIO) -> int:
    n_rows = 0
    for row in rows:
        out.write(json.dumps(row, ensure_ascii=False) + "\n")
        n_rows += 1
    return n_rows


def write_csv(rows: Iterable[dict[str, Any]], out: TextIO, columns: list[str]) -> int:
    """Writes the rows; columns of the first row beyond the known ones are added in its order."""
    iterator = iter(rows)
    first = next(iterator, None)
    names = list(first) if first is not None else columns
    writer = csv.DictWriter(out, names)
    out.write("\ufeff")
    writer.writer.writerow(map(spreadsheet_safe, names))
    n_rows = 0
    while first is not None:
        writer.writerow({name: cell(name, value) for name, value in first.items()})
        n_rows += 1
        first = next(iterator, None)
    return n_rows


def cell(name: str, value: Any) -> Any:
    """A value as one cell: lists and tables as text, texts safe, numbers as they are."""
    if isinstance(value, list) and name in JOINED_BY:
        value = JOINED_BY[name].join(value)
    elif isinstance(value, list | dict):
        value = json.dumps(value, ensure_ascii=False)
    return spreadsheet_safe(value)


def spreadsheet_safe(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula gets an apostrophe before it; numbers stay numbers."""
    if not isinstance(value, str):
        return value
    if value.startswith(CELL_BREAKS) or _first_seen(value) in FORMULA_SIGNS:
        return f"'{value}"
    return value


def _first_seen(text: str) -> str:
    """The first character that is no space and not invisible, since spreadsheets skip those; or an empty text."""
    return next((one for one in text if not (one.isspace() or unicodedata.category(one) in {"Cc", "Cf"})), "")
