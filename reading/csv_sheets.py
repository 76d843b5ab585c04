"""Reads a CSV file that comes from outside: UTF-8, strict, with the delimiter that its first line has most of. Pure."""

import csv
import io

from django.utils.translation import gettext_noop

from reading.checking import BadFile
from reading.findings import Finding
from reading.xlsx_sheets import Sheet

DELIMITERS = ",;\t"


def read_csv(content: bytes) -> Sheet:
    """Errors: `BadFile`."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as bad:
        text_of_problem = gettext_noop("is not UTF-8; save it as “CSV UTF-8”")
        raise BadFile([Finding(f"byte {bad.start}", text_of_problem)]) from bad
    head = text.partition("\n")[0]
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=max(DELIMITERS, key=head.count), strict=True)
    try:
        return Sheet("", [[*row] for row in rows])
    except csv.Error as bad:
        raise BadFile(
            [Finding(f"line {rows.line_num}", gettext_noop("is not CSV: %(reason)s"), {"reason": str(bad)})]
        ) from bad
