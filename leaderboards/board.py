"""A board: ordered keys, ranked rows with their figures, and rows without a rank with the reason. Pure: figures in, ranks out.

Boards of live campaigns and of automatic runs both are one, so that pages, files and the API show one thing.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Protocol

from django.utils.functional import Promise
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from measures.live import MEAN_TURNS
from measures.multiple_testing import holm
from measures.ranking import DECIMALS, Direction, RankingKey, rank, sort_key
from participants.team_names import called, called_after

SIGNIFICANT = 0.05

Figures = Mapping[str, float | None]
# What is stored of how sure a board is (`measures/board_statistics.py`).
Statistics = Mapping[str, Any]
Text = str | Promise


class Reason(Protocol):
    """Why a row has no rank: for programs, and in the reader's words."""

    @property
    def value(self) -> str: ...

    @property
    def label(self) -> Text: ...


@dataclass(frozen=True, slots=True)
class Words:
    """A text in both languages; as a string it is the reader's."""

    zh: str
    en: str

    def __str__(self) -> str:
        return self.en if (get_language() or "").startswith("en") else self.zh

    @classmethod
    def of(cls, text: Text) -> "Words":
        """Both languages of a text of ours that the catalogue translates."""
        with override("zh-hans"):
            zh = str(text)
        with override("en"):
            return cls(zh, str(text))


def arrow_of(better: str) -> str:
    """The direction that is better, as papers write it; not the sort order."""
    return "↑" if better == "higher" else "↓"


def arrow_in_words(better: str) -> str:
    """The same for screen readers."""
    return _("higher is better") if better == "higher" else _("lower is better")


@dataclass(frozen=True, slots=True)
class Key:
    """A figure that a board can be ranked by. Pages show it rounded to `decimals`; ranks compare it unrounded.

    `letter` is the head of its column where the papers have one; else the words are. `scale` is the lowest and the highest value
    that the figure can have, where that is known.
    """

    name: str
    words: Words
    better: Direction
    decimals: int
    letter: str = ""
    scale: tuple[float, float] | None = None

    @property
    def head(self) -> str:
        return self.letter or str(self.words)

    @property
    def ranking_key(self) -> RankingKey:
        return RankingKey(self.name, self.better)


@dataclass(frozen=True, slots=True)
class Row:
    """One system or run. `key` is its own on the board; `reason` says why it has no rank.

    `n` is how many records it has, and `n_scored` by figure how many of them have a value of it. `baseline` names one that is
    no team's, `source` says where figures were printed (None: they were computed here), `page` is where more of it is found.
    `rank_interval` holds the ranks of 95% of the resamples, `better_than` those of the rows that it beats significantly in the
    first key of the rule. `weigh_alike`: its figures are plain means over its records. `n_failed` of its `n_turns` turns were left unanswered by its own fault (None: nobody counted).
    `links` lead from a figure to what it is made of. `changed` are the moments at which it was found changed. `team_en` is the team's name in English, where it gave one.
    """

    key: str
    name: str
    figures: Figures
    team: str = ""
    n: int | None = None
    n_scored: Mapping[str, int] = field(default_factory=dict)
    weigh_alike: bool = True
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    baseline: str = ""
    source: str | None = None
    page: str = ""
    rank: int | None = None
    rank_interval: tuple[int, int] | None = None
    better_than: tuple[int, ...] = ()
    reason: Reason | None = None
    n_failed: int | None = None
    n_turns: int = 0
    links: Mapping[str, str] = field(default_factory=dict)
    team_en: str = ""
    changed: tuple[datetime, ...] = ()

    @property
    def team_called(self) -> str:
        """The team in the reader's language."""
        return called(self.team, self.team_en)

    @property
    def called(self) -> str:
        """Its name in the reader's language."""
        return called_after(self.name, self.team, self.team_en)

    @property
    def label(self) -> str:
        """What sentences call it."""
        return self.called if self.team in ("", self.name) else f"{self.team_called} · {self.called}"

    def n_behind(self, figure: str) -> int | None:
        """Over how many records the figure is a mean; all that there are where nobody counted."""
        return self.n_scored.get(figure, self.n)

    @property
    def ranks(self) -> str:
        """The interval of its rank in words; empty where none is known."""
        low, high = self.rank_interval or (0, 0)
        return "" if not low else str(low) if low == high else f"{low}–{high}"

    @property
    def note(self) -> Text:
        """What it is where it is no team's."""
        if self.baseline:
            return _("baseline")
        return "" if self.source is None else self.source or _("published")


PValues = Mapping[tuple[str, str], Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Board:
    """`keys` are the columns, `rule` the keys that rank, the one that decides first in front.

    `is_compared` says whether its rows were tested against each other.
    """

    keys: tuple[Key, ...]
    rule: tuple[Key, ...]
    rows: tuple[Row, ...]
    unranked: tuple[Row, ...]
    is_compared: bool = False

    def ranked_by(self) -> list[str]:
        """The heads of the keys that rank, the one that decides first in front."""
        return [key.head for key in self.rule]

    def columns_and_rule(self) -> tuple[tuple[str, ...], tuple[RankingKey, ...]]:
        """The names of its columns, and the rule that ranks."""
        return tuple(key.name for key in self.keys), tuple(key.ranking_key for key in self.rule)

    def place_in_rule(self, key: Key) -> int | None:
        """1 for the key that decides first; None for one that does not rank."""
        names = [one.name for one in self.rule]
        return names.index(key.name) + 1 if key.name in names else None

    def row(self, key: str) -> Row | None:
        """The ranked row of that key."""
        return next((row for row in self.rows if row.key == key), None)

    @property
    def has_counts(self) -> bool:
        return any(row.n is not None for row in (*self.rows, *self.unranked))

    @property
    def counts_turns(self) -> bool:
        """Whether T is among its columns."""
        return any(key.name == MEAN_TURNS.name for key in self.keys)

    @property
    def n_columns_of_figures(self) -> int:
        return len(self.keys) + self.is_compared


@dataclass(frozen=True, slots=True)
class BoardSource:
    """A board with what is stored beside it. Live campaigns, runs, both combined and frozen documents each give one to pages and the API.

    `statistics` are those of these very figures; `recomputing_since` says since when they are awaited. `agreement` is the panel's alpha by figure.
    """

    board: Board
    statistics: Statistics | None = None
    agreement: Mapping[str, float] = field(default_factory=dict)
    recomputing_since: datetime | None = None


def ranked(*, keys: Iterable[Key], rule: Iterable[Key], rows: Iterable[Row], p_values: PValues | None = None) -> Board:
    """The board of the rows: ties share a rank, rows with a reason have none and come last in the order given.

    `p_values` of two rows (by their keys) say per figure how likely they differ by chance alone; None: nobody compared them.
    """
    by_key = {row.key: row for row in rows}
    rule = tuple(rule)
    order = tuple(key.ranking_key for key in rule)
    figures = {row.key: row.figures for row in by_key.values() if row.reason is None}
    ranks = {place.name: place.rank for place in rank(figures, order)}
    beaten = beaten_by(figures, ranks, p_values or {}, order[0])
    return Board(
        keys=tuple(keys),
        rule=rule,
        rows=tuple(replace(by_key[key], rank=place, better_than=beaten[key]) for key, place in ranks.items()),
        unranked=tuple(row for row in by_key.values() if row.reason is not None),
        is_compared=p_values is not None,
    )


def with_english_names(board: Board, english: Mapping[str, str]) -> Board:
    """The board whose rows know what their teams are called in English, by the teams' names."""

    def named(rows: tuple[Row, ...]) -> tuple[Row, ...]:
        return tuple(replace(row, team_en=english.get(row.team, "")) for row in rows)

    return replace(board, rows=named(board.rows), unranked=named(board.unranked))


def linked(board: Board, address: Callable[[Row, Key], str]) -> Board:
    """The board whose figures lead to what they are made of; figures that a row lacks lead nowhere."""
    rows = (
        replace(row, links={key.name: address(row, key) for key in board.keys if row.figures.get(key.name) is not None})
        for row in board.rows
    )
    return replace(board, rows=tuple(rows))


def beaten_by(
    figures: Mapping[str, Figures], ranks: Mapping[str, int], p_values: PValues, key: RankingKey
) -> dict[str, tuple[int, ...]]:
    """For each row the ranks of those it beats at the 5% level, Holm-adjusted for all pairs of the board."""
    uncorrected = {pair: values[key.figure] for pair, values in p_values.items() if key.figure in values}
    beaten: dict[str, set[int]] = {name: set() for name in figures}
    for pair, value in holm(uncorrected).items():
        if value < SIGNIFICANT:
            winner, loser = sorted(pair, key=lambda name: sort_key(figures[name], (key,)))
            beaten[winner].add(ranks[loser])
    return {name: tuple(sorted(found)) for name, found in beaten.items()}


def present_keys(keys: Iterable[Key], rows: Sequence[Row]) -> tuple[Key, ...]:
    """Those of the keys that at least one row has a figure of."""
    present = {name for row in rows for name in row.figures}
    return tuple(key for key in keys if key.name in present)


def formula(board: Board, columns: Sequence[Mapping[str, Any]], total: Mapping[str, Any]) -> str:
    """Of a board whose last column is the total `by` a sum or mean of the columns `of`, each times its weight."""
    heads, weights = {key.name: key.head for key in board.keys}, {row["key"]: row["weight"] for row in columns}
    parts = total["of"]
    terms = [heads[name] if weights[name] == 1 else f"{weights[name]:g} × {heads[name]}" for name in parts]
    added = " + ".join(terms)
    if total["by"] == "mean":
        added = f"({added}) / {math.fsum(weights[name] for name in parts):g}"
    return f"{board.keys[-1].head} = {added}"


@dataclass(frozen=True, slots=True)
class Named:
    """What a bot is called in a document: `key` tells it apart, `team` is empty where teams are hidden.

    A document holds no `team_en`: pages look it up, so that a name given later changes no digest.
    """

    key: str
    name: str
    team: str = ""
    team_en: str = ""


def without_changes(board: Board) -> Board:
    """The board without what it says of systems that changed."""
    rows, unranked = (tuple(replace(row, changed=()) for row in part) for part in (board.rows, board.unranked))
    return replace(board, rows=rows, unranked=unranked)


def with_names(board: Board, names: Mapping[str, Named]) -> Board:
    """The board under those names. Rows that share a rank, and those without one, come in the order of the names they have here:
    any other order could tell who entered first.
    """

    def named(row: Row) -> Row:
        name = names[row.key]
        return replace(row, key=name.key, name=name.name, team=name.team, team_en=name.team_en, page="", links={})

    def place(row: Row) -> tuple[int, str, str, str]:
        return (row.rank or 0, row.team, row.name, row.key)

    rows, unranked = (sorted(map(named, part), key=place) for part in (board.rows, board.unranked))
    return replace(board, rows=tuple(rows), unranked=tuple(unranked))


def renamed_statistics(statistics: Mapping[str, Any], names: Mapping[str, Named]) -> dict[str, Any]:
    """The statistics of a board with the document's keys in place of those of the rows; empty for empty ones."""
    if not statistics:
        return {}
    rows = {names[key].key: row for key, row in statistics.get("rows", {}).items() if key in names}
    pairs = [
        pair | {"one": names[pair["one"]].key, "other": names[pair["other"]].key}
        for pair in statistics.get("pairs", ())
        if pair["one"] in names and pair["other"] in names
    ]
    # In the order of their names, for the same reason as the rows.
    pairs.sort(key=lambda pair: (pair["one"], pair["other"]))
    return dict(statistics) | {"rows": rows, "pairs": pairs}


@dataclass(frozen=True, slots=True)
class MovedFigure:
    """A figure of one row on both boards; None where it had or has none."""

    key: Key
    before: float | None
    after: float | None

    @property
    def has_moved(self) -> bool:
        if self.before is None or self.after is None:
            return self.before is not self.after
        return round(self.before - self.after, DECIMALS) != 0


@dataclass(frozen=True, slots=True)
class Movement:
    """One row on both boards. A rank is None where the row had or has none."""

    before: Row
    after: Row
    figures: tuple[MovedFigure, ...]

    @property
    def has_new_rank(self) -> bool:
        return self.before.rank != self.after.rank

    @property
    def has_moved(self) -> bool:
        return self.has_new_rank or self.before.n != self.after.n or any(one.has_moved for one in self.figures)


def movements(before: Board, after: Board) -> tuple[Movement, ...]:
    """The rows of `after` in which anything moved, in their order there; rows of one board alone have not moved."""
    known = {row.key: row for row in (*before.rows, *before.unranked)}
    found = []
    for row in (*after.rows, *after.unranked):
        if row.key in known:
            was = known[row.key]
            figures = (MovedFigure(key, was.figures.get(key.name), row.figures.get(key.name)) for key in after.keys)
            found.append(Movement(was, row, tuple(figures)))
    return tuple(one for one in found if one.has_moved)
