"""Rows as pieces of CSV and JSON Lines."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboards.table_files import FORMATS
from leaderboards.table_files.column_kinds import TEXT, WHOLE
from leaderboards.table_files.text_files import (
    ROWS_PER_PIECE,
    blocks_of,
    csv_of_blocks,
    csv_pieces,
    rows_of,
    spreadsheet_safe,
)


@pytest.mark.parametrize(
    "text",
    [
        "=1+1", "+1", "-1", "@SUM(A1)", "＝1+1", "＋1", "－1", "＠SUM(A1)", " =1+1",
        "\u3000＝1", "\u00a0=1", "\u200b=1", "\ufeff=1", "\x0b=1", "\ttext", "\rtext", "\ntext",
    ],
)  # fmt: skip
def test_a_text_that_could_become_a_formula_gets_an_apostrophe(text):
    assert spreadsheet_safe(text) == "'" + text


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("你好\n=1", "你好\n'=1"), ("你好\r\n＝1", "你好\r\n'＝1"), ("你好\r=1\n\n - 2", "你好\r'=1\n\n' - 2"),
        ("=1\n@2\n三", "'=1\n'@2\n三"), ("\n=1+1", "'\n'=1+1"), ("\r\n=1+1", "'\r\n'=1+1"), ("a\n\u200b=1", "a\n'\u200b=1"),
        ("hi;=1+1;x", "hi;'=1+1;x"), ("hi\t=1", "hi\t'=1"), ("\t=1+1", "'\t'=1+1"),
    ],
)  # fmt: skip
def test_so_does_each_line_that_could_become_one_in_a_row_of_its_own(text, safe):
    assert spreadsheet_safe(text) == safe


@pytest.mark.parametrize("text", ["你好", "a=b", "1-2", "", " ", "'=1", "你好\n'=1", "你好\r\n一\n", "a\tb"])
def test_every_other_text_stays_as_it_is(text):
    assert spreadsheet_safe(text) == text


VALUES = st.one_of(
    st.text(st.sampled_from("a_1你=-＝ \t\r\n;\",'\0"), max_size=4),
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(width=32),
)


@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=5))
def test_the_cells_are_those_of_the_csv_module(rows):
    out = io.StringIO(newline="")
    csv.writer(out).writerows([spreadsheet_safe(v) if isinstance(v, str) else v for v in row] for row in rows)
    assert "".join(list(csv_pieces(["a", "b"], rows))[1:]) == out.getvalue()


def test_the_heads_of_columns_are_safe_too():
    assert next(csv_pieces(["＝1"], [])) == "\ufeff'＝1\r\n"


def test_a_file_comes_in_pieces_whatever_its_length():
    rows = [[n, "好"] for n in range(2 * ROWS_PER_PIECE + 1)]
    pieces = list(csv_pieces(["n", "text"], iter(rows)))
    assert len(pieces) == 1 + 3
    read = csv.reader(io.StringIO("".join(pieces).removeprefix("\ufeff"), newline=""))
    assert list(read) == [["n", "text"], *([str(n), text] for n, text in rows)]


@pytest.mark.parametrize("text", ["=1", " =1", "@SUM(A1)"])
def test_every_text_column_is_guarded_and_numbers_stay_numbers(text):
    _, piece = csv_pieces(["tester", "score"], [[text, -2]])
    assert piece == f"'{text},-2\r\n"


def test_a_column_that_says_the_same_again_and_again_is_guarded_like_any_other():
    rows = [["=1", -1, "a,b"], ["好", 2, "a,b"]] * 10
    _, piece = csv_pieces(["t", "n", "q"], rows)
    assert piece == '\'=1,-1,"a,b"\r\n好,2,"a,b"\r\n' * 10


def test_blocks_are_the_same_rows():
    rows = [(n, f"好{n}") for n in range(2 * ROWS_PER_PIECE + 1)]
    assert list(rows_of(blocks_of(rows))) == rows
    assert "".join(csv_of_blocks(["n", "t"], blocks_of(rows))) == "".join(csv_pieces(["n", "t"], rows))


BEGINS = {
    "csv": "\ufeffa,n\r\n好,1".encode(),
    "jsonl": '{"a": "好"'.encode(),
    "xlsx": b"PK\x03\x04",
    "parquet": b"PAR1",
}


def test_these_are_the_formats():
    assert set(FORMATS) == set(BEGINS)


@pytest.mark.parametrize("key", BEGINS)
def test_rows_become_bytes_of_the_format(key):
    made = b"".join(FORMATS[key].pieces({"a": TEXT, "n": WHOLE}, [[["好"], [1]]]))
    assert made.startswith(BEGINS[key])
