"""Excel files from outside: what is read of them, and that a small one cannot cost gigabytes."""

import io
import zipfile

import pytest
from openpyxl import Workbook

from reading import limited_reading, xlsx_sheets
from reading.checking import BadFile
from reading.xlsx_sheets import read_sheet

REST = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}
HEAD = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'


def made_by_hand(sheet, **more):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, text in {**REST, "xl/worksheets/sheet1.xml": sheet, **more}.items():
            archive.writestr(name, text)
    return file.getvalue()


def strings_fit(content):
    try:
        return bool(read_sheet(content).name)
    except BadFile:
        return False


def refused(content):
    with pytest.raises(BadFile) as bad:
        read_sheet(content)
    (problem,) = bad.value.problems
    return problem.message


def test_the_first_sheet_is_read_as_it_is():
    book = Workbook()
    book.active.title = "用例"
    for row in (["键", "n", None], [True, 1.5, "=1+1"], [], [None, 2]):
        book.active.append(row)
    book.create_sheet("other").append(["x"])
    file = io.BytesIO()
    book.save(file)
    sheet = read_sheet(file.getvalue())
    # A formula that no spreadsheet has computed has no value.
    assert (sheet.name, sheet.rows) == ("用例", [["键", "n"], [True, 1.5], [], [None, 2]])


def test_what_a_sheet_says_of_its_dimensions_is_not_believed():
    sheet = f'{HEAD}<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>'
    assert read_sheet(made_by_hand(sheet)).rows == [[1]]


def test_a_cell_far_away_is_refused_for_its_place_and_not_for_its_time():
    far = f'{HEAD}<sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>'
    assert refused(made_by_hand(far)) == "has too many rows or columns"


def test_a_small_file_that_unpacks_to_gigabytes_is_refused_by_its_directory(monkeypatch):
    monkeypatch.setattr(limited_reading.subprocess, "run", lambda *args, **named: pytest.fail("it is unpacked"))
    content = made_by_hand(f"{HEAD}</worksheet>", **{"xl/sharedStrings.xml": " " * (60 * 1024 * 1024)})
    assert len(content) < 100_000
    assert refused(content) == "unpacks to more than may be read"


def test_strings_of_strings_end_in_the_childs_limits_and_not_in_ours():
    strings = (
        '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        + "<si><t>x</t></si>" * 2_500_000
        + "</sst>"
    )
    types = REST["[Content_Types].xml"].replace(
        "</Types>",
        '<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>',
    )
    content = made_by_hand(
        f"{HEAD}<sheetData/></worksheet>", **{"xl/sharedStrings.xml": strings, "[Content_Types].xml": types}
    )
    # How much memory the strings take is the reader's matter; either way it is the child's.
    outcome = read_sheet(content).rows if strings_fit(content) else refused(content)
    assert outcome in ([], "unpacks to more than may be read")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"<html>", b"\xd0\xcf\x11\xe0" * 200])
def test_what_is_no_excel_file_is_said(content):
    assert refused(content) == "is not an Excel file (.xlsx) that can be read"


def test_a_large_file_is_refused_before_it_is_looked_at():
    assert refused(b"x" * (xlsx_sheets.FILE_LIMIT_BYTES + 1)) == "is larger than 5 MB"
