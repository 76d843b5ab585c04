"""What of a campaign is covered: dialogues and reviews that are done, still to come, or left to nobody; in cells and in words. Pure."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from look.ruler import filled_of

# More would stand too close to be counted: a bar of this many pixels then.
MOST_TICKS = 10
BAR_PX = 36


class State(StrEnum):
    DONE = "done"
    OPEN = "open"
    LEFT = "left"
    # The plan asks for it: a drawing would add it, or has nobody to draw it for.
    UNDRAWN = "undrawn"
    SHORT = "short"
    # Reviews are drawn by the platform, within seconds.
    COMING = "coming"


@dataclass(frozen=True, slots=True)
class Fact:
    """One dialogue, or review of one, that there is or should be; a name that is not known yet is empty."""

    tester: str
    bot: str
    scenario: str
    state: State
    is_paused: bool = False


@dataclass(slots=True)
class Cell:
    """The dialogues of one place of the matrix; `left` counts what is not begun by its tester and can be begun now."""

    n_done: int = 0
    n_open: int = 0
    n_undrawn: int = 0
    n_short: int = 0
    n_paused: int = 0
    n_coming: int = 0
    left: Counter[str] = field(default_factory=Counter)

    def add(self, fact: Fact) -> None:
        self.n_done += fact.state is State.DONE
        self.n_open += fact.state is State.OPEN
        self.n_undrawn += fact.state is State.UNDRAWN
        self.n_short += fact.state is State.SHORT
        self.n_coming += fact.state is State.COMING
        if fact.state is State.LEFT and fact.is_paused:
            self.n_paused += 1
        elif fact.state is State.LEFT:
            self.left[fact.tester] += 1

    @property
    def n_left(self) -> int:
        return self.left.total()

    @property
    def n_missing(self) -> int:
        return self.n_open + self.n_left + self.n_paused + self.n_undrawn + self.n_short + self.n_coming

    @property
    def n_needed(self) -> int:
        return self.n_done + self.n_missing

    @property
    def is_hole(self) -> bool:
        """Something is missing that nobody will do as things are."""
        return bool(self.n_undrawn or self.n_short or self.n_paused)

    @property
    def n_ticks(self) -> int:
        """One per dialogue; none where a bar says it."""
        return self.n_needed if self.n_needed <= MOST_TICKS else 0

    @property
    def n_filled(self) -> int:
        return self.n_done if self.n_ticks else filled_of(self.n_needed, self.n_done, BAR_PX)


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    cells: tuple[Cell, ...]
    total: Cell


@dataclass(frozen=True, slots=True)
class Matrix:
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    total: Cell

    def rulers(self) -> list[tuple[int, int]]:
        """Each kind of ruler that is needed, once: its ticks, none of a bar, and how much is filled."""
        cells = [cell for row in self.rows for cell in row.cells if cell.n_needed]
        return sorted({(cell.n_ticks, cell.n_filled) for cell in cells})


def matrix_of(
    facts: Iterable[Fact],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    row_of: Callable[[Fact], str],
    column_of: Callable[[Fact], str],
) -> Matrix:
    """The facts by row and column; a fact in no column counts in the total of its row, one in no row nowhere."""
    cells: dict[tuple[str, str], Cell] = {}
    totals: dict[str, Cell] = {row: Cell() for row in rows}
    total = Cell()
    for fact in facts:
        row = row_of(fact)
        if row in totals:
            cells.setdefault((row, column_of(fact)), Cell()).add(fact)
            totals[row].add(fact)
            total.add(fact)
    made = (Row(row, tuple(cells.get((row, column), Cell()) for column in columns), totals[row]) for row in rows)
    return Matrix(tuple(columns), tuple(made), total)


NAMED = 3


def missing_sentence(cell: Cell) -> str:
    """What is missing of a row or cell, and who is to do it; empty where nothing is."""
    missing = ngettext("%(n)d dialogue is missing", "%(n)d dialogues are missing", cell.n_missing)
    return _sentence(cell, missing, _("%(n)d that no tester can be drawn for"))


def missing_reviews_sentence(cell: Cell) -> str:
    """The same of the panels of a row or cell."""
    missing = ngettext("%(n)d review is missing", "%(n)d reviews are missing", cell.n_missing)
    return _sentence(cell, missing, _("%(n)d that no reviewer can be drawn for"))


def _sentence(cell: Cell, missing: str, short: str) -> str:
    if not cell.n_missing:
        return ""
    parts = [
        (cell.n_open, _("%(n)d in progress")),
        (cell.n_left, _("%(n)d not begun: %(names)s")),
        (cell.n_paused, _("%(n)d waiting for the paused system")),
        (cell.n_undrawn, _("%(n)d not drawn yet: draw")),
        (cell.n_coming, _("%(n)d to be drawn by the platform")),
        (cell.n_short, short),
    ]
    names = _names(cell.left) if cell.left else ""
    listed = _("; ").join(words % {"n": n, "names": names} for n, words in parts if n)
    return _("%(missing)s: %(parts)s.") % {"missing": missing % {"n": cell.n_missing}, "parts": listed}


def _names(left: Counter[str]) -> str:
    """Those with most of it first."""
    ordered = sorted(left, key=lambda name: (-left[name], name))
    if len(ordered) == 1:
        return ordered[0]
    named = [_("%(name)s (%(n)d)") % {"name": name, "n": left[name]} for name in ordered[:NAMED]]
    n_others = len(ordered) - NAMED
    if n_others > 0:
        named.append(ngettext("%(n)d other", "%(n)d others", n_others) % {"n": n_others})
    return _(", ").join(named)
