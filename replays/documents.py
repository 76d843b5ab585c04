"""What the API says of replays and of the rounds of the sentinel."""

from typing import Annotated, Any, TypedDict

from api.answers import From
from reading.json_schemas import Id, Moment
from replays.models import Replay


class ReplayAnswer(TypedDict):
    """`of` is the system of the dialogue, `against` the one that was asked. The figures are null until it is done."""

    id: Annotated[Id, From("pk")]
    dialogue: Annotated[Id, From("dialogue_id")]
    of: Annotated[str, From("dialogue.assignment.entry.alias")]
    against: Annotated[str, From("against.alias")]
    state: str
    sentinel: Annotated[bool, From("is_of_sentinel")]
    asked_at: Moment
    began_at: Moment | None
    ended_at: Moment | None
    calls: Annotated[int, From("n_lines")]
    turns: Annotated[int, From("n_turns")]
    changed: Annotated[int, From("n_changed")]
    parts_at: int | None
    distance: float | None
    protocol: str
    fingerprint_taken_at: Annotated[Moment | None, From("fingerprint.taken_at")]
    failure: Annotated[str, From("failure_in_words")]


class OwnReplayAnswer(TypedDict):
    """The same to the team that asked; its system goes by its name."""

    id: Annotated[Id, From("pk")]
    dialogue: Annotated[Id, From("dialogue_id")]
    against: Annotated[str, From("against.bot.name")]
    state: str
    asked_at: Moment
    ended_at: Moment | None
    calls: Annotated[int, From("n_lines")]
    turns: Annotated[int, From("n_turns")]
    changed: Annotated[int, From("n_changed")]
    parts_at: int | None
    distance: float | None
    failure: Annotated[str, From("failure_in_words")]


class ReplayedTurnAnswer(TypedDict):
    """`outcome` is empty where the line was not put. After the first `changed` answer a person would have spoken differently."""

    number: Annotated[int, From("turn.number")]
    text: Annotated[str, From("turn.text")]
    then: Annotated[list[str], From("turn.texts")]
    now: Annotated[list[str], From(lambda pair: list(pair.now.texts) if pair.now else [])]
    outcome: Annotated[str, From("now.outcome", none="")]
    kind: Annotated[str, From("now.kind", none="")]
    fault: Annotated[str, From("now.fault", none="")]
    latency_ms: Annotated[int | None, From("now.latency_ms")]
    changed: Annotated[bool, From("is_changed")]
    after_parting: Annotated[bool, From("is_after")]


class WholeReplayAnswer(TypedDict):
    replay: ReplayAnswer
    turns: list[ReplayedTurnAnswer]


class WholeOwnReplayAnswer(TypedDict):
    replay: OwnReplayAnswer
    turns: list[ReplayedTurnAnswer]


class AskedAnswer(TypedDict):
    """What was asked for, or would be: `replays` is empty where calls were only counted."""

    dialogues: int
    calls: int
    calls_left: int
    minutes_at_most: int
    replays: list[ReplayAnswer]


class OwnAskedAnswer(TypedDict):
    dialogues: int
    calls: int
    calls_left: int
    minutes_at_most: int
    replays: list[OwnReplayAnswer]


class RoundAnswer(TypedDict):
    """One round of the sentinel; `drift` is `distance` minus `spread`, all in [0, 1]."""

    id: Annotated[int, From("pk")]
    system: Annotated[str, From("entry.alias")]
    began_at: Moment
    ended_at: Moment | None
    canaries: Annotated[int, From("n_canaries")]
    distance: float | None
    spread: float | None
    drift: float | None
    limit_percent: int
    flagged: Annotated[bool, From("is_flagged")]
    settled: str
    settled_at: Moment | None
    because: Annotated[str, From("settled_because")]


def asked_answer(plan: Any, made: list[Replay]) -> dict[str, Any]:
    return {
        "dialogues": plan.n_dialogues,
        "calls": plan.n_calls,
        "calls_left": plan.n_left,
        "minutes_at_most": plan.longest_min,
        "replays": made,
    }
