"""A program of its own: a file on standard input, what it holds as JSON on standard output. Run by `limited_reading`."""

import json
import resource
import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

MEMORY_BYTES = 512 * 1024 * 1024
CPU_S = 10
ROWS, COLUMNS, CHARACTERS = 5001, 200, 8_000_000
# Python writes out no number of thousands of digits, but for hexadecimal ones.
DECIMAL_BELOW = 10**1000


class TooMuch(Exception):
    pass


def first_sheet(content: bytes) -> dict[str, Any]:
    """The first sheet of an Excel file."""
    from openpyxl import load_workbook  # after the limits are set

    book = load_workbook(BytesIO(content), read_only=True, data_only=True, keep_links=False)
    sheet = book.worksheets[0]
    # What the sheet says of its dimensions is not believed: rows are counted as they come.
    sheet.reset_dimensions()
    rows: list[list[Any]] = []
    left = CHARACTERS
    for row in sheet.iter_rows(values_only=True):
        cells = [plain(cell) for cell in row]
        while cells and cells[-1] is None:
            cells.pop()
        left -= sum(len(cell) for cell in cells if isinstance(cell, str))
        if left < 0:
            raise TooMuch("texts")
        rows.append(cells)
        if len(rows) > ROWS or len(cells) > COLUMNS:
            raise TooMuch("rows")
    while rows and not rows[-1]:
        rows.pop()
    return {"name": sheet.title, "rows": rows}


def plain(cell: Any) -> Any:
    return cell if cell is None or isinstance(cell, str | int | float | bool) else str(cell)


def toml(content: bytes) -> dict[str, Any]:
    """`parsed` with null for what JSON has no word for, and those values in `others`, in the order of the nulls."""
    import tomllib

    try:
        parsed = tomllib.loads(content.decode())
    except ValueError as bad:
        return {"not_toml": str(bad)}
    return {"others": list(others(parsed)), "parsed": parsed}


def others(value: Any) -> Iterator[tuple[str, str]]:
    """Takes the values out, and puts None in their places."""
    places = value.items() if isinstance(value, dict) else enumerate(value)
    for place, inner in [*places]:
        if isinstance(inner, dict | list):
            yield from others(inner)
        elif isinstance(inner, int):
            if not -DECIMAL_BELOW < inner < DECIMAL_BELOW:
                yield "int", hex(inner)
                value[place] = None
        elif not isinstance(inner, str | float):
            yield type(inner).__name__, inner.isoformat()
            value[place] = None


READERS: dict[str, Callable[[bytes], dict[str, Any]]] = {"xlsx": first_sheet, "toml": toml}


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    try:
        answer = READERS[sys.argv[1]](sys.stdin.buffer.read())
    except TooMuch as found:
        answer = {"reason": str(found)}
    except MemoryError:
        answer = {"reason": "memory"}
    except Exception:  # whatever a file can make the reader raise
        answer = {"reason": "unreadable"}
    sys.stdout.write(json.dumps(answer, allow_nan=sys.argv[1] == "toml"))


if __name__ == "__main__":
    main()
