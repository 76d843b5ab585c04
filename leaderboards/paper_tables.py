"""A board as a paper prints it: a table in LaTeX (booktabs) or Markdown, and the picture of ranks as one SVG file. Pure.

Figures are rounded as on the page, and the best of each column is bold; below a figure stand the ends of its 95% interval.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from django.utils.translation import gettext as _

from leaderboards.board import Board, Key, Row, arrow_of
from leaderboards.board_page import RankPicture
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
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
} | {sign: f"\\{sign}" for sign in "&%$#_{}"}
MARKDOWN_SIGNS = {sign: f"\\{sign}" for sign in "\\|*_`<>[]#"}


@dataclass(frozen=True, slots=True)
class PaperCell:
    """A figure as it is printed, with its interval where it has one."""

    figure: str
    interval: str
    is_best: bool


@dataclass(frozen=True, slots=True)
class PaperRow:
    rank: str
    names: tuple[str, ...]
    cells: tuple[PaperCell, ...]
    n: str


@dataclass(frozen=True, slots=True)
class PaperTable:
    """`heads` are those of rank, names, figures and the number of records."""

    n_names: int
    heads: tuple[str, ...]
    rows: tuple[PaperRow, ...]
    caption: str


def paper_table(board: Board, *, caption: str) -> PaperTable:
    """The ranked rows in their order; a team and its system share a column where they share the name."""
    has_teams = any(row.team for row in board.rows)
    has_systems = not has_teams or any(row.team not in ("", row.name) for row in board.rows)
    name_heads = [*([_("Team")] if has_teams else []), *([_("System")] if has_systems else [])]
    best = {key.name: _best(key, board.rows) for key in board.keys}
    rows = tuple(
        PaperRow(
            "–" if row.rank is None else str(row.rank),
            (*([row.team_called or row.called] if has_teams else []), *([row.called] if has_systems else [])),
            tuple(_cell(row, key, best[key.name]) for key in board.keys),
            "–" if row.n is None else str(row.n),
        )
        for row in board.rows
    )
    figure_heads = (f"{key.head} {arrow_of(key.better)}" for key in board.keys)
    return PaperTable(len(name_heads), (_("Rank"), *name_heads, *figure_heads, "n"), rows, caption)


def _best(key: Key, rows: Sequence[Row]) -> float | None:
    values = [round(value, DECIMALS) for row in rows if (value := row.figures.get(key.name)) is not None]
    return (max if key.better == "higher" else min)(values, default=None)


def _cell(row: Row, key: Key, best: float | None) -> PaperCell:
    value = row.figures.get(key.name)
    if value is None:
        return PaperCell("–", "", is_best=False)
    ends = row.intervals.get(key.name)
    interval = f"[{fixed(ends[0], key.decimals)}, {fixed(ends[1], key.decimals)}]" if ends else ""
    return PaperCell(fixed(value, key.decimals), interval, is_best=round(value, DECIMALS) == best)


def latex(table: PaperTable, *, label: str) -> str:
    """Needs `\\usepackage{booktabs}`; Chinese names need a class that sets them, such as ctexart."""
    columns = "r" + "l" * table.n_names + "r" * (len(table.heads) - 1 - table.n_names)
    lines = [
        r"\begin{table}",
        r"  \centering",
        f"  \\caption{{{_latex(table.caption)}}}",
        f"  \\label{{{label}}}",
        f"  \\begin{{tabular}}{{{columns}}}",
        r"    \toprule",
        f"    {' & '.join(map(_latex, table.heads))} \\\\",
        r"    \midrule",
        *(f"    {line} \\\\" for row in table.rows for line in _latex_lines(row)),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _latex_lines(row: PaperRow) -> Iterator[str]:
    figures = (f"\\textbf{{{_latex(cell.figure)}}}" if cell.is_best else _latex(cell.figure) for cell in row.cells)
    yield " & ".join([_latex(row.rank), *map(_latex, row.names), *figures, _latex(row.n)])
    if any(cell.interval for cell in row.cells):
        # In braces: after the end of a line, LaTeX takes what begins with [ for an argument of it.
        intervals = (f"{{\\footnotesize {_latex(cell.interval)}}}" if cell.interval else "" for cell in row.cells)
        yield " & ".join(["", *("" for _name in row.names), *intervals, ""])


def _latex(text: str) -> str:
    return "".join(LATEX_SIGNS.get(sign, sign) for sign in text)


def markdown(table: PaperTable) -> str:
    """A table of GitHub's kind with its caption above."""
    rules = ["---" if 1 <= place <= table.n_names else "--:" for place in range(len(table.heads))]
    lines = [_markdown(table.caption), "", _piped([*map(_markdown, table.heads)]), _piped(rules)]
    for row in table.rows:
        figures = (f"**{cell.figure}**" if cell.is_best else cell.figure for cell in row.cells)
        intervals = (_markdown(cell.interval) for cell in row.cells)
        cells = (f"{figure} {interval}".strip() for figure, interval in zip(figures, intervals, strict=True))
        lines.append(_piped([row.rank, *map(_markdown, row.names), *cells, row.n]))
    return "\n".join(lines) + "\n"


def _piped(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown(text: str) -> str:
    return "".join(MARKDOWN_SIGNS.get(sign, sign) for sign in " ".join(text.split()))


SANS = "Helvetica, Arial, 'Noto Sans CJK SC', sans-serif"


def ranks_svg(picture: RankPicture, *, title: str) -> str:
    """The picture of ranks as a file of its own, as wide as a column of a paper (3.3 in), in black."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="3.3in" viewBox="-8 -8 416 {picture.height + 16}"'
        f' font-family="{SANS}" font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect x="-8" y="-8" width="416" height="{picture.height + 16}" fill="#fff"/>',
        '<path d="M150 30.5H381" fill="none" stroke="#000"/>',
    ]
    for rank, x, is_named in picture.axis:
        top = 21 if is_named else 25
        parts.append(f'<path d="M{x}.5 {top}V30" fill="none" stroke="#000"/>')
        if is_named:
            parts.append(f'<path d="M{x}.5 30V{picture.height}" fill="none" stroke="#ccc"/>')
            parts.append(f'<text x="{x}" y="16" text-anchor="middle">{rank}</text>')
    for bar in picture.bars:
        parts.append(f'<text x="0" y="{bar.y + 4}">{escape(bar.name)}</text>')
        parts.append(f'<path d="{bar.span}" fill="none" stroke="#000" stroke-width="1.5"/>')
        parts.append(f'<path d="M{bar.mark} {bar.y - 6}V{bar.y + 6}" fill="none" stroke="#000" stroke-width="3"/>')
    return "\n".join([*parts, "</svg>"]) + "\n"
