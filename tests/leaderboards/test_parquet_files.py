"""A Parquet file as its reference library reads it: every column in its kind, nested ones nested."""

import io
import re
from datetime import UTC, datetime

import pyarrow
import pyarrow.parquet
import pytest

from leaderboards.table_files.column_kinds import (
    FLAG,
    IRREGULAR,
    NUMBER,
    TEXT,
    TEXTS,
    TIME,
    WHOLE,
    ListOf,
    MapOf,
    Table,
)
from leaderboards.table_files.parquet_files import ROWS_PER_GROUP, parquet_pieces
from leaderboards.table_files.text_files import blocks_of


def table(columns, rows):
    return pyarrow.parquet.read_table(io.BytesIO(b"".join(parquet_pieces(columns, blocks_of(rows)))))


SUBTASK = Table({"kind": TEXT, "turns": WHOLE})


@pytest.mark.parametrize(
    ("kind", "value", "read", "type"),
    [
        (TEXT, "=1+1", "=1+1", "string"),
        (WHOLE, -2, -2, "int64"),
        (NUMBER, 0.1, 0.1, "double"),
        (NUMBER, 1, 1.0, "double"),
        (FLAG, True, True, "bool"),
        (TIME, "2026-03-01T12:00:00.000250+00:00", datetime(2026, 3, 1, 12, 0, 0, 250, UTC), "timestamp[us, tz=UTC]"),
        (TIME, "2026-03-01T12:00:00+00:00", datetime(2026, 3, 1, 12, tzinfo=UTC), "timestamp[us, tz=UTC]"),
        (TEXTS, ["好", "=2"], ["好", "=2"], "list<element: string>"),
        (TEXTS, [], [], "list<element: string>"),
        (SUBTASK, {"turns": 3}, {"kind": None, "turns": 3}, "struct<kind: string, turns: int64>"),
        (ListOf(SUBTASK), [{"kind": "hotel", "turns": 3, "more": 1}], [{"kind": "hotel", "turns": 3}],
         "list<element: struct<kind: string, turns: int64>>"),
        (MapOf(FLAG), {"1": True, "2": False}, [("1", True), ("2", False)], "map<string, bool>"),
        (MapOf(IRREGULAR), {"a": 1, "b": "ASK"}, [("a", "1"), ("b", '"ASK"')], "map<string, string>"),
        (IRREGULAR, {"a": {"@1.bot": 0}}, '{"a": {"@1.bot": 0}}', "string"),
    ],
)  # fmt: skip
def test_a_value_is_read_back_in_the_kind_of_its_column(kind, value, read, type):
    made = table({"a": kind}, [[value], [None]])
    assert made.column("a").to_pylist() == [read, None]
    # Arrow names the columns of a map in its text.
    assert re.sub(r" \('\w+'\)", "", str(made.schema.field("a").type)) == type


def test_a_file_without_rows_has_its_columns():
    made = table({"a": TEXT, "n": WHOLE}, [])
    assert (made.num_rows, made.column_names) == (0, ["a", "n"])


def test_a_value_of_another_kind_is_an_error_and_no_guess():
    with pytest.raises(pyarrow.ArrowInvalid):
        table({"n": WHOLE}, [["x"]])


def test_pieces_come_while_the_rows_are_read():
    read = []

    def rows():
        for n in range(3 * ROWS_PER_GROUP):
            read.append(n)
            yield [n]

    pieces = parquet_pieces({"n": WHOLE}, blocks_of(rows()))
    assert (next(pieces), read) == (b"PAR1", [])
    assert next(pieces)
    assert len(read) < 2 * ROWS_PER_GROUP
    assert len(list(pieces)) == 3
