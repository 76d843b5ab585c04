"""Dialogues and failures as the API says them."""

import json
from typing import Annotated, Any, NotRequired, TypedDict

from api.answers import From, encoded
from audit.models import TrailLine
from dialogues.models import Problem
from organizing.dialogues.failed import Tally
from organizing.dialogues.listing import Row
from organizing.dialogues.transcript import ReviewShown
from participants.adapters.calls import read_again
from participants.failures import WireDocument
from reading.json_schemas import Id, Moment
from reviews.models import Vetting

# Functional, because `for` is a word of the language. Whom it waits for, since when, and until when at most.
WaitDocument = TypedDict(
    "WaitDocument", {"for": Annotated[str, From("who")], "since": Moment | None, "until": Moment | None}
)


class AboutDialogue(TypedDict):
    id: Annotated[Id, From("dialogue.pk")]
    assignment: Annotated[int, From("dialogue.assignment_id")]
    bot: Annotated[str, From("dialogue.assignment.entry.alias")]
    team: Annotated[str, From("dialogue.assignment.entry.bot.team.name")]
    team_en: Annotated[str, From("dialogue.assignment.entry.bot.team.name_en")]
    tester: Annotated[str, From("dialogue.tester.username")]
    tester_kind: Annotated[str, From("dialogue.tester.kind")]
    scenario: Annotated[str, From("dialogue.assignment.scenario.key")]
    origin: Annotated[str, From("dialogue.origin")]
    external_id: Annotated[str, From("dialogue.external_id")]
    status: Annotated[str, From("dialogue.status")]
    reason: Annotated[str, From("dialogue.reason")]
    opened_at: Annotated[Moment | None, From("dialogue.opened_at")]
    closed_at: Annotated[Moment | None, From("dialogue.closed_at")]
    # Until when neither silence nor the end of testing closes it.
    extended_until: Annotated[Moment | None, From("dialogue.extended_until")]


class PassageDocument(TypedDict):
    turn: int
    text: str


class ListedDialogue(AboutDialogue):
    turns: Annotated[int, From("n_turns")]
    failures: Annotated[int, From("n_failed")]
    flags: Annotated[int, From("n_flags")]
    reviews: Annotated[int, From("n_reviews")]
    waits: Annotated[WaitDocument | None, From("wait")]


class DialogueRow(ListedDialogue):
    """`passage` is the first that holds one of the words that were searched for."""

    passage: NotRequired[PassageDocument]


def row_document(row: Row) -> dict[str, Any]:
    found: dict[str, Any] = encoded(ListedDialogue, row)
    return found | {"passage": row.passage} if row.passage else found


class AttemptDocument(TypedDict):
    attempt: Annotated[int, From("attempt.number")]
    request: Annotated[int, From("attempt.request")]
    outcome: Annotated[str, From("attempt.outcome")]
    is_current: Annotated[bool, From("attempt.is_current")]
    has_left: Annotated[bool, From("attempt.has_left")]
    status: Annotated[int | None, From("attempt.status")]
    kind: Annotated[str, From("attempt.kind")]
    fault: Annotated[str, From("attempt.fault")]
    measured_fault: Annotated[str, From(lambda one: one.attempt.measured_fault or one.attempt.fault)]
    detail: Annotated[str, From("what_happened", none="")]
    evidence: str
    texts: list[str] | None
    bytes: Annotated[int, From("n_bytes")]
    latency_ms: Annotated[int | None, From("attempt.latency_ms")]
    ended_at: Annotated[Moment | None, From("attempt.ended_at")]
    wire: WireDocument


class TurnDocument(TypedDict):
    turn: Annotated[int, From("turn.number")]
    subtask: Annotated[int, From("turn.subtask")]
    status: Annotated[str, From("turn.status")]
    text: Annotated[str, From("turn.text")]
    texts: Annotated[list[str], From("turn.texts")]
    originals: list[str]
    state: Annotated[Any, From(lambda one: read_again(one.state) if one.state else None)]
    flags: Annotated[list[str], From("turn.flags")]
    is_flagged: bool
    latency_ms: Annotated[int | None, From("turn.latency_ms")]
    asked_at: Annotated[Moment | None, From("turn.asked_at")]
    settled_at: Annotated[Moment | None, From("turn.settled_at")]
    attempts: Annotated[list[AttemptDocument], From("requests")]


def _review(one: ReviewShown) -> dict[str, Any]:
    review = one.review
    return {
        "reviewer": review.reviewer.username,
        "part": review.part,
        "is_counted": review.is_counted,
        "submitted_at": review.submitted_at,
        "scores": dict(one.scores),
        "verdicts": {str(verdict.subtask): verdict.is_finished for verdict in one.verdicts},
        "comment": review.comment,
    }


def _vetting(one: Vetting) -> dict[str, Any]:
    """`faults` are the questions that the expert answered with no."""
    told = {"expert": one.expert.username, "is_accepted": one.is_accepted, "faults": one.faults}
    return told | {"reason": one.reason, "at": one.at}


def _problem(one: Problem) -> dict[str, Any]:
    return {"by": one.reported_by.username, "turn": one.turn and one.turn.number, "text": one.text, "at": one.at}


def _line(one: TrailLine) -> dict[str, Any]:
    return {"number": one.number, "at": one.at, "by": one.person, "act": one.act, "because": one.because}


Documents = list[dict[str, Any]]


class DialogueDocument(AboutDialogue):
    """`ledger` holds the frames of the dialogue as its socket sent them."""

    waits: Annotated[WaitDocument | None, From("wait")]
    turns: list[TurnDocument]
    ledger: Annotated[Documents, From(lambda talk: [json.loads(frame) for _, frame in talk.ledger])]
    reviews: Annotated[Documents, From(lambda talk: map(_review, talk.reviews))]
    vettings: Annotated[Documents, From(lambda talk: map(_vetting, talk.vettings))]
    problems: Annotated[Documents, From(lambda talk: map(_problem, talk.problems))]
    trail: Annotated[Documents, From(lambda talk: map(_line, talk.trail))]


class AboutFailure(TypedDict):
    bot: Annotated[str, From("attempt.turn.dialogue.assignment.entry.alias")]
    team: Annotated[str, From("attempt.turn.dialogue.assignment.entry.bot.team.name")]
    team_en: Annotated[str, From("attempt.turn.dialogue.assignment.entry.bot.team.name_en")]
    tester: Annotated[str, From("attempt.turn.dialogue.tester.username")]
    scenario: Annotated[str, From("attempt.turn.dialogue.assignment.scenario.key")]
    dialogue: Annotated[Id, From("attempt.turn.dialogue_id")]
    turn: Annotated[int, From("attempt.turn.number")]


class FailureDocument(AboutFailure, AttemptDocument):
    pass


def tally_document(tally: Tally) -> dict[str, dict[str, int]]:
    return {bot.alias: dict(zip(tally.kinds, bot.counts, strict=True)) for bot in tally.bots}
