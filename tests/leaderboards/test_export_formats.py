"""Each format makes a whole file of the same rows."""

import pytest

from leaderboards.table_files import FORMATS
from leaderboards.table_files.column_kinds import TEXT, WHOLE

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
