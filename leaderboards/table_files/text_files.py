"""Rows as files: CSV for spreadsheets, JSON Lines for programs. Pure: rows in, pieces of text out.

CSV has a byte order mark (Excel opens Chinese) and its text cells cannot become formulas; JSON Lines is exact: lists and
tables are JSON there too, where a CSV cell holds them as one text.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from reading.json_texts import json_text
from reading.spreadsheet_cells import FORMULA_SIGNS, guard, has_cell_breaks, spreadsheet_safe

# How a list of texts becomes one cell.
JOINED_BY = {"reply": "\n", "flags": " "}
NUMBERS = {int, float, type(None)}
# A download begins with the heads and goes on with this many rows at a time.
ROWS_PER_PIECE = 1_000

Rows = Iterable[Sequence[Any]]
# Some rows after the other, each as its columns: what a million rows have in common is done once per column.
Block = Sequence[Sequence[Any]]
Blocks = Iterable[Block]


def blocks_of(rows: Rows) -> Iterator[Block]:
    remaining = iter(rows)
    while some := list(islice(remaining, ROWS_PER_PIECE)):
        yield list(zip(*some, strict=True))


def rows_of(blocks: Blocks) -> Iterator[tuple[Any, ...]]:
    for block in blocks:
        yield from zip(*block, strict=True)


class Sink:
    """A file that a library writes to while somebody takes what is there. It cannot be sought in: in a zip, sizes come after the parts."""

    closed = False

    def __init__(self) -> None:
        self._written: list[bytes] = []
        self._n_bytes = 0

    def write(self, some: Any) -> int:
        self._written.append(bytes(some))
        self._n_bytes += len(some)
        return len(some)

    def taken(self) -> bytes:
        taken, self._written = b"".join(self._written), []
        return taken

    def tell(self) -> int:
        return self._n_bytes

    def flush(self) -> None: ...

    def close(self) -> None: ...

    def readable(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False


def csv_pieces(columns: Sequence[str], rows: Rows) -> Iterator[str]:
    """The bytes of Python's `csv` (excel dialect). Written column by column: a million rows have sixteen million cells, and few of
    them need a second look.
    """
    return csv_of_blocks(columns, blocks_of(rows))


def csv_of_blocks(columns: Sequence[str], blocks: Blocks) -> Iterator[str]:
    yield "\ufeff" + ",".join(map(_csv_text, columns)) + "\r\n"
    for block in blocks:
        lines = zip(*map(_csv_column, columns, block), strict=True)
        yield "\r\n".join(map(",".join, lines)) + "\r\n"


def json_lines(objects: Iterable[dict[str, Any]]) -> Iterator[str]:
    remaining = iter(objects)
    while some := list(islice(remaining, ROWS_PER_PIECE)):
        yield "".join([json_text(one) + "\n" for one in some])


def _csv_column(name: str, values: Sequence[Any]) -> Sequence[str]:
    kinds = set(map(type, values))
    if kinds == {int}:
        return list(map(str, values))
    if kinds & NUMBERS:
        return [_number(value) if type(value) in NUMBERS else _csv_text(as_text(name, value)) for value in values]
    texts = values if kinds == {str} else _texts(name, values, kinds)
    cells = list(dict.fromkeys(texts))
    if len(cells) * 2 >= len(texts):
        return _csv_texts(texts)
    # Most columns repeat their values.
    known = dict(zip(cells, _csv_texts(cells), strict=True))
    return list(map(known.__getitem__, texts))


def _csv_texts(texts: Sequence[str]) -> Sequence[str]:
    """Each as its cell; what few texts need is looked for in all of them at once."""
    together = "".join(texts)
    if _needs_quotes(together) or has_cell_breaks(together):
        return [_csv_text(text) for text in texts]
    # Each goes on in one cell, so that only how it begins can make it a formula.
    doubtful = {head for head in {text[:1] for text in texts} if head and not _is_plain(head)}
    return [guard(text) + text if text[:1] in doubtful else text for text in texts] if doubtful else texts


def _is_plain(head: str) -> bool:
    """Whether what begins with this character is no formula, whatever follows."""
    return head.isprintable() and head != " " and head not in FORMULA_SIGNS


def _texts(name: str, values: Sequence[Any], kinds: set[type]) -> list[str]:
    if kinds == {list} and name in JOINED_BY:
        return list(map(JOINED_BY[name].join, values))
    return [as_text(name, value) for value in values]


def _needs_quotes(text: str) -> bool:
    return "," in text or '"' in text or "\n" in text or "\r" in text


def _number(value: float | None) -> str:
    return "" if value is None else str(value)


def _csv_text(text: str) -> str:
    if text.isalnum():
        return text
    safe = spreadsheet_safe(text)
    return '"' + safe.replace('"', '""') + '"' if _needs_quotes(safe) else safe


def as_text(name: str, value: Any) -> str:
    """A value that is no number as the text of one cell: a list or table is one, too."""
    if isinstance(value, list) and name in JOINED_BY:
        return JOINED_BY[name].join(value)
    if isinstance(value, list | dict):
        return json_text(value)
    return str(value)
