"""The figures of a board: pictures with their captions, and the same data as tables. Pure.

What they are drawn from is told by `measures/tally.py`, of live campaigns and of bundles alike; ranks come from the stored statistics.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from leaderboards.board import Board, Key, Row, arrow_of
from leaderboards.explanations import percent
from leaderboards.paper.paper_tables import PaperTable, plain_table
from look.plots import SIZE, WIDTH, Box, Line, Mark, Plot, Word, cell_on, placed_rows, shade_of, width_of
from measures.live import MEAN_TURNS
from measures.scenario_ranks import groups
from scoring.printed_figures import fixed, told_p

LEFT, RIGHT = 158, WIDTH - 20
TOP = 30
# One rank in this many is named on the axis, and the first and the last.
NAMED_RANKS = 5
# A segment narrower than this has no room for its number.
FITS_NUMBER = 26
# More systems than this have no room for numbers in the cells of a matrix.
MOST_WITH_NUMBERS = 14
# A scale of more points than this is no list of segments.
MOST_POINTS = 11


@dataclass(frozen=True, slots=True)
class Figure:
    """`name` is what addresses and files call it; `table` holds what `plot` shows, and the caption of both."""

    name: str
    title: str
    plot: Plot
    table: PaperTable

    @property
    def caption(self) -> str:
        return self.table.caption


def board_figures(board: Board, tallied: Mapping[str, Any]) -> list[Figure]:
    """Those that there is something to draw of, in the order in which they are shown; `board` knows its intervals."""
    if not board.rows:
        return []
    found = [
        ranks_figure(board),
        _mean_ranks_figure(board, tallied.get("mean_ranks")),
        _scenario_duels_figure(board, tallied.get("duels", {})),
        *_scores_figures(board, tallied.get("scores", {})),
        _turns_figure(board, tallied.get("turns", {})),
        _without_figure(board, tallied.get("without", {})),
    ]
    return [figure for figure in found if figure]


def names_of(rows: Sequence[Row]) -> list[str]:
    """What rows are called in figures: the team, or team and system where it has several."""
    rows_of_team = Counter(row.team for row in rows)
    return [row.label if rows_of_team[row.team] > 1 else row.team_called or row.called for row in rows]


def _records_in_words(rows: Sequence[Row]) -> str:
    """How many records systems have; empty where nobody counted."""
    counts = [row.n for row in rows if row.n is not None]
    if not counts:
        return ""
    n = str(counts[0]) if len(set(counts)) == 1 else f"{min(counts)}–{max(counts)}"
    return " " + _("n = %(n)s records per system.") % {"n": n}


def _ranked_axis(n: int, height: int, top: int = TOP) -> Iterator[Mark]:
    """Ranks from 1 to n as ticks that end at `top`."""
    for rank in range(1, n + 1):
        x, is_named = _at(rank, 1, n) + 0.5, _is_named(rank, n)
        yield Line("axis", x, top - (9 if is_named else 5), x, top)
        if is_named:
            yield Line("grid", x, top, x, height)
            yield Word("number", x, top - 14, str(rank), "middle")
    yield Line("axis", LEFT, top + 0.5, RIGHT + 1, top + 0.5)


def _is_named(rank: int, n: int) -> bool:
    """The first and the last rank of n, and every fifth; of a few all."""
    return n <= NAMED_RANKS or rank in {1, n} or (rank % NAMED_RANKS == 0 and n - rank > 1)


def _at(value: float, low: float, high: float) -> float:
    """Its place on an axis from `LEFT` to `RIGHT`."""
    return round(LEFT + (RIGHT - LEFT) * (value - low) / max(1e-9, high - low), 1) if high > low else float(LEFT)


def ranks_figure(board: Board, chosen: frozenset[str] = frozenset()) -> Figure | None:
    """Ranks with their 95% intervals; None where none is known."""
    rows = [row for row in board.rows if row.rank is not None and row.rank_interval is not None]
    if not rows:
        return None
    names, n = names_of(rows), len(board.rows)
    places = placed_rows(names, top=TOP)
    height = places[-1].bottom + 4
    marks: list[Mark] = [*_ranked_axis(n, height)]
    for row, place in zip(rows, places, strict=True):
        is_chosen = " is-chosen" if row.key in chosen else ""
        low, high = (_at(rank, 1, n) for rank in row.rank_interval or (0, 0))
        marks += place.words()
        marks += span_of(f"span{is_chosen}", low, high, place.middle)
        x = _at(row.rank or 0, 1, n)
        marks.append(Line(f"mark{is_chosen}", x, place.middle - 6, x, place.middle + 6))
    caption = _("Ranks with 95% intervals: scenarios or items are redrawn and ranked by the same rule each time.")
    caption += _records_in_words(rows)
    table = plain_table(
        [_("System"), _("Rank"), _("95% interval")],
        [[name, str(row.rank), row.ranks] for name, row in zip(names, rows, strict=True)],
        caption=caption,
    )
    return Figure("ranks", _("Ranks with their 95% intervals"), Plot(height, tuple(marks)), table)


def span_of(kind: str, low: float, high: float, y: float) -> Iterator[Line]:
    yield Line(kind, low, y, high, y)
    yield from (Line(kind, x, y - 3, x, y + 3) for x in (low, high))


def _mean_ranks_figure(board: Board, found: Mapping[str, Any] | None) -> Figure | None:
    """The diagram of critical differences, its systems one below the other: names of any length fit."""
    if not found or {row.key for row in board.rows} != set(found["ranks"]):
        return None
    rows = sorted(board.rows, key=lambda row: found["ranks"][row.key])
    ranks = [found["ranks"][row.key] for row in rows]
    names, n, difference = names_of(rows), len(rows), found["critical_difference"]
    places = placed_rows(names, top=TOP + 22)
    height = places[-1].bottom + 4
    joined = groups(ranks, difference)

    # Groups stand beside the axis, each in a column of its own.
    def at(rank: float) -> float:
        return round(LEFT + (RIGHT - 9 * len(joined) - LEFT) * (rank - 1) / (n - 1), 1)

    marks: list[Mark] = []
    for rank in range(1, n + 1):
        is_named = _is_named(rank, n)
        marks += [Line("axis", at(rank), 43 if is_named else 47, at(rank), 52)]
        if is_named:
            marks += [Line("grid", at(rank), 52, at(rank), height), Word("number", at(rank), 38, str(rank), "middle")]
    marks.append(Line("axis", at(1), 52, at(n), 52))
    end = at(min(1 + difference, n))
    marks += [*span_of("span", at(1), end, 14), Word("number", end + 6, 18, f"CD {fixed(difference, 2)}")]
    for place, rank in zip(places, ranks, strict=True):
        marks += [*place.words(), Line("mark", at(rank), place.middle - 6, at(rank), place.middle + 6)]
    for column, (first, last) in enumerate(joined):
        x = at(n) + 9 * (column + 1)
        marks.append(Line("group", x, places[first].middle - 6, x, places[last].middle + 6))
    told = {"n": found["n_scenarios"], "cd": fixed(difference, 2)}
    caption = _(
        "Mean ranks over the %(n)s scenarios that all systems played, by the rule in each. Systems that a thick line joins do not differ at"
        " the 5%% level (Nemenyi, critical difference %(cd)s)."
    )
    caption %= told
    if test := found["friedman"]:
        caption += " " + _("Friedman: χ² = %(value)s, %(p)s.") % {
            "value": fixed(test["statistic"], 2),
            "p": told_p(test["p"]),
        }
    cells = [[name, fixed(rank, 2)] for name, rank in zip(names, ranks, strict=True)]
    table = plain_table([_("System"), _("Mean rank")], cells, caption=caption)
    return Figure("mean-ranks", _("Critical differences"), Plot(height, tuple(marks)), table)


def _scenario_duels_figure(board: Board, found: Mapping[str, Mapping[str, Sequence[int]]]) -> Figure | None:
    """Who is ahead of whom on how many of the scenarios that both played."""
    caption = _(
        "Head to head: of the scenarios that both played, the percentage in which the system of the row is ahead of that of the column by the"
        " rule. In the table: ahead, equal, behind."
    )
    caption += _records_in_words([row for row in board.rows if row.key in found])
    return duels_figure(board, found, name="duels", title=_("Head to head"), caption=caption)


def duels_figure(
    board: Board, found: Mapping[str, Mapping[str, Sequence[int]]], *, name: str, title: str, caption: str
) -> Figure | None:
    """Each two systems in a cell: `found` counts by row and column how often the row is ahead, equal and behind."""
    rows = [row for row in board.rows if row.key in found]
    if len(rows) < 2:
        return None
    names, n = [f"{row.rank} {called}" for row, called in zip(rows, names_of(rows), strict=True)], len(rows)
    size = (WIDTH - LEFT) / n
    places = placed_rows(names, top=22, least=max(18, min(26, round(size))))
    marks: list[Mark] = []
    table = []
    for number, (row, place, label) in enumerate(zip(rows, places, names, strict=True)):
        marks += [*place.words(), Word("number", LEFT + size * (number + 0.5), 14, str(row.rank), "middle")]
        cells = []
        for column, other in enumerate(rows):
            ahead, equal, behind = found[row.key].get(other.key, (0, 0, 0))
            n_shared, x = ahead + equal + behind, LEFT + size * column
            share = ahead / n_shared if n_shared else 0.0
            words = f"{label} – {names[column]}: {ahead} – {equal} – {behind}"
            shade = shade_of(share) if n_shared else 0
            kind = f"shade-{shade}" if n_shared else "empty"
            marks.append(Box(kind, round(x, 1), place.top, round(size - 1, 1), place.bottom - place.top - 1, words))
            if n_shared and n <= MOST_WITH_NUMBERS:
                told = str(round(100 * share))
                marks.append(Word(cell_on(shade), round(x + size / 2, 1), place.middle + 4, told, "middle"))
            cells.append(f"{ahead}–{equal}–{behind}" if n_shared else "–")
        table.append([label, *cells])
    made = plain_table([_("System"), *(str(row.rank) for row in rows)], table, caption=caption)
    return Figure(name, title, Plot(places[-1].bottom, tuple(marks)), made)


Counted = Sequence[tuple[float, int]]


def _scores_figures(board: Board, found: Mapping[str, Mapping[str, Counted]]) -> Iterator[Figure]:
    for key in board.keys:
        counted = found.get(key.name)
        points = _points_of(key, counted) if counted else []
        if counted and len(points) > 1:
            yield _scores_figure(board, key, points, counted)


def _points_of(key: Key, counted: Mapping[str, Counted]) -> list[int]:
    """The points of its scale; where that is unknown, from the lowest score given to the highest."""
    given = [score for own in counted.values() for score, _n in own]
    low, high = key.scale or (min(given), max(given))
    points = list(range(round(low), round(high) + 1))
    return points if len(points) <= MOST_POINTS else []


def _scores_figure(board: Board, key: Key, points: Sequence[int], counted: Mapping[str, Counted]) -> Figure:
    """Bars of equal length, cut by how often each point was given; means of turns or parts count as the nearest point."""
    rows = [row for row in board.rows if row.key in counted]
    names = names_of(rows)
    places = placed_rows(names, top=26)
    shades = {point: shade_of(number / (len(points) - 1)) for number, point in enumerate(points)}
    marks: list[Mark] = [*_legend([(f"shade-{shades[point]}", fixed(point, 0)) for point in points])]
    table = []
    for row, place, name in zip(rows, places, names, strict=True):
        own = Counter[int]()
        for score, n in counted[row.key]:
            own[min(points, key=lambda point: abs(point - score))] += int(n)
        total, x = own.total(), float(LEFT)
        marks += place.words()
        for point in points:
            width = (WIDTH - LEFT) * own[point] / total
            if own[point]:
                title = f"{name}: {fixed(point, 0)} × {own[point]}"
                marks.append(
                    Box(
                        f"shade-{shades[point]}",
                        round(x, 1),
                        place.middle - 8,
                        round(max(0.5, width - 1), 1),
                        16,
                        title,
                    )
                )
            if width >= FITS_NUMBER:
                told = percent(own[point] / total)
                marks.append(Word(cell_on(shades[point]), round(x + width / 2, 1), place.middle + 4, told, "middle"))
            x += width
        table.append([name, *(percent(own[point] / total) for point in points), str(total)])
    caption = _("How often each score of %(criterion)s was given, by system; n: scored records.") % {
        "criterion": key.head if not key.letter else f"{key.head} ({key.words})"
    }
    made = plain_table([_("System"), *(fixed(point, 0) for point in points), "n"], table, caption=caption)
    title = _("Scores: %(criterion)s") % {"criterion": f"{key.head} {key.words}" if key.letter else key.head}
    return Figure(f"scores-{key.name}", title, Plot(places[-1].bottom, tuple(marks)), made)


def _legend(entries: Sequence[tuple[str, str]]) -> Iterator[Mark]:
    """Above what is drawn; where that is too narrow, from the left."""
    widths = [26 + width_of(text) * SIZE * 0.55 for _kind, text in entries]
    x = max(0.0, min(float(LEFT), WIDTH - sum(widths)))
    for (kind, text), width in zip(entries, widths, strict=True):
        yield Box(kind, x, 4, 10, 10)
        yield Word("number", x + 14, 13, text)
        x += width


def _turns_figure(board: Board, found: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Figure | None:
    """T by finished and unfinished dialogues; only where turns are a column."""
    rows = [row for row in board.rows if found.get(row.key)]
    if not rows or not board.counts_turns:
        return None
    names = names_of(rows)
    places = placed_rows(names, top=50, least=34)
    height = places[-1].bottom
    high = max(side["high"] for row in rows for side in found[row.key].values())
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**9) if high / step <= 8)
    end = step * -(-int(high) // step)
    marks: list[Mark] = [*_legend([("box", _("finished")), ("dark", _("unfinished"))])]
    for tick in range(0, end + 1, step):
        x = _at(tick, 0, end)
        marks += [
            Line("grid", x, 50, x, height),
            Line("axis", x, 45, x, 50),
            Word("number", x, 40, str(tick), "middle"),
        ]
    marks.append(Line("axis", LEFT, 50, RIGHT, 50))
    table = []
    for row, place, name in zip(rows, places, names, strict=True):
        marks += place.words()
        cells = []
        for side, kind, y in (("finished", "box", place.middle - 7), ("unfinished", "dark", place.middle + 7)):
            spread = found[row.key].get(side)
            cells += ["0", "–", "–", "–"] if spread is None else _spread_cells(spread)
            marks += _box_plot(kind, spread, y, end) if spread else ()
        table.append([name, *cells])
    heads = [
        f"{head} ({side})"
        for side in (_("finished"), _("unfinished"))
        for head in ("n", _("median"), _("quartiles"), _("mean"))
    ]
    key = next(key for key in board.keys if key.name == MEAN_TURNS.name)
    caption = _(
        "%(key)s of finished and unfinished dialogues: the line spans all values, the box the middle half, and the mark is the median; n: records."
    ) % {"key": f"{key.head} {arrow_of(key.better)}"}
    made = plain_table([_("System"), *heads], table, caption=caption)
    return Figure("turns", _("Turns, finished and unfinished"), Plot(height, tuple(marks)), made)


def _spread_cells(spread: Mapping[str, float]) -> list[str]:
    quartiles = f"{spread['first']:g}–{spread['third']:g}"
    return [str(spread["n"]), f"{spread['median']:g}", quartiles, fixed(spread["mean"], 2)]


def _box_plot(kind: str, spread: Mapping[str, float], y: float, end: float) -> Iterator[Mark]:
    low, first, median, third, high = (
        _at(spread[name], 0, end) for name in ("low", "first", "median", "third", "high")
    )
    yield from (Line("span", *ends, y) for ends in ((low, y, first), (third, y, high)))
    yield from (Line("span", x, y - 3, x, y + 3) for x in (low, high))
    yield Box(kind, first, y - 5, max(1.0, third - first), 10)
    yield Line("mark", median, y - 6, median, y + 6)


def _without_figure(board: Board, found: Mapping[str, Any]) -> Figure | None:
    """How far each rank moves where one reviewer, or one scenario, is left out."""
    parts = [part for part in ("reviewer", "scenario") if found.get(part, {}).get("n", 0) > 1]
    rows = [row for row in board.rows if any(row.key in found[part]["rows"] for part in parts)]
    if not parts or not rows:
        return None
    names, n = names_of(rows), len(board.rows)
    places = placed_rows(names, top=TOP + 20, least=30)
    height = places[-1].bottom + 4
    words = {"reviewer": _("without one reviewer"), "scenario": _("without one scenario")}
    kinds = {"reviewer": "box", "scenario": "dark"}
    marks: list[Mark] = [*_ranked_axis(n, height, top=TOP + 20)]
    marks += _legend([(kinds[part], words[part]) for part in parts])
    table = []
    for row, place, name in zip(rows, places, names, strict=True):
        cells = [name, str(row.rank)]
        marks += place.words()
        for part, y in zip(parts, (place.middle - 8, place.middle + 1), strict=False):
            own = found[part]["rows"].get(row.key)
            if own:
                low, high = _at(own["low"], 1, n), _at(own["high"], 1, n)
                marks.append(Box(kinds[part], low - 3, y, high - low + 6, 7))
            cells += [_range(own), f"{own['n_moving']}/{found[part]['n']}" if own else "–"]
        x = _at(row.rank or 0, 1, n)
        marks.append(Line("mark", x, place.middle - 10, x, place.middle + 10))
        table.append(cells)
    heads = [head for part in parts for head in (words[part], _("moved by"))]
    counts = {part: found[part]["n"] for part in parts}
    caption = " ".join(
        [
            _("Where each system would rank if one were left out; the mark is its rank."),
            *([_("Reviewers: %(n)s.") % {"n": counts["reviewer"]}] if "reviewer" in counts else []),
            *([_("Scenarios: %(n)s.") % {"n": counts["scenario"]}] if "scenario" in counts else []),
            _("In the table: the ranks it would take, and how many of them move it."),
        ]
    )
    made = plain_table([_("System"), _("Rank"), *heads], table, caption=caption)
    return Figure("without", _("Ranks without one reviewer or scenario"), Plot(height, tuple(marks)), made)


def _range(own: Mapping[str, Any] | None) -> str:
    if own is None:
        return "–"
    return str(own["low"]) if own["low"] == own["high"] else f"{own['low']}–{own['high']}"
