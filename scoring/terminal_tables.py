"""Tables for people on a terminal, where a Chinese character is two columns wide."""

import unicodedata
from collections.abc import Sequence


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
