"""What the rows of the live wall hold, as they are computed, sent and described."""

from typing import Literal, TypedDict

from reading.json_schemas import Id, Moment


class Figures(TypedDict):
    """The whole campaign: dialogues `done` of those `needed`, calls `failed` of those `called` today, the hours left at today's pace."""

    done: int
    needed: int | None
    today: int
    unscored: int
    live: int
    waiting_for_bots: int
    failing: list[str]
    failed: int
    called: int
    left: int | None
    hours_left: float | None
    pace_hours: float
    pace_since: Moment | None
    closes_at: Moment | None


class TalkRow(TypedDict):
    """An open dialogue: whom it waits for, since when, and until when."""

    tester: str
    bot: str
    scenario: str
    part: int
    parts: int
    turns: int
    cap: int
    waits_for: Literal["bot", "tester"]
    attempt: int
    since: Moment
    until: Moment


class FailureShown(TypedDict):
    at: Moment
    kind: str
    fault: str
    dialogue: Id
    turn: int


class CallsShown(TypedDict):
    """How one bot's calls went today; `strip` has a pair per minute: the median latency (0: none) and the failures."""

    answered: int
    failed: int
    excused: int
    in_a_row: int
    p50_ms: int | None
    p95_ms: int | None
    strip: list[tuple[int, int]]
    last_failure: FailureShown | None


class StandingShown(TypedDict):
    state: Literal["normal", "not_asked", "failing", "paused", "withdrawn"]
    since: Moment | None
    because: str


class BotRow(StandingShown, CallsShown):
    done: int
    assigned: int
    live: int


class WorkShown(TypedDict):
    done: int
    today: int
    unscored: int
    per_hour: float | None
    seen_at: Moment | None


class TesterRow(WorkShown):
    assigned: int
    talking: list[str]
    online: bool


class NeedShown(TypedDict):
    """Something that needs a person: since when (null: not known), for whom, until when, and where it is acted on."""

    key: str
    since: Moment | None
    text: str
    who: str
    until: str
    url: str
    act: str


class AllSections(TypedDict):
    """Rows by their keys; the key of the figures is `all`."""

    figures: dict[str, Figures]
    dialogues: dict[str, TalkRow]
    bots: dict[str, BotRow]
    testers: dict[str, TesterRow]


class SomeSections(TypedDict, total=False):
    """Whole rows that are new or different."""

    figures: dict[str, Figures]
    dialogues: dict[str, TalkRow]
    bots: dict[str, BotRow]
    testers: dict[str, TesterRow]
