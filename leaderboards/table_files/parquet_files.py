"""Rows as Parquet, a few thousand at a time. Pure; pyarrow is loaded on the first such file.

Lists, tables and maps are nested columns; times are timestamps in UTC; what is irregular is JSON as one text.
"""

import json
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from typing import Any

from leaderboards.table_files.column_kinds import (
    ColumnKind,
    Columns,
    Flag,
    Irregular,
    ListOf,
    MapOf,
    Number,
    Table,
    Time,
    Whole,
)
from leaderboards.table_files.text_files import Blocks, Sink, rows_of

ROWS_PER_GROUP = 10_000


def is_installed() -> bool:
    return find_spec("pyarrow") is not None


def parquet_pieces(columns: Columns, blocks: Blocks) -> Iterator[bytes]:
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    sink, remaining = Sink(), rows_of(blocks)
    # Not Arrow's own pool: that keeps what a file took for the next one.
    pool = pyarrow.system_memory_pool()
    writer = ParquetWriter(
        sink, pyarrow.schema([(name, _type(kind)) for name, kind in columns.items()]), memory_pool=pool
    )
    yield sink.taken()
    while some := list(islice(remaining, ROWS_PER_GROUP)):
        by_column = zip(columns.values(), zip(*some, strict=True), strict=True)
        arrays = [_array(kind, values, pool) for kind, values in by_column]
        writer.write_batch(pyarrow.record_batch(arrays, schema=writer.schema))
        yield sink.taken()
    writer.close()
    yield sink.taken()


def _type(kind: ColumnKind) -> Any:
    import pyarrow

    if isinstance(kind, ListOf):
        return pyarrow.list_(_type(kind.item))
    if isinstance(kind, MapOf):
        return pyarrow.map_(pyarrow.string(), _type(kind.item))
    if isinstance(kind, Table):
        return pyarrow.struct([(name, _type(one)) for name, one in kind.fields.items()])
    plain = {
        Whole: pyarrow.int64(), Number: pyarrow.float64(), Flag: pyarrow.bool_(), Time: pyarrow.timestamp("us", tz="UTC")
    }  # fmt: skip
    return plain.get(type(kind), pyarrow.string())


def _array(kind: ColumnKind, values: Sequence[Any], pool: Any) -> Any:
    import pyarrow

    if isinstance(kind, Time):
        return pyarrow.array(values, pyarrow.string(), memory_pool=pool).cast(_type(kind))
    return pyarrow.array([_plain(kind, value) for value in values], _type(kind), memory_pool=pool)


def _plain(kind: ColumnKind, value: Any) -> Any:
    """The value as Arrow takes it: what is irregular as JSON, also deep inside."""
    if value is None:
        return None
    if isinstance(kind, Irregular):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(kind, MapOf):
        return [(key, _plain(kind.item, one)) for key, one in value.items()]
    if isinstance(kind, ListOf):
        return [_plain(kind.item, one) for one in value]
    if isinstance(kind, Table):
        return {name: _plain(one, value.get(name)) for name, one in kind.fields.items()}
    return value
