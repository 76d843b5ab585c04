"""Finished dialogues in files, read for review: our own JSON Lines, NTCIR STC-3 and MobileCS. Pure: bytes in, dialogues out.

Errors of every reader: `BadFile` naming all problems of the file by their place.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop

from reading.checking import Problems, json_lines, read_json, tables
from reading.findings import under
from reading.kinds import LIST, Choice, Text
from scoring.mobilecs_files import annotated_dialogue, dialogues_of
from scoring.ntcir_files import senders_of

TESTER, BOT = "tester", "bot"
NAME = Text(200)
UTTERANCE = Text(8000)
SPEAKERS = Choice((TESTER, BOT))


@dataclass(frozen=True, slots=True)
class Said:
    """What one speaker said before the other spoke again; a bot's may be several bubbles."""

    speaker: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn: what the tester said, and the bot's answer. Either may be missing; turn 0 is a bot that speaks first."""

    number: int
    text: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FinishedDialogue:
    """A dialogue under the id that it has in its file; bot, team and scenario are empty where the file names none."""

    place: str
    external_id: str
    said: tuple[Said, ...]
    bot: str = ""
    team: str = ""
    scenario: str = ""


def exchanges(said: Iterable[Said]) -> list[Exchange]:
    """The turns: each time the tester speaks one begins, and when the bot speaks twice in a row."""
    paired: list[Exchange] = []
    for one in said:
        following = paired[-1].number + 1 if paired else 1
        if one.speaker == TESTER:
            paired.append(Exchange(following, "\n".join(one.texts), ()))
        elif not paired:
            paired.append(Exchange(0, "", one.texts))
        elif paired[-1].texts:
            paired.append(Exchange(following, "", one.texts))
        else:
            paired[-1] = Exchange(paired[-1].number, paired[-1].text, one.texts)
    return paired


def read_huace(content: bytes) -> list[FinishedDialogue]:
    """`{"id", "bot", "team", "scenario", "turns": [{"speaker": "tester"|"bot", "text"}]}`, one dialogue per line.

    Texts of the bot in a row are bubbles of one answer; the tester's are turns of their own.
    """
    problems, seen = Problems(), dict[str, str]()
    read = []
    for place, row in json_lines(content, problems):
        name = problems.identity(row, place, seen)
        named = {key: problems.field(row, key, place, NAME) or "" for key in ("bot", "team", "scenario") if key in row}
        said = _in_bubbles(_spoken(row, place, problems))
        if name is not None:
            read.append(FinishedDialogue(place, name, said, **named))
    return _finished(read, problems)


def _spoken(row: dict[str, Any], place: str, problems: Problems) -> list[Said]:
    rows = problems.field(row, "turns", place, LIST)
    spoken = []
    for turn_place, turn in tables(rows or [], under(place, "turns"), problems):
        speaker = problems.field(turn, "speaker", turn_place, SPEAKERS)
        text = problems.field(turn, "text", turn_place, UTTERANCE)
        if speaker and text:
            spoken.append(Said(speaker, (text,)))
    _refuse_silence(rows, under(place, "turns"), problems)
    return spoken


def _in_bubbles(spoken: Sequence[Said]) -> tuple[Said, ...]:
    joined: list[Said] = []
    for one in spoken:
        if one.speaker == BOT and joined and joined[-1].speaker == BOT:
            joined[-1] = Said(BOT, joined[-1].texts + one.texts)
        else:
            joined.append(one)
    return tuple(joined)


def read_ntcir(content: bytes) -> list[FinishedDialogue]:
    """A list of `{"id", "turns": [{"sender": "customer"|"helpdesk", "utterances": […]}]}`; annotations are passed over."""
    problems, seen = Problems(), dict[str, str]()
    read = []
    for place, row in tables(problems.read(read_json(content), "file", LIST) or [], "", problems):
        name = problems.identity(row, place, seen)
        n_before = len(problems)
        senders = senders_of(row, place, problems)
        turns = [] if len(problems) > n_before else tables(row["turns"], under(place, "turns"), problems)
        said = [
            Said(TESTER if sender == "customer" else BOT, _utterances(turn, turn_place, problems))
            for sender, (turn_place, turn) in zip(senders, turns, strict=False)
        ]
        if name is not None:
            read.append(FinishedDialogue(place, name, tuple(said)))
    return _finished(read, problems)


def _utterances(turn: dict[str, Any], place: str, problems: Problems) -> tuple[str, ...]:
    """The posts of one turn; empty ones say nothing, but a turn keeps its place among the labels."""
    where = under(place, "utterances")
    rows = problems.field(turn, "utterances", place, LIST) or []
    texts = [problems.read(text, f"{where}[{index}]", Text(8000, may_be_empty=True)) for index, text in enumerate(rows)]
    return tuple(text for text in texts if text) or ("",)


def read_mobilecs(content: bytes) -> list[FinishedDialogue]:
    """Dialogues as the SereTOD organizers publish them; who speaks first is told by the order of the intents."""
    problems = Problems()
    read = []
    for place, name, row in dialogues_of(content, problems):
        said = []
        for turn in annotated_dialogue(row, place, problems).turns:
            halves = [Said(TESTER, (turn.user,)), Said(BOT, (turn.service,))]
            said += [half for half in (halves[::-1] if turn.service_first else halves) if half.texts[0].strip()]
        read.append(FinishedDialogue(place, name, tuple(said)))
    return _finished(read, problems)


def _refuse_silence(rows: list[Any] | None, place: str, problems: Problems) -> None:
    if rows is not None and not rows:
        problems.note(place, gettext_noop("holds no turn"))


def _finished(read: list[FinishedDialogue], problems: Problems) -> list[FinishedDialogue]:
    for dialogue in read:
        if not dialogue.said and not problems:
            problems.note(dialogue.place, gettext_noop("holds no turn"))
    if not read and not problems:
        problems.note("file", gettext_noop("holds no dialogue"))
    problems.refuse()
    return read


FORMATS: dict[str, Callable[[bytes], list[FinishedDialogue]]] = {
    "huace": read_huace,
    "ntcir": read_ntcir,
    "mobilecs": read_mobilecs,
}
