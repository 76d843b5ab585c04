"""Rows as an Excel file, written while they are read. Pure: rows in, pieces of the file out.

The libraries for XLSX send nothing before the last row is read; the few parts of the format that a table needs can be written
in order. Texts are inline strings, which are never formulas; numbers are numbers. What could become a formula when somebody
edits its cell is marked as a text as well (Excel's leading apostrophe, which is no part of the value).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import isfinite
from typing import Any
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

from leaderboards.table_files.text_files import Blocks, Sink, as_text, rows_of, spreadsheet_safe

ROWS_PER_PIECE = 1_000
# What a sheet and a cell hold in Excel. A sheet over 4 GiB would need a form of zip that Excel does not read.
ROWS_PER_SHEET = 1_048_576
CHARACTERS_PER_CELL = 32_767
BYTES_PER_SHEET = 1 << 30
CUT = "…〔cut here: a cell holds no more; the other formats have all of it〕"
# Excel's numbers are doubles: longer ones would lose their last digits.
LARGEST_WHOLE = 2**53
COMPRESSION = 3

SPREADSHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

# Style 1: a text that looks like a formula. Style 2: the heads of columns.
STYLES = f"""{XML}<styleSheet xmlns="{SPREADSHEET}"><fonts count="2"><font/><font><b/></font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/>\
<xf numFmtId="49" applyNumberFormat="1" quotePrefix="1"/><xf fontId="1" applyFont="1"/></cellXfs>\
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>"""
SHEET = f"""{XML}<worksheet xmlns="{SPREADSHEET}"><sheetViews><sheetView workbookViewId="0">\
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>"""
SHEET_END = "</sheetData></worksheet>"

# What XML 1.0 cannot hold, and what Excel reads as an escape of such a character.
NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]|\r|_(?=x[0-9A-Fa-f]{4}_)")


def xlsx_pieces(columns: Iterable[str], blocks: Blocks) -> Iterator[bytes]:
    names, sink, remaining = list(columns), Sink(), rows_of(blocks)
    n_sheets, is_over = 0, False
    with ZipFile(sink, "w", ZIP_DEFLATED, compresslevel=COMPRESSION) as archive:
        while not is_over:
            n_sheets += 1
            with archive.open(f"xl/worksheets/sheet{n_sheets}.xml", "w") as sheet:
                sheet.write((SHEET + _heads(names)).encode())
                yield sink.taken()
                n_rows, n_bytes = 1, 0
                while n_rows < ROWS_PER_SHEET and n_bytes < BYTES_PER_SHEET:
                    some = list(islice(remaining, min(ROWS_PER_PIECE, ROWS_PER_SHEET - n_rows)))
                    if is_over := not some:
                        break
                    n_rows += len(some)
                    n_bytes += sheet.write(_lines(names, some).encode())
                    if piece := sink.taken():
                        yield piece
                sheet.write(SHEET_END.encode())
        for name, text in _around(n_sheets).items():
            archive.writestr(name, text)
    yield sink.taken()


def _heads(names: Sequence[str]) -> str:
    return "<row>" + "".join(_text_cell(name, ' s="2"') for name in names) + "</row>"


def _lines(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    by_column = zip(names, zip(*rows, strict=True), strict=True)
    lines = zip(*([_cell(name, value) for value in values] for name, values in by_column), strict=True)
    return "".join([f"<row>{''.join(line)}</row>" for line in lines])


def _cell(name: str, value: Any) -> str:
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float) and abs(value) <= LARGEST_WHOLE and isfinite(value):
        return f"<c><v>{value!r}</v></c>"
    text = as_text(name, value)
    return _text_cell(text, "" if spreadsheet_safe(text) == text else ' s="1"')


def _text_cell(text: str, style: str = "") -> str:
    held = text if _fits(text) else _cut(text) + CUT
    return f'<c t="inlineStr"{style}><is><t xml:space="preserve">{_xml(held)}</t></is></c>'


def _fits(text: str) -> bool:
    """Excel counts the units of UTF-16: an emoji is two."""
    return len(text) <= CHARACTERS_PER_CELL // 2 or len(text.encode("utf-16-le")) // 2 <= CHARACTERS_PER_CELL


def _cut(text: str) -> str:
    units = text.encode("utf-16-le")[: 2 * (CHARACTERS_PER_CELL - len(CUT))]
    # The half of a pair at the end goes.
    return units.decode("utf-16-le", "ignore")


def _xml(text: str) -> str:
    return escape(NOT_IN_XML.sub(lambda found: f"_x{ord(found[0]):04X}_", text))


def _around(n_sheets: int) -> dict[str, str]:
    """The parts that say what the sheets are."""
    numbers = range(1, n_sheets + 1)
    parts = "".join(
        f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{TYPE}.worksheet+xml"/>' for n in numbers
    )
    sheets = "".join(f'<sheet name="{n}" sheetId="{n}" r:id="rId{n}"/>' for n in numbers)
    relations = "".join(_relation(n, "worksheet", f"worksheets/sheet{n}.xml") for n in numbers)
    return {
        "xl/workbook.xml": f'{XML}<workbook xmlns="{SPREADSHEET}" xmlns:r="{DOCUMENT}"><sheets>{sheets}</sheets></workbook>',
        "xl/styles.xml": STYLES,
        "xl/_rels/workbook.xml.rels": _relations(relations + _relation(n_sheets + 1, "styles", "styles.xml")),
        "_rels/.rels": _relations(_relation(1, "officeDocument", "xl/workbook.xml")),
        "[Content_Types].xml": f'{XML}<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{TYPE}.styles+xml"/>{parts}</Types>',
    }


def _relations(relations: str) -> str:
    return f'{XML}<Relationships xmlns="{PACKAGE}/relationships">{relations}</Relationships>'


def _relation(number: int, kind: str, target: str) -> str:
    return f'<Relationship Id="rId{number}" Type="{DOCUMENT}/{kind}" Target="{target}"/>'
