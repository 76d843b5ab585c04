"""What the API answers testers, and what opens a dialogue."""

from typing import Any, TypedDict

from reading.json_schemas import Id, Moment
from reading.kinds import Text, Whole
from reading.tables import Field, Table

# An assignment, or all three of the others.
TO_OPEN = Table(
    {
        "assignment": Field(Whole(1, 2**31 - 1), None),
        "campaign": Field(Text(60), None),
        "bot": Field(Text(200), None),
        "scenario": Field(Text(60), None),
    },
    keeps_others=True,
)


class ChoicesAnswer(TypedDict):
    """Bots by their aliases, scenarios by their keys."""

    bots: list[str]
    scenarios: list[str]


class OpenedDialogue(TypedDict):
    id: Id
    socket: str


class DialogueAnswer(TypedDict):
    id: Id
    socket: str
    status: str
    reason: str
    turns_used: int
    last_seq: int
    assignment: int
    page: str


class ItemsAnswer(TypedDict):
    """`ticked` are places in `items`, counted from 0."""

    items: list[Any]
    ticked: list[int]
    all_used: bool


class BotPauseAnswer(TypedDict):
    """`until` says what ends the pause; at `closes_at` testing ends, if it has an end."""

    because: str
    since: Moment | None
    until: str
    closes_at: Moment | None


class AssignmentAnswer(TypedDict):
    """`paused` says why, since when and until when the assignment waits for its bot, where its state is `paused`."""

    id: int
    campaign: str
    bot: str
    scenario: str
    repetition: int
    state: str
    dialogue: Id | None
    paused: BotPauseAnswer | None


class Both(TypedDict):
    zh: str
    en: str


class CardPart(TypedDict):
    index: int
    kind: str
    turn_cap: int | None


class CardAnswer(TypedDict):
    scenario: str
    title: Both
    instructions: Both
    opening: Both
    subtasks: list[CardPart]
    turn_cap: int | None
    facts: dict[str, Any]
    items: list[Any]
    tester_may_end: str


class GoalCardAnswer(CardAnswer):
    dialogue: Id
    bot: str


class FlagAnswer(TypedDict):
    is_flagged: bool


class ReportedAnswer(TypedDict):
    id: int


class ProblemAnswer(TypedDict):
    id: int
    dialogue: Id
    turn: int | None
    reported_by: str
    text: str
    at: Moment
    settled_at: Moment | None
