"""The frozen board of pairs for a paper: strengths and head to head as figures with their tables, and all differences as a table. Pure."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from leaderboards.board import Board, Key, Row, Words, with_english_names
from leaderboards.paper.board_figures import LEFT, RIGHT, TOP, Figure, duels_figure, names_of, span_of
from leaderboards.paper.paper_tables import PaperTable, paper_table, plain_table
from look.plots import Line, Mark, Plot, Word, placed_rows
from scoring.printed_figures import fixed, p_of

Pairs = Mapping[str, Any]
DECIMALS = 2
MOST_STEPS = 5


def pair_figures(pairs: Pairs, english: Mapping[str, str]) -> list[Figure]:
    """`pairs` is a board of pairs (`pairs/board/document.py`), `english` teams' English names by their names; nothing without strengths."""
    board = _board_of(pairs, english)
    if not board.rows:
        return []
    head_to_head = _(
        "Pairs, head to head: the percentage of votes that prefer the system of the row to that of the column."
    )
    head_to_head += " " + _("In the table: preferred, neither, the other.")
    duels = duels_figure(
        board, _counts_of(pairs), name="pairs-duels", title=_("Pairs: head to head"), caption=head_to_head
    )
    return [_strengths_figure(board, _caption_of(pairs)), *([duels] if duels else [])]


def pair_tables(pairs: Pairs, english: Mapping[str, str]) -> dict[str, PaperTable]:
    """`pairs-differences`, with tests corrected by Holm; nothing where no interval is known."""
    listed = (pairs["uncertainty"] or {}).get("differences")
    if not listed:
        return {}
    labels = {row.key: row.label for row in _board_of(pairs, english).rows}
    rows = [
        [
            labels[one["first"]],
            labels[one["second"]],
            fixed(one["difference"], DECIMALS),
            " … ".join(fixed(end, DECIMALS) for end in one["interval"] or ()) or "–",
            "–" if one["p"] is None else p_of(one["p"]),
        ]
        for one in listed
    ]
    caption = _(
        "How much stronger the first is than the second, with its 95%% interval; p is two-sided and corrected for the number of tests (Holm)."
    )
    heads = [_("Stronger"), _("Weaker"), _("Difference"), _("95% interval"), "p"]
    return {"pairs-differences": plain_table(heads, rows, caption=caption % {})}


def _board_of(pairs: Pairs, english: Mapping[str, str]) -> Board:
    """The ranked systems as rows of any other board: strength, and that at equal length and markup where it is known."""
    sure = pairs["uncertainty"] or {}
    keys = [Key("strength", Words.of(gettext_lazy("Strength")), "higher", DECIMALS)]
    if pairs["control"]["coefficients"]:
        keys.append(Key("controlled", Words.of(gettext_lazy("At equal length and markup")), "higher", DECIMALS))
    ends = {"strength": sure.get("strengths") or {}, "controlled": sure.get("controlled") or {}}
    rows = tuple(
        Row(
            one["key"],
            one["bot"],
            {key.name: one[key.name] for key in keys},
            team=one["team"],
            n=one["n_votes"],
            intervals={name: tuple(of[one["key"]]) for name, of in ends.items() if of.get(one["key"])},
            rank=one["rank"],
        )
        for one in pairs["systems"]
        if one["rank"]
    )
    return with_english_names(Board(tuple(keys), tuple(keys[:1]), rows, ()), english)


def _caption_of(pairs: Pairs) -> str:
    said = [
        _(
            "Strengths from votes on pairs: natural logarithms of mean 0 (Bradley and Terry, with Davidson’s ties); n: votes."
        )
    ]
    if sure := pairs["uncertainty"]:
        text = _("Intervals (95%%) are those of %(n)s resamples of whole judges and whole scenarios, seed %(seed)s.")
        said.append(text % {"n": sure["n_resamples"], "seed": sure["seed"]})
    if penalty := pairs["model"]["penalty"]:
        said.append(_("A weak penalty (%(penalty)s) holds them, as the votes alone do not.") % {"penalty": penalty})
    return " ".join(said)


def _strengths_figure(board: Board, caption: str) -> Figure:
    """A mark per system with its interval, on an axis around 0."""
    names = names_of(board.rows)
    places = placed_rows(names, top=TOP)
    height = places[-1].bottom + 4
    ends = [
        end
        for row in board.rows
        for end in (row.figures["strength"], *row.intervals.get("strength", ()))
        if end is not None
    ]
    furthest = max(map(abs, ends))
    step = next(one for one in (0.1, 0.2, 0.5, 1, 2, 5, 10, 10**9) if furthest <= MOST_STEPS * one)
    n_steps = max(1, -int(-furthest // step))

    def at(value: float) -> float:
        return round(LEFT + (RIGHT - LEFT) * (value / (n_steps * step) + 1) / 2, 1)

    marks: list[Mark] = []
    for number in range(-n_steps, n_steps + 1):
        x = at(number * step)
        marks += [Line("grid" if number else "axis", x, TOP, x, height), Line("axis", x, TOP - 5, x, TOP)]
        marks.append(Word("number", x, TOP - 10, f"{number * step:g}".replace("-", "−"), "middle"))
    marks.append(Line("axis", LEFT, TOP, RIGHT, TOP))
    for row, place in zip(board.rows, places, strict=True):
        marks += place.words()
        if interval := row.intervals.get("strength"):
            marks += span_of("span", at(interval[0]), at(interval[1]), place.middle)
        x = at(row.figures["strength"] or 0.0)
        marks.append(Line("mark", x, place.middle - 6, x, place.middle + 6))
    table = paper_table(board, caption=caption)
    return Figure("pairs-strengths", _("Pairs: strengths"), Plot(height, tuple(marks)), table)


def _counts_of(pairs: Pairs) -> dict[str, dict[str, tuple[int, int, int]]]:
    """By system and other: votes for it, for neither, for the other."""
    found: dict[str, dict[str, tuple[int, int, int]]] = {row["key"]: {} for row in pairs["systems"]}
    for one in pairs["matrix"]:
        neither = one["n_ties"] + one["n_both_bad"]
        found[one["first"]][one["second"]] = one["n_first"], neither, one["n_second"]
        found[one["second"]][one["first"]] = one["n_second"], neither, one["n_first"]
    return found
