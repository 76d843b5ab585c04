"""The places that a criterion is asked for: the dialogue, each subtask, each turn and speaker. Pure.

A rating is named by the key of its criterion and its place: `coherence`, `coherence#2`, `nugget@3.bot`.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

TESTER, BOT = "tester", "bot"
DIALOGUE, SUBTASK, TURN = "dialogue", "subtask", "turn"


@dataclass(frozen=True, slots=True)
class Said:
    """A turn by its number, and who said something in it."""

    number: int
    speakers: tuple[str, ...]


def speakers_of(text: str, texts: Iterable[str]) -> tuple[str, ...]:
    """Who said something in a turn with that message and those answers; a failed turn and an opening have one speaker."""
    return (TESTER,) * bool(text) + (BOT,) * any(texts)


def applies_to(skills: Collection[str], skill: str) -> bool:
    """Whether a criterion is asked for scenarios of that skill; one without skills is asked for all."""
    return not skills or skill in skills


def places_of(
    scope: str, subtasks: Iterable[int], turns: Iterable[Said], labelled_speakers: Collection[str]
) -> tuple[str, ...]:
    """The places of a criterion in a dialogue. A point without a speaker is for both: `labelled_speakers` holds ""."""
    if scope == DIALOGUE:
        return ("",)
    if scope == SUBTASK:
        return tuple(f"#{index}" for index in subtasks)
    return tuple(
        f"@{turn.number}.{speaker}"
        for turn in turns
        for speaker in turn.speakers
        if speaker in labelled_speakers or "" in labelled_speakers
    )


def criterion_of(rating: str) -> str:
    """The key of the criterion that a rating is named by."""
    return rating.partition("#")[0].partition("@")[0]


def turn_of(rating: str) -> int | None:
    """The number of the turn that a rating is of; None for one of a dialogue or a part."""
    turn = rating.partition("@")[2].partition(".")[0]
    return int(turn) if turn else None


def is_for(speaker: str, place: str) -> bool:
    """Whether a point for that speaker ("": any) may be chosen at the place."""
    return not speaker or place.endswith(f".{speaker}")


def began(turns_used: int, *, is_finished: bool) -> bool:
    """Whether a subtask can be held for finished: something was said in it, or the tester closed it as finished."""
    return turns_used > 0 or is_finished
