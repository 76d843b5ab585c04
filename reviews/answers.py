"""What the API answers about reviews."""

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from reading.json_schemas import Id, Moment


class RevisionShown(TypedDict):
    """`granted` is null until an organizer has answered."""

    reason: str
    granted: bool | None
    used: bool


class Chosen(TypedDict):
    """Ratings, evidence and verdicts by their places."""

    ratings: Mapping[str, Any]
    evidence: Mapping[str, Any]
    verdicts: Mapping[str, Any]
    comment: str


class OwnScores(TypedDict):
    version: int
    is_submitted: bool
    submitted_at: Moment | None
    may_be_changed: bool
    undo_s: int
    revision: RevisionShown | None
    is_draft: bool
    chosen: Chosen


class VersionAnswer(TypedDict):
    version: int


class HandedIn(TypedDict):
    """`next` is an assignment (of testers) or a dialogue (of reviewers) to go on with."""

    version: int
    undo_s: int
    next: int | str | None
    list: str


class SheetTurn(TypedDict):
    number: int
    subtask: int
    text: str
    texts: list[str]
    failed: bool
    latency_ms: NotRequired[int | None]


class SheetPart(TypedDict):
    index: int
    kind: str
    status: str
    turns_used: int
    turn_cap: int | None


class SheetAnswer(TypedDict):
    alias: str
    scenario: dict[str, Any]
    context: dict[str, Any] | None
    turns: list[SheetTurn]
    subtasks: list[SheetPart]
    criteria: list[dict[str, Any]]
    asks_for_verdicts: bool


class RevisionAsked(TypedDict):
    id: int
    reason: str


class RemarkAnswer(TypedDict):
    kind: str
    text: str


class VettedAnswer(TypedDict):
    """`accepted` is null until the experts have decided."""

    yours: bool
    accepted: bool | None


class GoldAnswer(TypedDict):
    content: dict[str, Any]
    for_training: bool


class PanelAnswer(TypedDict):
    closed: bool
    n_reviews: int


class GrantedAnswer(TypedDict):
    granted: bool | None


class ProgressAnswer(TypedDict):
    done: int
    total: int
    minutes_left: int | None
    pace_s: int | None


class TrainingAnswer(TypedDict):
    done: int
    total: int
    passed: bool


class PlaceAnswer(TypedDict):
    id: int
    dialogue: Id
    alias: str
    scenario: str
    status: str
    expires_at: Moment | None


class QueueAnswer(TypedDict):
    """`training` is null once it is passed, and where there is none."""

    progress: ProgressAnswer
    training: TrainingAnswer | None
    places: list[PlaceAnswer]


class NextAnswer(TypedDict):
    dialogue: Id
    page: str


class WaitingAnswer(TypedDict):
    to_vet: list[Id]
    disputes: list[Id]
