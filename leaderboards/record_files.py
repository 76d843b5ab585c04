"""Reads a file of records (design §8: JSON Lines, one dialogue × reviewer per line). Pure: bad lines have numbers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_noop

from measures.live import SMALLEST_WEIGHT, Record, SubtaskOutcome, figures_of, is_by_place, weight_in
from participants.limits import NAME_LIMIT
from reading.checking import Problems, json_lines
from reading.findings import under
from reading.kinds import FLAG, OBJECT, Kind, Notes, Number, Text, Whole, shown
from reading.storable import unstorable_in
from reading.tables import Field, Rows, Table

NAME = Text(200)
N_TURNS = Whole(0, 100_000)
WEIGHT = Number(SMALLEST_WEIGHT, 1)


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A record with the place of its line, the optional dialogue id and English name of the team, and everything else the line held."""

    place: str
    record: Record
    dialogue: str
    content: dict[str, Any]
    team_en: str = ""

    @property
    def identity(self) -> tuple[str, str, str, str, str]:
        record = self.record
        return (record.team, record.bot, record.scenario, record.reviewer, self.dialogue)


@dataclass(frozen=True)
class Ratings(Kind):
    """Scores by criterion, each one score or a table of scores by place (`@3.bot`), whose mean is the record's.

    Those of criteria that are not asked are kept as they are.
    """

    scales: Mapping[str, list[int]]

    def read(self, value: Any, place: str, name: str, notes: Notes) -> dict[str, Any] | None:
        ratings: dict[str, Any] | None = OBJECT.read(value, place, name, notes)
        for key, given in (ratings or {}).items():
            where = under(under(place, name), key)
            scores = {under(where, at): score for at, score in given.items()} if is_by_place(given) else {where: given}
            for one, score in scores.items():
                self._check(self.scales.get(key), score, one, notes)
        return ratings

    def _check(self, scale: list[int] | None, score: Any, place: str, notes: Notes) -> None:
        if scale and score is not None and (isinstance(score, bool) or score not in scale):
            text = gettext_noop("must be on the scale %(lowest)s…%(highest)s, not %(value)s")
            notes.note(place, text, lowest=scale[0], highest=scale[-1], value=shown(score))


SUBTASK = Table(
    {
        "kind": Field(Text(may_be_empty=True), ""),
        "is_finished": Field(FLAG, key="completed"),
        "turns": Field(N_TURNS),
        "cap": Field(N_TURNS),
    },
    SubtaskOutcome,
    keeps_others=True,
)


def record_table(scales: Mapping[str, list[int]]) -> Table:
    return Table(
        {
            "team": Field(NAME),
            "team_en": Field(Text(NAME_LIMIT, may_be_empty=True), ""),
            "bot": Field(NAME, ""),
            "scenario": Field(NAME),
            "reviewer": Field(NAME),
            "subtasks": Field(Rows(SUBTASK)),
            "ratings": Field(Ratings(scales), {}),
            "dialogue": Field(NAME, ""),
            "dialogue_cap": Field(N_TURNS, None),
            "weight": Field(WEIGHT, None),
        },
        keeps_others=True,
    )


def read_record_lines(lines: Iterable[bytes], scales: Mapping[str, list[int]]) -> list[RecordLine]:
    """The records of a file; `scales` maps criteria to their scores. Errors: `BadFile` naming all that is wrong."""
    problems, table = Problems(), record_table(scales)
    read: dict[tuple[str, ...], RecordLine] = {}
    for place, content in json_lines(lines, problems):
        line = _read_line(place, content, table, problems)
        if line is None:
            continue
        before = read.setdefault(line.identity, line)
        if before is not line:
            text = gettext_noop("the same team, scenario and reviewer already appear at %(place_before)s")
            problems.note(place, text, place_before=before.place)
    problems.refuse()
    return list(read.values())


def _read_line(place: str, content: dict[str, Any], table: Table, problems: Problems) -> RecordLine | None:
    n_before = len(problems)
    if (bad := unstorable_in(content)) is not None:
        problems.note(under(place, bad.place), bad.text)
        return None
    values = problems.read(content, place, table)
    for index, subtask in enumerate(values["subtasks"]):
        if len(problems) == n_before and subtask.turns > subtask.cap:
            text = gettext_noop("is %(n)s, more than its cap of %(cap)s")
            problems.note(under(place, f"subtasks[{index}].turns"), text, n=subtask.turns, cap=subtask.cap)
    if len(problems) > n_before:
        return None
    dialogue, team_en = values.pop("dialogue"), values.pop("team_en")
    read = {"bot": values["bot"] or values["team"], "ratings": figures_of(values["ratings"])}
    # Without a weight the line shares its dialogue's weight with lines that are not known here.
    read["weight"] = weight_in(content) or Fraction(1)
    return RecordLine(place, Record(**values | read), dialogue, content, team_en)
