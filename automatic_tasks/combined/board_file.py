"""The tables `[[boards]]` of a task file: boards that join figures of people and of automatic tasks by team. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from django.utils.translation import gettext_noop

from participants.limits import NAME_LIMIT
from reading.checking import Problems
from reading.findings import item, under
from reading.kinds import ANY_TEXT, NO_TEXTS, SLUG, BothTexts, Choice, ListOf, Number, Text, Texts, Whole
from reading.tables import Rows, table_of
from scoring.splits import SPLITS
from verification.bundle_format import MEAN, SUM, TOTAL

WEIGHT = Number(0.000001, 1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnSpec:
    """One figure: of a task on a split, or where no task is named of the leaderboard, that is of people.

    `key` names it in the ranking (as the file says it, else the figure); `weight` is its factor in the total.
    """

    figure: Annotated[str, ANY_TEXT]
    own_key: Annotated[str, Text(60, may_be_empty=True), "key"] = ""
    task: Annotated[str, Text(60, may_be_empty=True)] = ""
    split: Annotated[str, Choice(SPLITS)] = ""
    letter: Annotated[str, Text(10, may_be_empty=True)] = ""
    name: Annotated[Texts, BothTexts(may_be_empty=True, limit=NAME_LIMIT)] = NO_TEXTS
    weight: Annotated[float, WEIGHT] = 1.0

    @property
    def key(self) -> str:
        return self.own_key or self.figure


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalSpec:
    """The column `total`: the sum or the mean of columns, each times its weight. All of them where `of` is empty."""

    by: Annotated[str, Choice((SUM, MEAN))]
    of: Annotated[tuple[str, ...], ListOf(ANY_TEXT)] = ()
    name: Annotated[Texts, BothTexts(may_be_empty=True, limit=NAME_LIMIT)] = NO_TEXTS
    decimals: Annotated[int, Whole(0, 12)] = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSpec:
    """`interim` are the rankings that stand in for `ranking` while no team has all of its figures: the first by which any is ranked."""

    key: Annotated[str, SLUG]
    name: Annotated[Texts, BothTexts(limit=NAME_LIMIT)]
    columns: Annotated[tuple[ColumnSpec, ...], Rows(table_of(ColumnSpec), may_be_empty=False)]
    ranking: Annotated[tuple[str, ...], ListOf(ANY_TEXT)]
    total: Annotated[TotalSpec | None, table_of(TotalSpec)] = None
    interim: Annotated[tuple[tuple[str, ...], ...], ListOf(ListOf(ANY_TEXT))] = ()

    @property
    def parts_of_total(self) -> tuple[str, ...]:
        return (self.total.of if self.total else ()) or tuple(column.key for column in self.columns)


def place_of_board(number: int) -> str:
    return f"[[boards]] {number}"


def place_of_column(number: int, index: int) -> str:
    return item(under(place_of_board(number), "columns"), index)


def check_board(board: BoardSpec, number: int, problems: Problems) -> None:
    """What one place of the table needs of another."""
    place = place_of_board(number)
    keys: list[str] = []
    for index, column in enumerate(board.columns):
        where = place_of_column(number, index)
        for name, text in _problems_of(column, keys):
            problems.note(under(where, name), text, name=column.key)
        keys.append(column.key)
    known = [*keys, TOTAL] if board.total else keys
    _check_names(board.ranking, known, f"{place} ranking", problems)
    for index, ranking in enumerate(board.interim):
        _check_names(ranking, known, item(f"{place} interim", index), problems)
    if board.total and board.total.of:
        _check_names(board.total.of, keys, f"{place} total of", problems)


def _problems_of(column: ColumnSpec, before: list[str]) -> Iterator[tuple[str, str]]:
    if column.task and not column.split:
        yield "split", gettext_noop("is missing: say which split of the task")
    if column.split and not column.task:
        yield "split", gettext_noop("has no meaning without a task: people's scores have no splits")
    if column.key == TOTAL:
        yield "key", gettext_noop("is the name of the sum or mean; choose another")
    if column.key in before:
        yield "key", gettext_noop("“%(name)s” already names a column; give one of them a key of its own")


def _check_names(names: tuple[str, ...] | None, known: list[str], place: str, problems: Problems) -> None:
    if not names:
        problems.note(place, gettext_noop("must name at least one column"))
        return
    for index, name in enumerate(names):
        where = item(place, index)
        if name not in known:
            text = gettext_noop("“%(name)s” is not a column; there are %(known)s")
            problems.note(where, text, name=name, known=", ".join(known))
        elif name in names[:index]:
            problems.note(where, gettext_noop("“%(name)s” is named before"), name=name)
