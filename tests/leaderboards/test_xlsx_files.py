"""An Excel file as another library reads it: texts are texts whatever they begin with, numbers are numbers."""

import io
import random
import zipfile
from xml.etree import ElementTree

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboards.table_files import xlsx_files
from leaderboards.table_files.text_files import blocks_of
from leaderboards.table_files.xlsx_files import CHARACTERS_PER_CELL, CUT, LARGEST_WHOLE, xlsx_pieces

FORMULAS = [
    "=1+1", "+1", "-1", "@SUM(A1)", "＝1+1", "＋1", "－1", "＠SUM(A1)", " =1+1", "\n=1+1", "你好\n=HYPERLINK(\"http://x\")",
    "\t=1", "\u3000＝1", "\u200b=1", "'=1", "=cmd|' /C calc'!A0", "{=1+1}", "#REF!", "http://x.y", "1", "007", "1e5",
    "TRUE",
]  # fmt: skip


def whole(names, rows):
    return b"".join(xlsx_pieces(names, blocks_of(rows)))


def cells(names, rows, sheet=0):
    book = openpyxl.load_workbook(io.BytesIO(whole(names, rows)))
    return [list(row) for row in book.worksheets[sheet].iter_rows()]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_text_is_a_text_and_stays_as_it_is(text):
    ((head,), (cell,)) = cells(["text"], [[text]])
    assert (head.value, cell.value, cell.data_type) == ("text", text, "s")


@pytest.mark.parametrize("text", [*FORMULAS[:12], "=1"])
def test_what_looks_like_a_formula_stays_a_text_when_its_cell_is_edited(text):
    _, (cell,) = cells(["text"], [[text]])
    assert (cell.quotePrefix, cell.number_format) == (True, "@")


@pytest.mark.parametrize("text", ["你好", "a=b", "1"])
def test_plain_texts_have_no_style(text):
    _, (cell,) = cells(["text"], [[text]])
    assert not cell.quotePrefix


def test_heads_of_columns_are_texts_too():
    ((head,),) = cells(["=1+1"], [])
    assert (head.value, head.data_type) == ("=1+1", "s")


def test_numbers_stay_numbers_and_truth_stays_truth():
    _, row = cells("abcdefg", [[-2, 0.5, True, None, "", 10**20, float("nan")]])
    assert [cell.value for cell in row] == [-2, 0.5, True, None, None, "1" + "0" * 20, "nan"]
    assert [cell.data_type for cell in row] == ["n", "n", "b", "n", "n", "s", "s"]


def test_the_largest_whole_number_of_excel_is_exact():
    _, (fits, does_not) = cells("ab", [[LARGEST_WHOLE, LARGEST_WHOLE + 1]])
    assert (fits.value, fits.data_type) == (9007199254740992, "n")
    assert (does_not.value, does_not.data_type) == ("9007199254740993", "s")


def test_lists_and_tables_are_the_texts_that_csv_has():
    _, row = cells(["reply", "flags", "subtasks"], [[["好", "=2"], ["slow", "masked"], [{"kind": "flight"}]]])
    assert [cell.value for cell in row] == ["好\n=2", "slow masked", '[{"kind": "flight"}]']


def test_control_characters_and_what_looks_like_their_escapes_are_escaped_as_excel_does():
    xml = zipfile.ZipFile(io.BytesIO(whole(["t"], [["a\x00\x1b_x0041_\r\ud800<&>"]]))).read("xl/worksheets/sheet1.xml")
    (_, text) = ElementTree.fromstring(xml).iter(f"{{{xlsx_files.SPREADSHEET}}}t")
    assert text.text == "a_x0000__x001B__x005F_x0041__x000D__xD800_<&>"


def test_a_text_that_is_too_long_for_a_cell_says_so():
    _, (cell,) = cells(["text"], [["好" * (CHARACTERS_PER_CELL + 1)]])
    assert len(cell.value) == CHARACTERS_PER_CELL
    assert cell.value.endswith(CUT)
    _, (cell,) = cells(["text"], [["好" * CHARACTERS_PER_CELL]])
    assert cell.value == "好" * CHARACTERS_PER_CELL


def test_an_emoji_is_two_of_the_characters_that_a_cell_holds():
    _, (cell,) = cells(["text"], [["😀" * 20_000]])
    assert len(cell.value.encode("utf-16-le")) // 2 in {CHARACTERS_PER_CELL, CHARACTERS_PER_CELL - 1}
    assert cell.value.startswith("😀😀")
    assert cell.value.endswith(CUT)


def test_a_full_sheet_is_followed_by_another_with_the_same_heads(monkeypatch):
    monkeypatch.setattr(xlsx_files, "ROWS_PER_SHEET", 3)
    rows = [[n] for n in range(5)]
    read = [[[cell.value for cell in row] for row in cells(["n"], rows, sheet)] for sheet in range(3)]
    assert read == [[["n"], [0], [1]], [["n"], [2], [3]], [["n"], [4]]]


def test_a_sheet_of_long_texts_ends_before_it_is_too_large(monkeypatch):
    monkeypatch.setattr(xlsx_files, "BYTES_PER_SHEET", 100)
    monkeypatch.setattr(xlsx_files, "ROWS_PER_PIECE", 1)
    assert [cell.value for _, (cell,) in [cells(["t"], [["x" * 100], ["y"]], sheet) for sheet in (0, 1)]] == [
        "x" * 100, "y",
    ]  # fmt: skip


def test_pieces_come_while_the_rows_are_read():
    read = []

    def rows():
        for n in range(5_000):
            read.append(n)
            yield [n, random.randbytes(200).hex()]

    pieces = xlsx_pieces(["n", "t"], blocks_of(rows()))
    first = next(pieces)
    assert (first[:2], read) == (b"PK", [])
    assert len(next(pieces)) > 0
    assert len(read) < 5_000


@settings(max_examples=30)
@given(st.lists(st.tuples(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=6), st.integers(-9, 9))))
def test_every_text_and_number_is_read_back(rows):
    read = [[cell.value for cell in row] for row in cells(["t", "n"], rows)][1:]
    safe = [(text.replace("_x", "_x"), number) for text, number in rows]
    assert [(text or "", number) for text, number in read] == safe
