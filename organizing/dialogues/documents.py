"""Dialogues and failures as the API says them."""

import json
from datetime import datetime
from typing import Any

from organizing.dialogues.failed import Tally
from organizing.dialogues.listing import Row
from organizing.dialogues.transcript import Request, ReviewShown, Transcript, TurnShown
from organizing.dialogues.waiting import Wait
from testing_console.models import Dialogue

Document = dict[str, Any]


def _iso(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def _about(dialogue: Dialogue) -> Document:
    entry = dialogue.assignment.entry
    return {
        "id": str(dialogue.pk),
        "assignment": dialogue.assignment_id,
        "bot": entry.alias,
        "team": entry.bot.team.name,
        "tester": dialogue.tester.username,
        "scenario": dialogue.assignment.scenario.key,
        "origin": dialogue.origin,
        "external_id": dialogue.external_id,
        "status": dialogue.status,
        "reason": dialogue.reason,
        "opened_at": _iso(dialogue.opened_at),
        "closed_at": _iso(dialogue.closed_at),
    }


def _waits(wait: Wait | None) -> Document | None:
    return {"for": wait.who, "since": _iso(wait.since), "until": _iso(wait.until)} if wait else None


def row_document(row: Row) -> Document:
    counts = {"turns": row.n_turns, "failures": row.n_failed, "flags": row.n_flags, "reviews": row.n_reviews}
    return {**_about(row.dialogue), **counts, "waits": _waits(row.wait)}


def dialogue_document(talk: Transcript) -> Document:
    return {
        **_about(talk.dialogue),
        "waits": _waits(talk.wait),
        "turns": [_turn(one) for one in talk.turns],
        "ledger": [json.loads(frame) for _, frame in talk.ledger],
        "reviews": [_review(one) for one in talk.reviews],
        "problems": [
            {"by": one.reported_by.username, "turn": one.turn and one.turn.number, "text": one.text, "at": _iso(one.at)}
            for one in talk.problems
        ],
        "trail": [
            {"number": one.number, "at": _iso(one.at), "by": one.person, "act": one.act, "because": one.because}
            for one in talk.trail
        ],
    }


def _turn(one: TurnShown) -> Document:
    turn = one.turn
    return {
        "turn": turn.number,
        "subtask": turn.subtask,
        "status": turn.status,
        "text": turn.text,
        "texts": turn.texts,
        "originals": list(one.originals),
        "flags": turn.flags,
        "is_flagged": one.is_flagged,
        "latency_ms": turn.latency_ms,
        "asked_at": _iso(turn.asked_at),
        "settled_at": _iso(turn.settled_at),
        "attempts": [attempt_document(request) for request in one.requests],
    }


def attempt_document(request: Request) -> Document:
    one = request.attempt
    return {
        "attempt": one.number,
        "request": one.request,
        "outcome": one.outcome,
        "is_current": one.is_current,
        "has_left": one.has_left,
        "status": one.status,
        "kind": one.kind,
        "fault": one.fault,
        "measured_fault": one.measured_fault or one.fault,
        "detail": one.detail,
        "evidence": one.evidence,
        "texts": one.texts,
        "bytes": request.n_bytes,
        "latency_ms": one.latency_ms,
        "ended_at": _iso(one.ended_at),
    }


def _review(one: ReviewShown) -> Document:
    review = one.review
    return {
        "reviewer": review.reviewer.username,
        "part": review.part,
        "is_counted": review.is_counted,
        "submitted_at": _iso(review.submitted_at),
        "scores": dict(one.scores),
        "verdicts": {str(verdict.subtask): verdict.is_finished for verdict in one.verdicts},
        "comment": review.comment,
    }


def failure_document(request: Request) -> Document:
    turn = request.attempt.turn
    return {
        **{name: _about(turn.dialogue)[name] for name in ("bot", "team", "tester", "scenario")},
        "dialogue": str(turn.dialogue_id),
        "turn": turn.number,
        **attempt_document(request),
    }


def tally_document(tally: Tally) -> Document:
    return {bot.alias: dict(zip(tally.kinds, bot.counts, strict=True)) for bot in tally.bots}
