"""Dialogues and failures as the API says them."""

import json
from datetime import datetime
from typing import Any, NotRequired, TypedDict

from api.answers import encoded
from dialogues.models import Dialogue
from organizing.dialogues.failed import Tally
from organizing.dialogues.listing import Row, Wait
from organizing.dialogues.transcript import Request, ReviewShown, Transcript, TurnShown
from participants.adapters.calls import read_again
from participants.failures import WireDocument, wire_of
from reading.json_schemas import Id, Moment
from reviews.models import Vetting

Document = dict[str, Any]


# Functional, because `for` is a word of the language. Whom it waits for, since when, and until when at most.
WaitDocument = TypedDict("WaitDocument", {"for": str, "since": Moment | None, "until": Moment | None})


class AboutDialogue(TypedDict):
    id: Id
    assignment: int
    bot: str
    team: str
    team_en: str
    tester: str
    tester_kind: str
    scenario: str
    origin: str
    external_id: str
    status: str
    reason: str
    opened_at: Moment | None
    closed_at: Moment | None


class PassageDocument(TypedDict):
    turn: int
    text: str


class DialogueRow(AboutDialogue):
    """`passage` is the first that holds one of the words that were searched for."""

    turns: int
    failures: int
    flags: int
    reviews: int
    waits: WaitDocument | None
    passage: NotRequired[PassageDocument]


class AttemptDocument(TypedDict):
    attempt: int
    request: int
    outcome: str
    is_current: bool
    has_left: bool
    status: int | None
    kind: str
    fault: str
    measured_fault: str
    detail: str
    evidence: str
    texts: list[str] | None
    bytes: int
    latency_ms: int | None
    ended_at: Moment | None
    wire: WireDocument


class TurnDocument(TypedDict):
    turn: int
    subtask: int
    status: str
    text: str
    texts: list[str]
    originals: list[str]
    state: Any
    flags: list[str]
    is_flagged: bool
    latency_ms: int | None
    asked_at: Moment | None
    settled_at: Moment | None
    attempts: list[AttemptDocument]


class DialogueDocument(AboutDialogue):
    """`ledger` holds the frames of the dialogue as its socket sent them."""

    waits: WaitDocument | None
    turns: list[TurnDocument]
    ledger: list[dict[str, Any]]
    reviews: list[dict[str, Any]]
    vettings: list[dict[str, Any]]
    problems: list[dict[str, Any]]
    trail: list[dict[str, Any]]


class FailureDocument(AttemptDocument):
    bot: str
    team: str
    team_en: str
    tester: str
    scenario: str
    dialogue: Id
    turn: int


def _iso(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def _about(dialogue: Dialogue) -> AboutDialogue:
    entry = dialogue.assignment.entry
    return {
        "id": str(dialogue.pk),
        "assignment": dialogue.assignment_id,
        "bot": entry.alias,
        "team": entry.bot.team.name,
        "team_en": entry.bot.team.name_en,
        "tester": dialogue.tester.username,
        "tester_kind": dialogue.tester.kind,
        "scenario": dialogue.assignment.scenario.key,
        "origin": dialogue.origin,
        "external_id": dialogue.external_id,
        "status": dialogue.status,
        "reason": dialogue.reason,
        "opened_at": _iso(dialogue.opened_at),
        "closed_at": _iso(dialogue.closed_at),
    }


def _waits(wait: Wait | None) -> WaitDocument | None:
    return {"for": wait.who, "since": _iso(wait.since), "until": _iso(wait.until)} if wait else None


def row_document(row: Row) -> DialogueRow:
    said: DialogueRow = {
        **_about(row.dialogue),
        "turns": row.n_turns,
        "failures": row.n_failed,
        "flags": row.n_flags,
        "reviews": row.n_reviews,
        "waits": _waits(row.wait),
    }
    if row.passage:
        said["passage"] = {"turn": row.passage.turn, "text": row.passage.text}
    return said


def dialogue_document(talk: Transcript) -> DialogueDocument:
    return {
        **_about(talk.dialogue),
        "waits": _waits(talk.wait),
        "turns": [_turn(one) for one in talk.turns],
        "ledger": [json.loads(frame) for _, frame in talk.ledger],
        "reviews": [_review(one) for one in talk.reviews],
        "vettings": [_vetting(one) for one in talk.vettings],
        "problems": [
            {"by": one.reported_by.username, "turn": one.turn and one.turn.number, "text": one.text, "at": _iso(one.at)}
            for one in talk.problems
        ],
        "trail": [
            {"number": one.number, "at": _iso(one.at), "by": one.person, "act": one.act, "because": one.because}
            for one in talk.trail
        ],
    }


def _turn(one: TurnShown) -> TurnDocument:
    turn = one.turn
    return {
        "turn": turn.number,
        "subtask": turn.subtask,
        "status": turn.status,
        "text": turn.text,
        "texts": turn.texts,
        "originals": list(one.originals),
        "state": read_again(one.state) if one.state else None,
        "flags": turn.flags,
        "is_flagged": one.is_flagged,
        "latency_ms": turn.latency_ms,
        "asked_at": _iso(turn.asked_at),
        "settled_at": _iso(turn.settled_at),
        "attempts": [attempt_document(request) for request in one.requests],
    }


def attempt_document(request: Request) -> AttemptDocument:
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
        "detail": str(request.what_happened or ""),
        "evidence": request.evidence,
        "texts": request.texts,
        "bytes": request.n_bytes,
        "latency_ms": one.latency_ms,
        "ended_at": _iso(one.ended_at),
        "wire": encoded(WireDocument, wire_of(one.wire)),
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


def _vetting(one: Vetting) -> Document:
    """`faults` are the questions that the expert answered with no."""
    told = {"expert": one.expert.username, "is_accepted": one.is_accepted, "faults": one.faults}
    return told | {"reason": one.reason, "at": _iso(one.at)}


def failure_document(request: Request) -> FailureDocument:
    turn, about = request.attempt.turn, _about(request.attempt.turn.dialogue)
    return {
        "bot": about["bot"],
        "team": about["team"],
        "team_en": about["team_en"],
        "tester": about["tester"],
        "scenario": about["scenario"],
        "dialogue": str(turn.dialogue_id),
        "turn": turn.number,
        **attempt_document(request),
    }


def tally_document(tally: Tally) -> Document:
    return {bot.alias: dict(zip(tally.kinds, bot.counts, strict=True)) for bot in tally.bots}
