"""Figures as people read them, on pages and on a terminal, where a Chinese character is two columns wide."""

import unicodedata
from collections.abc import Sequence


def fixed(value: float, decimals: int) -> str:
    """Rounded, with a true minus; what rounds to zero has none."""
    told = f"{value:.{decimals}f}"
    return told.replace("-", "−" if float(told) else "")


def p_of(p: float) -> str:
    """Three decimals, and what is too small for them is not zero."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def told_p(p: float) -> str:
    """With its sign: "p = 0.040", "p < 0.001"."""
    said = p_of(p)
    return f"p {said}" if said.startswith("<") else f"p = {said}"


def width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def text_table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, right_from: int) -> str:
    """An aligned table; columns from `right_from` on, and the first, are set to the right."""
    widths = [max(width(row[column]) for row in (heads, *rows)) for column in range(len(heads))]

    def line(cells: Sequence[str]) -> str:
        padded = []
        for column, cell in enumerate(cells):
            space = " " * (widths[column] - width(cell))
            padded.append(space + cell if column == 0 or column >= right_from else cell + space)
        return "  ".join(padded).rstrip()

    return "\n".join([line(heads), line(["─" * size for size in widths]), *map(line, rows)])
