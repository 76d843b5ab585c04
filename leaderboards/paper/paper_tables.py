"""Tables as papers print them, in LaTeX (booktabs), Markdown and CSV: of a board, and of whatever a figure shows. Pure.

A board's figures are rounded as on the page, and the best of each column is bold; below a figure stand the ends of its 95% interval.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from leaderboards.board import Board, Key, Row, Statistics, arrow_of
from leaderboards.explanations import statistics_tables, tested_pairs
from leaderboards.table_files.text_files import csv_pieces
from measures.ranking import DECIMALS
from scoring.printed_figures import fixed

LATEX_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "−": r"$-$",
    "–": "--",
    "α": r"$\alpha$",
    "τ": r"$\tau$",
    "χ": r"$\chi$",
    "²": r"$^2$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "≈": r"$\approx$",
    "→": r"$\rightarrow$",
    "←": r"$\leftarrow$",
    "«": r"$\ll$",
    "»": r"$\gg$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
} | {sign: f"\\{sign}" for sign in "&%$#_{}"}
MARKDOWN_SIGNS = {sign: f"\\{sign}" for sign in "\\|*_`<>[]#"}


@dataclass(frozen=True, slots=True)
class PaperCell:
    """A cell as it is printed; `below` is what stands under it in small, such as an interval."""

    text: str
    below: str = ""
    is_best: bool = False


@dataclass(frozen=True, slots=True)
class PaperTable:
    """Columns of numbers are set to the right; those at `names` are names. In CSV `names` end with the columns that they begin with."""

    heads: tuple[str, ...]
    rows: tuple[tuple[PaperCell, ...], ...]
    caption: str
    names: frozenset[int] = field(default=frozenset({0}))


def plain_table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, caption: str) -> PaperTable:
    """A table whose first column is names."""
    return PaperTable(tuple(heads), tuple(tuple(map(PaperCell, row)) for row in rows), caption)


def paper_table(board: Board, *, caption: str) -> PaperTable:
    """The ranked rows in their order; a team and its system share a column where they share the name."""
    has_teams = any(row.team for row in board.rows)
    has_systems = not has_teams or any(row.team not in ("", row.name) for row in board.rows)
    name_heads = [*([_("Team")] if has_teams else []), *([_("System")] if has_systems else [])]
    best = {key.name: _best(key, board.rows) for key in board.keys}
    rows = tuple(
        (
            PaperCell("–" if row.rank is None else str(row.rank)),
            *([PaperCell(row.team_called or row.called)] if has_teams else []),
            *([PaperCell(row.called)] if has_systems else []),
            *(_cell(row, key, best[key.name]) for key in board.keys),
            PaperCell("–" if row.n is None else str(row.n)),
        )
        for row in board.rows
    )
    figure_heads = (f"{key.head} {arrow_of(key.better)}" for key in board.keys)
    names = frozenset(range(1, 1 + len(name_heads)))
    return PaperTable((_("Rank"), *name_heads, *figure_heads, "n"), rows, caption, names)


def statistics_as_tables(board: Board, statistics: Statistics | None) -> dict[str, PaperTable]:
    """How sure the board is, by names for addresses: `chances`, `rankings` and `pairs-FIGURE`; nothing where nothing is stored."""
    found = statistics_tables(board, statistics)
    if found is None:
        return {}
    tables = {}
    if found.chances:
        heads = [_("System"), *map(str, found.ranks)]
        rows = [[one.row.label, *(chance.percents for chance in one.chances)] for one in found.chances]
        tables["chances"] = plain_table(
            heads, rows, caption=_("P(rank = k) in percent: how often each row had each rank in resamples.")
        )
    if found.rankings:
        heads = [_("Ranked by"), "n", "τ", _("95% interval"), "p"]
        rows = [[other.name, str(other.n), other.tau, other.interval, other.p] for other in found.rankings]
        tables["rankings"] = plain_table(heads, rows, caption=_("Kendall’s τ of this ranking with others."))
    for key in found.tested:
        heads = [_("Pair"), _("Difference"), _("Effect size"), "p"]
        pairs = tested_pairs(board, statistics or {}, key)
        rows = [[f"{pair.one} – {pair.other}", pair.difference, pair.effect, pair.p] for pair in pairs]
        caption = _("All pairs by %(key)s: randomised Tukey HSD, %(n)s shuffles.") % {
            "key": key.head,
            "n": found.n_permutations,
        }
        tables[f"pairs-{key.name}"] = plain_table(heads, rows, caption=caption)
    return tables


def _best(key: Key, rows: Sequence[Row]) -> float | None:
    values = [round(value, DECIMALS) for row in rows if (value := row.figures.get(key.name)) is not None]
    return (max if key.better == "higher" else min)(values, default=None)


def _cell(row: Row, key: Key, best: float | None) -> PaperCell:
    value = row.figures.get(key.name)
    if value is None:
        return PaperCell("–")
    ends = row.intervals.get(key.name)
    interval = f"[{fixed(ends[0], key.decimals)}, {fixed(ends[1], key.decimals)}]" if ends else ""
    return PaperCell(fixed(value, key.decimals), interval, is_best=round(value, DECIMALS) == best)


def latex(table: PaperTable, *, label: str, source: str = "") -> str:
    """Needs `\\usepackage{booktabs}`; Chinese names need a class that sets them, such as ctexart. `source` stands above as a comment."""
    columns = "".join("l" if place in table.names else "r" for place in range(len(table.heads)))
    lines = [
        *([f"% {' '.join(source.split())}"] if source else []),
        r"\begin{table}",
        r"  \centering",
        f"  \\caption{{{in_latex(table.caption)}}}",
        f"  \\label{{{label}}}",
        f"  \\begin{{tabular}}{{{columns}}}",
        r"    \toprule",
        f"    {_line(map(in_latex, table.heads))} \\\\",
        r"    \midrule",
        *(f"    {line} \\\\" for row in table.rows for line in _latex_lines(row)),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _latex_lines(row: Sequence[PaperCell]) -> Iterator[str]:
    yield _line(f"\\textbf{{{in_latex(cell.text)}}}" if cell.is_best else in_latex(cell.text) for cell in row)
    if any(cell.below for cell in row):
        yield _line(f"{{\\footnotesize {in_latex(cell.below)}}}" if cell.below else "" for cell in row)


def _line(cells: Iterable[str]) -> str:
    """After the end of a line or a rule, LaTeX takes a [ or a star for an argument of it."""
    line = " & ".join(cells)
    return f"{{}}{line}" if line.startswith(("[", "*")) else line


def in_latex(text: str) -> str:
    return "".join(LATEX_SIGNS.get(sign, sign) for sign in text)


def markdown(table: PaperTable, *, source: str = "") -> str:
    """A table of GitHub's kind with its caption above and where it comes from below."""
    rules = ["---" if place in table.names else "--:" for place in range(len(table.heads))]
    lines = [_markdown(table.caption), "", _piped([*map(_markdown, table.heads)]), _piped(rules)]
    lines += [_piped([*map(_markdown_cell, row)]) for row in table.rows]
    lines += ["", _markdown(source)] if source else []
    return "\n".join(lines) + "\n"


def _markdown_cell(cell: PaperCell) -> str:
    text = _markdown(cell.text)
    return f"{f'**{text}**' if cell.is_best else text} {_markdown(cell.below)}".strip()


def _piped(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown(text: str) -> str:
    return "".join(MARKDOWN_SIGNS.get(sign, sign) for sign in " ".join(text.split()))


def csv_text(table: PaperTable, mark: str = "") -> str:
    """As it is printed, with intervals in columns of their own; numbers have plain signs. The `mark` is a last column."""
    has_below = [any(row[place].below for row in table.rows) for place in range(len(table.heads))]
    heads, rows = [], []
    for head, is_wide in zip(table.heads, has_below, strict=True):
        heads += [head, f"{head} 95%"] if is_wide else [head]
    for row in table.rows:
        cells: list[str | int | float] = []
        for place, (cell, is_wide) in enumerate(zip(row, has_below, strict=True)):
            cells.append(cell.text if place in table.names else _number(cell.text))
            cells += [cell.below.strip("[]")] if is_wide else []
        rows.append([*cells, mark] if mark else cells)
    return "".join(csv_pieces([*heads, _("State")] if mark else heads, rows))


def _number(text: str) -> str | int | float:
    plain = text.replace("−", "-")
    for kind in (int, float):
        try:
            return kind(plain)
        except ValueError:
            continue
    return text
