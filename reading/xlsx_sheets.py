"""Reads the first sheet of an Excel file that comes from outside: limits first, then a child process with limits of its own.

A file of five kilobytes can unpack to gigabytes, and name a million rows in one attribute. The sizes in the zip's directory are
checked before anything is unpacked (the reader unpacks no more than they say); rows, columns and characters are counted while
they are read, whatever the sheet says of its dimensions.
"""

import zipfile
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from django.utils.translation import gettext_noop

from reading.checking import BadFile
from reading.findings import FILE, Finding
from reading.limited_reading import read_apart

FILE_LIMIT_BYTES = 5 * 1024 * 1024
UNPACKED_LIMIT_BYTES = 50 * 1024 * 1024
PARTS_LIMIT = 500
NOT_XLSX = gettext_noop("is not an Excel file (.xlsx) that can be read")
REASONS = {
    "rows": gettext_noop("has too many rows or columns"),
    "texts": gettext_noop("holds too much text"),
    "memory": gettext_noop("unpacks to more than may be read"),
    "unreadable": NOT_XLSX,
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows of cells: texts, numbers, true and false, or None; dates are texts. `name` is empty for CSV."""

    name: str
    rows: list[list[Any]]

    def place(self, row: int) -> str:
        """The place of a row, counted from 1 as spreadsheets do."""
        return f"sheet {self.name}, row {row}" if self.name else f"row {row}"


def read_sheet(content: bytes) -> Sheet:
    """Errors: `BadFile`."""
    check_sizes(content)
    answer = read_apart("xlsx", content)
    if "reason" in answer:
        raise _bad(answer["reason"])
    return Sheet(answer["name"], answer["rows"])


def check_sizes(content: bytes) -> None:
    """Refuses by the zip's directory, before anything is unpacked. Errors: `BadFile`."""
    if len(content) > FILE_LIMIT_BYTES:
        text = gettext_noop("is larger than %(limit)s MB")
        raise BadFile([Finding(FILE, text, {"limit": FILE_LIMIT_BYTES // 1024 // 1024})])
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, RecursionError) as bad:
        raise _bad("unreadable") from bad
    if len(parts) > PARTS_LIMIT or sum(part.file_size for part in parts) > UNPACKED_LIMIT_BYTES:
        raise _bad("memory")


def _bad(reason: str) -> BadFile:
    return BadFile([Finding(FILE, REASONS.get(reason, NOT_XLSX))])
