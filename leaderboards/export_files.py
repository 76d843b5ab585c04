"""Rows as files: CSV for spreadsheets, JSON Lines for programs. Pure: rows in, pieces of text out.

CSV has a byte order mark (Excel opens Chinese) and its text cells cannot become formulas; JSON Lines is exact: lists and
tables are JSON there too, where a CSV cell holds them as one text.
"""

import csv
import io
import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

# Excel and LibreOffice take the full-width signs of a Chinese input method for the plain ones.
FORMULA_SIGNS = frozenset("=+-@＝＋－＠")
# Importers trim these first, or take what follows them for a cell of its own.
CELL_BREAKS = ("\t", "\r", "\n")
# How a list of texts becomes one cell.
JOINED_BY = {"reply": "\n", "flags": " "}
NUMBERS = {int, float, type(None)}
# A download begins with the heads and goes on with so many rows at a time.
ROWS_PER_PIECE = 1_000

Rows = Iterable[Sequence[Any]]


def csv_pieces(columns: Sequence[str], rows: Rows) -> Iterator[str]:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    out.write("\ufeff")
    writer.writerow(map(spreadsheet_safe, columns))
    yield out.getvalue()
    remaining = iter(rows)
    while some := list(islice(remaining, ROWS_PER_PIECE)):
        out = io.StringIO(newline="")
        csv.writer(out).writerows(_cells(columns, some))
        yield out.getvalue()


def jsonl_pieces(columns: Sequence[str], rows: Rows) -> Iterator[str]:
    remaining = iter(rows)
    while some := list(islice(remaining, ROWS_PER_PIECE)):
        yield "".join(json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False) + "\n" for row in some)


FORMATS: dict[str, Callable[[Sequence[str], Rows], Iterator[str]]] = {"csv": csv_pieces, "jsonl": jsonl_pieces}


def _cells(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """The rows as cells. Column by column, since a million rows have sixteen million values and few need a second look."""
    by_column = zip(columns, zip(*rows, strict=True), strict=True)
    return zip(*(_column(name, values) for name, values in by_column), strict=True)


def _column(name: str, values: Sequence[Any]) -> Sequence[Any]:
    if set(map(type, values)) <= NUMBERS:
        return values
    # A text that begins with a letter or a digit is no formula.
    return [value if type(value) is str and value[:1].isalnum() else cell(name, value) for value in values]


def cell(name: str, value: Any) -> Any:
    """A value as one cell: lists and tables as text, texts safe, numbers as they are."""
    if isinstance(value, list) and name in JOINED_BY:
        value = JOINED_BY[name].join(value)
    elif isinstance(value, list | dict):
        value = json.dumps(value, ensure_ascii=False)
    return spreadsheet_safe(value)


def spreadsheet_safe(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula gets an apostrophe before it; numbers stay numbers."""
    if not isinstance(value, str) or not value or value[0].isalnum():
        return value
    if value.startswith(CELL_BREAKS) or _first_seen(value) in FORMULA_SIGNS:
        return f"'{value}"
    return value


def _first_seen(text: str) -> str:
    """The first character that is no space and not invisible, since spreadsheets skip those; or an empty text."""
    return next((one for one in text if not (one.isspace() or unicodedata.category(one) in {"Cc", "Cf"})), "")
