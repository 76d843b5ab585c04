"""Reads files of comparisons as arenas publish them: JSON, JSON Lines or CSV, one comparison each. Pure.

`model_a`, `model_b`, `winner` (`model_a`, `model_b`, `tie` or `tie (bothbad)`), `judge` and `question_id`; other keys are passed over.
`judge_kind` (`person` or `program`) says whose vote it is; arenas do not write it, so who imports a file says it of the rest.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext_noop

from reading.checking import BadFile, Problems, json_lines, read_json, tables
from reading.csv_sheets import read_csv
from reading.findings import FILE, Finding, under
from reading.kinds import IDENTITY, LIST, Choice, Text
from reading.tables import Field, Table

NAME = Text(100)
VERDICTS: Mapping[str, str] = {"model_a": "left", "model_b": "right", "tie": "tie", "tie (bothbad)": "both_bad"}
COLUMNS = ("model_a", "model_b", "winner", "judge", "question_id")
JUDGE_KIND = "judge_kind"
# Whose votes a file holds where a row does not say; "file": each row says it.
JUDGES: Mapping[str, str] = {"file": "", "people": "person", "programs": "program"}
ROW = Table(
    {
        "model_a": Field(NAME),
        "model_b": Field(NAME),
        "winner": Field(Choice(tuple(VERDICTS))),
        "judge": Field(IDENTITY),
        "question_id": Field(IDENTITY),
        JUDGE_KIND: Field(Choice(("", "person", "program")), ""),
    },
    keeps_others=True,
)
# The table of head to head grows with the square of the systems.
MOST_SYSTEMS = 100
FORMATS = (".csv", ".json", ".jsonl")


@dataclass(frozen=True, slots=True)
class Battle:
    """One comparison: `left` is the file's model_a. `place` is where it stands."""

    place: str
    left: str
    right: str
    verdict: str
    judge: str
    question: str
    is_of_program: bool

    @property
    def key(self) -> str:
        """The same for the same judge's comparison of the same two on a question, whatever the sides."""
        return sha256("\0".join([self.question, *sorted((self.left, self.right)), self.judge]).encode()).hexdigest()


def read_battles(name: str, content: bytes, judges: str = "file") -> list[Battle]:
    """The comparisons of a file, in its order; its name says the format, `judges` (of `JUDGES`) whose votes it holds.

    Errors: `BadFile` naming all that is wrong.
    """
    problems = Problems()
    seen: dict[str, str] = {}
    found = []
    for place, row in _rows(name, content, problems):
        battle = _battle(place, row, JUDGES[judges], problems)
        if battle is None:
            continue
        if (before := seen.setdefault(battle.key, place)) != place:
            text = gettext_noop("the same judge already compares the same two on this question at %(place_before)s")
            problems.note(place, text, place_before=before)
        found.append(battle)
    systems = {model for one in found for model in (one.left, one.right)}
    if len(systems) > MOST_SYSTEMS:
        text = gettext_noop("compares %(n)s systems; %(limit)s are the most")
        problems.note(FILE, text, n=len(systems), limit=MOST_SYSTEMS)
    problems.refuse()
    return found


def _battle(place: str, row: dict[str, Any], judge_kind: str, problems: Problems) -> Battle | None:
    n_before = len(problems)
    read = problems.read(row, place, ROW)
    if len(problems) > n_before:
        return None
    if read["model_a"] == read["model_b"]:
        problems.note(under(place, "model_b"), gettext_noop("is the same system as model_a"))
        return None
    kind = read[JUDGE_KIND] or judge_kind
    if not kind:
        text = gettext_noop(
            "is missing: say of the whole file whether people or programs judged, or person or program here"
        )
        problems.note(under(place, JUDGE_KIND), text)
        return None
    return Battle(
        place, read["model_a"], read["model_b"], VERDICTS[read["winner"]], read["judge"], read["question_id"],
        kind == "program",
    )  # fmt: skip


def _rows(name: str, content: bytes, problems: Problems) -> Iterator[tuple[str, dict[str, Any]]]:
    if name.endswith(".csv"):
        return _csv_rows(content, problems)
    if name.endswith(".jsonl"):
        return json_lines(content, problems)
    if name.endswith(".json"):
        return tables(problems.read(read_json(content), FILE, LIST) or [], "", problems)
    raise BadFile([Finding(FILE, gettext_noop("is not a .csv, .json or .jsonl by its name"))])


def _csv_rows(content: bytes, problems: Problems) -> Iterator[tuple[str, dict[str, Any]]]:
    """By the names in the first row; columns of other names are passed over."""
    sheet = read_csv(content)
    heads = [str(head).strip() for head in sheet.rows[0]] if sheet.rows else []
    for column in COLUMNS:
        if heads.count(column) != 1:
            problems.note("row 1", gettext_noop("must name the column %(name)s once"), name=column)
    if len(problems):
        return
    wanted = [(column, heads.index(column)) for column in (*COLUMNS, JUDGE_KIND) if column in heads]
    for number, cells in enumerate(sheet.rows[1:], start=2):
        if any(cells):
            yield sheet.place(number), {column: cells[place] for column, place in wanted if place < len(cells)}
