"""Rows as files: CSV for spreadsheets, JSON Lines for programs. Pure: rows in, pieces of text out.

CSV has a byte order mark (Excel opens Chinese) and its text cells cannot become formulas; JSON Lines is exact: lists and
tables are JSON there too, where a CSV cell holds them as one text.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

# Excel and LibreOffice take the full-width signs of a Chinese input method for the plain ones.
FORMULA_SIGNS = frozenset("=+-@＝＋－＠")
# Importers trim these first, or take what follows them for a cell of its own.
CELL_BREAKS = ("\t", "\r", "\n")
LINE_BREAK = re.compile("(\r\n|\r|\n)")
# How a list of texts becomes one cell.
JOINED_BY = {"reply": "\n", "flags": " "}
NUMBERS = {int, float, type(None)}
# A download begins with the heads and goes on with so many rows at a time.
ROWS_PER_PIECE = 1_000

Rows = Iterable[Sequence[Any]]


def csv_pieces(columns: Sequence[str], rows: Rows) -> Iterator[str]:
    """The bytes of Python's `csv` (excel dialect). Written column by column: a million rows have sixteen million cells, and few of
    them need a second look.
    """
    yield "\ufeff" + ",".join(map(_csv_text, columns)) + "\r\n"
    remaining = iter(rows)
    while some := list(islice(remaining, ROWS_PER_PIECE)):
        by_column = zip(columns, zip(*some, strict=True), strict=True)
        lines = zip(*(_csv_column(name, values) for name, values in by_column), strict=True)
        yield "\r\n".join(map(",".join, lines)) + "\r\n"


def jsonl_pieces(columns: Sequence[str], rows: Rows) -> Iterator[str]:
    return json_lines(dict(zip(columns, row, strict=True)) for row in rows)


def json_lines(objects: Iterable[dict[str, Any]]) -> Iterator[str]:
    remaining = iter(objects)
    while some := list(islice(remaining, ROWS_PER_PIECE)):
        yield "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in some)


def _csv_column(name: str, values: Sequence[Any]) -> Sequence[str]:
    kinds = set(map(type, values))
    if kinds & NUMBERS:
        return [_number(value) if type(value) in NUMBERS else _csv_text(as_text(name, value)) for value in values]
    texts = values if kinds == {str} else [as_text(name, value) for value in values]
    return texts if _is_plain(texts) else [_csv_text(text) for text in texts]


def _is_plain(texts: Sequence[str]) -> bool:
    """Whether no text needs quotes, and each begins with a letter or a digit, so that none can be a formula."""
    firsts = "".join([text[:1] for text in texts])
    return (not firsts or firsts.isalnum()) and not _needs_quotes("".join(texts))


def _needs_quotes(text: str) -> bool:
    return "," in text or '"' in text or "\n" in text or "\r" in text


def _number(value: float | None) -> str:
    return "" if value is None else str(value)


def _csv_text(text: str) -> str:
    safe = spreadsheet_safe(text)
    return '"' + safe.replace('"', '""') + '"' if _needs_quotes(safe) else safe


def as_text(name: str, value: Any) -> str:
    """A value that is no number as the text of one cell: a list or table is one, too."""
    if isinstance(value, list) and name in JOINED_BY:
        return JOINED_BY[name].join(value)
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def spreadsheet_safe(text: str) -> str:
    """A text of which a spreadsheet would take a line for a formula gets an apostrophe before that line.

    An importer that knows no quotes takes each line for a row of its own.
    """
    if "\n" in text or "\r" in text:
        text = "".join([_guard(part) + part for part in LINE_BREAK.split(text)])
    return f"'{text}" if text.startswith(CELL_BREAKS) else _guard(text) + text


def _guard(line: str) -> str:
    """What comes before the line: an apostrophe, or nothing."""
    return "'" if line and not line[0].isalnum() and _first_seen(line) in FORMULA_SIGNS else ""


def _first_seen(text: str) -> str:
    """The first character that is no space and not invisible, since spreadsheets skip those; or an empty text."""
    return next((one for one in text if not (one.isspace() or unicodedata.category(one) in {"Cc", "Cf"})), "")
