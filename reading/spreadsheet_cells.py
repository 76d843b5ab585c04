"""Texts as cells of files that spreadsheets open: none of them becomes a formula. Pure."""

import re
import unicodedata

# Excel and LibreOffice take the full-width signs of a Chinese input method for the plain ones.
FORMULA_SIGNS = frozenset("=+-@＝＋－＠")
# Importers trim these first, or take what follows them for a cell of its own.
CELL_BREAKS = ("\t", "\r", "\n")
# Where the comma is the decimal sign, Excel separates cells by semicolons, whatever the quotes.
CELL_BREAK = re.compile("(\r\n|[\r\n\t;])")


def spreadsheet_safe(text: str) -> str:
    """A text of which a spreadsheet would take a line for a formula gets an apostrophe before that line.

    An importer that knows no quotes takes each line for a row of its own, and what follows a tab or semicolon for a cell.
    """
    if has_cell_breaks(text):
        text = "".join([guard(part) + part for part in CELL_BREAK.split(text)])
    return f"'{text}" if text.startswith(CELL_BREAKS) else guard(text) + text


def has_cell_breaks(text: str) -> bool:
    return "\n" in text or "\r" in text or ";" in text or "\t" in text


def guard(line: str) -> str:
    """What comes before the line: an apostrophe, or nothing."""
    return "'" if line and _first_seen(line) in FORMULA_SIGNS else ""


def _first_seen(text: str) -> str:
    """The first character that is no space and not invisible, since spreadsheets skip those; or an empty text."""
    if text[0].isprintable() and text[0] != " ":
        return text[0]
    return next((one for one in text if not (one.isspace() or unicodedata.category(one) in {"Cc", "Cf"})), "")
