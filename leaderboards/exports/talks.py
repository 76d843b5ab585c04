"""Exports of a campaign as flat rows: turns, dialogues, reviews, ratings, leaderboard.

Rows are read a few hundred dialogues at a time by an index, so that a million turns need neither memory nor a global sort,
and no cursor stays open while somebody downloads. They come in the order of the assignments; a dialogue's rows stand
together. Times are UTC in ISO 8601; ids are stable.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from typing import Any
from uuid import UUID

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from campaigns.models import Campaign
from leaderboards.live_board import board_of, columns_of, stored_board, to_json
from reviews.models import Rating, Review
from rubrics.models import ScalePoint
from testing_console.models import Dialogue, Turn

Row = tuple[Any, ...]
Rows = Iterator[Row]

ASSIGNMENTS_AT_ONCE = 200
PLACE = ("dialogue", "tester", "bot", "scenario", "repetition")


@dataclass(frozen=True, slots=True)
class Export:
    """What can be exported: the names of its columns, and its rows in their order."""

    columns: Callable[[Campaign], Sequence[str]]
    rows: Callable[[Campaign], Rows]


def _parts(campaign: Campaign) -> Iterator[QuerySet[Dialogue]]:
    """The dialogues of some assignments after the other."""
    assignments = list(campaign.assignments.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(assignments), ASSIGNMENTS_AT_ONCE):
        part = Dialogue.objects.filter(assignment__in=assignments[start : start + ASSIGNMENTS_AT_ONCE])
        yield part.order_by("assignment_id", "opened_at", "pk")


def _places(dialogues: QuerySet[Dialogue]) -> dict[UUID, Row]:
    """What says in every export which dialogue a row is of."""
    told = dialogues.values_list(
        "pk", "tester__username", "assignment__entry__key", "assignment__scenario__key", "assignment__repetition"
    )
    return {pk: (str(pk), *place) for pk, *place in told}


TURN = (
    "turn", "subtask", "key", "status", "text", "reply", "flags", "attempts", "latency_ms", "asked_at", "settled_at",
)  # fmt: skip
# Texts as the database has them: to make Django's values of a million rows takes longer than to read them.
STORED_TURN = (
    Cast("dialogue_id", TextField()), "number", "subtask", "key", "status", "text", Cast("texts", TextField()),
    Cast("flags", TextField()), "attempt_number", "latency_ms", Cast("asked_at", TextField()),
    Cast("settled_at", TextField()),
)  # fmt: skip


def turns(campaign: Campaign) -> Rows:
    for dialogues in _parts(campaign):
        places = _places(dialogues)
        wanted = Turn.objects.filter(dialogue__in=list(places)).order_by("dialogue_id", "number")
        of_dialogue = {
            UUID(dialogue): list(rows) for dialogue, rows in groupby(wanted.values_list(*STORED_TURN), itemgetter(0))
        }
        for pk, place in places.items():
            for row in of_dialogue.get(pk, ()):
                yield place + _turn(*row)


def _turn(
    dialogue: str, number: int, subtask: int, key: str, status: str, text: str, texts: str, flags: str,
    attempts: int, latency_ms: int | None, asked_at: str, settled_at: str | None,
) -> Row:  # fmt: skip
    noticed = [] if flags == "[]" else _list(flags)
    when = _time(asked_at), None if settled_at is None else _time(settled_at)
    return (number, subtask, key, status, text, _list(texts), noticed, attempts, latency_ms, *when)


DIALOGUE = ("status", "reason", "turns_used", "subtasks", "opened_at", "closed_at", "origin", "external_id")


def dialogues(campaign: Campaign) -> Rows:
    for part in _parts(campaign):
        places = _places(part)
        for dialogue in part.prefetch_related("subtasks"):
            subtasks = [
                {"kind": row.kind, "status": row.status, "turns": row.turns_used, "cap": row.turn_cap}
                for row in dialogue.subtasks.all()
            ]
            state = (dialogue.status, dialogue.reason, dialogue.turns_used, subtasks)
            # A dialogue that was opened since its part was begun is left out.
            if dialogue.pk in places:
                when = (_iso(dialogue.opened_at), _iso(dialogue.closed_at))
                yield (*places[dialogue.pk], *state, *when, dialogue.origin, dialogue.external_id)


REVIEW = ("reviewer", "verdicts", "comment", "version", "submitted_at", "part", "is_counted")


def reviews(campaign: Campaign) -> Rows:
    for part in _parts(campaign):
        places = _places(part)
        wanted = Review.objects.filter(is_submitted=True, dialogue__in=list(places)).select_related("reviewer")
        for review in wanted.prefetch_related("verdicts").order_by(*_IN_ORDER, "pk"):
            verdicts = {str(verdict.subtask): verdict.is_finished for verdict in review.verdicts.all()}
            told = (review.reviewer.username, verdicts, review.comment, review.version, _iso(review.submitted_at))
            yield (*places[review.dialogue_id], *told, review.part, review.is_counted)


RATING = ("reviewer", "criterion", "score", "place", "label", "evidence_turn", "part", "is_counted")
STORED_RATING = (
    "review__reviewer__username", "criterion__key", "score", "place", "evidence_turn", "review__part",
    "review__is_counted",
)  # fmt: skip


def ratings(campaign: Campaign) -> Rows:
    """`place` is empty for the dialogue, `#2` its second subtask, `@3.bot` the bot in turn 3; `label` is that of a label set."""
    points = ScalePoint.objects.filter(criterion__rubric=campaign.rubric_id).exclude(key="")
    labels = {(criterion, score): key for criterion, score, key in points.values_list("criterion__key", "score", "key")}
    for part in _parts(campaign):
        places = _places(part)
        wanted = Rating.objects.filter(review__is_submitted=True, review__dialogue__in=list(places))
        in_order = wanted.order_by(
            *(f"review__{name}" for name in _IN_ORDER), "review_id", "criterion__position", "place"
        )
        for dialogue, who, criterion, score, *place, evidence, capacity, counts in in_order.values_list(
            "review__dialogue_id", *STORED_RATING
        ):
            label = labels.get((criterion, score))
            yield (*places[dialogue], who, criterion, score, *place, label, evidence, capacity, counts)


# As the dialogues come, so that the rows of one stand together.
_IN_ORDER = ("dialogue__assignment_id", "dialogue__opened_at", "dialogue_id")


def leaderboard_columns(campaign: Campaign) -> Sequence[str]:
    return ["rank", "team", "bot", "n_records", *[key.name for key in columns_of(campaign)]]


def leaderboard_rows(campaign: Campaign) -> Rows:
    board = to_json(campaign, board_of(campaign, stored_board(campaign).rows))
    columns = leaderboard_columns(campaign)
    for row in (*board["rows"], *board["unranked"]):
        yield tuple(row[name] for name in columns)


EXPORTS = {
    "turns": Export(lambda campaign: PLACE + TURN, turns),
    "dialogues": Export(lambda campaign: PLACE + DIALOGUE, dialogues),
    "reviews": Export(lambda campaign: PLACE + REVIEW, reviews),
    "ratings": Export(lambda campaign: PLACE + RATING, ratings),
    "leaderboard": Export(leaderboard_columns, leaderboard_rows),
}


# What the database stores is JSON without spaces around it, so the looks for those are left out.
_decode = json.JSONDecoder().raw_decode


def _list(stored: str) -> Any:
    return _decode(stored)[0]


def _time(stored: str) -> str:
    """A time that the database gave as text, in UTC; SQLite stores it so, without the zone."""
    if "+" not in stored:
        return f"{stored.replace(' ', 'T')}+00:00"
    return datetime.fromisoformat(stored).astimezone(UTC).isoformat()


def _iso(at: datetime | None) -> str | None:
    return at.isoformat() if at is not None else None
