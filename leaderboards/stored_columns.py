"""Rows of some dialogues as columns that the database writes, each as one JSON array.

A row at a time, a million turns are twelve million Python objects, and a million times SQLite's driver gives the interpreter
away and waits to get it back from the server's loop. An array is written without the interpreter and read in one call.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, islice
from typing import Any
from uuid import UUID

from django.db import connection

from dialogues.models import Dialogue

Column = Sequence[Any]
Row = tuple[Any, ...]

# SQLite keeps times as text in UTC without the zone. PostgreSQL writes them so, with microseconds where there are any.
SQLITE_TIME = "replace({0}, ' ', 'T') || '+00:00'"
POSTGRESQL_TIME = (
    "to_char({0} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS') || CASE WHEN date_trunc('second', {0}) = {0} THEN '' "
    "ELSE to_char({0} AT TIME ZONE 'UTC', '.US') END || '+00:00'"
)
# How a column becomes an array, by what it holds. Adding up texts leaves NULL out, which must not shorten the column.
ARRAYS = {
    "sqlite": {
        "plain": "json_group_array({0})",
        "json": "'[' || group_concat(COALESCE({0}, 'null')) || ']'",
        "json text": "'[' || group_concat({0}) || ']'",
        "flag": "'[' || group_concat(CASE WHEN {0} THEN 'true' ELSE 'false' END) || ']'",
        "time": f"json_group_array({SQLITE_TIME})",
    },
    "postgresql": {
        "plain": "json_agg({0})::text",
        "json": "json_agg({0})::text",
        "json text": "json_agg({0}::json)::text",
        "flag": "json_agg({0})::text",
        "time": f"json_agg({POSTGRESQL_TIME})::text",
    },
}


@dataclass(frozen=True, slots=True)
class Stored:
    """What is read of some dialogues: these columns, each with what it holds, of the rows of `source` in that order.

    `dialogue` is the column that says which dialogue a row is of. Names are told with their tables: SQLite takes a quoted
    name that it does not know for a text.
    """

    source: str
    dialogue: str
    in_order_of: str
    columns: Mapping[str, str]
    only: str = ""


def columns_of(stored: Stored, dialogues: Sequence[UUID]) -> tuple[list[int], list[Column]]:
    """How many rows each of the dialogues has, and the columns of all of them, in the order of the dialogues."""
    arrays = _arrays(stored, dialogues) if dialogues else (None,)
    # What is added up of no rows.
    if None in arrays:
        return [0] * len(dialogues), [[] for _ in stored.columns]
    of_dialogues, *columns = map(json.loads, arrays)
    spans = _spans(of_dialogues)
    order = [spans.get(one.hex, slice(0, 0)) for one in dialogues]
    counts = [span.stop - span.start for span in order]
    return counts, [list(chain.from_iterable(column[span] for span in order)) for column in columns]


def rows_of(stored: Stored, dialogues: Sequence[UUID]) -> list[list[Row]]:
    """The rows of each of the dialogues, all read at once."""
    counts, columns = columns_of(stored, dialogues)
    rows = zip(*columns, strict=True)
    return [list(islice(rows, n)) for n in counts]


def _arrays(stored: Stored, dialogues: Sequence[UUID]) -> Row:
    pk = Dialogue._meta.pk
    with connection.cursor() as cursor:
        cursor.execute(_statement(stored, len(dialogues)), [pk.get_db_prep_value(one, connection) for one in dialogues])
        (arrays,) = cursor.fetchall()
    return tuple(arrays)


def _statement(stored: Stored, n_dialogues: int) -> str:
    """Both databases feed an aggregate of an ordered subquery in its order. No global sort: rows are found by their dialogues."""
    arrays = ARRAYS[connection.vendor]
    kinds = {stored.dialogue: "plain"} | dict(stored.columns)
    read = ", ".join(arrays[kind].format(f"stored.c{place}") for place, kind in enumerate(kinds.values()))
    columns = ", ".join(f"{column} AS c{place}" for place, column in enumerate(kinds))
    dialogues = ", ".join(["%s"] * n_dialogues)
    only = f" AND {stored.only}" if stored.only else ""
    return (
        f"SELECT {read} FROM (SELECT {columns} FROM {stored.source} WHERE {stored.dialogue} IN ({dialogues}){only} "
        f"ORDER BY {stored.dialogue}, {stored.in_order_of}) AS stored"
    )


def _spans(of_dialogues: Iterable[str]) -> dict[str, slice]:
    """Where the rows of each dialogue stand in the columns, by its id in the digits that both databases write."""
    spans, start = {}, 0
    for dialogue, same in groupby(of_dialogues):
        end = start + sum(1 for _ in same)
        spans[dialogue.replace("-", "")] = slice(start, end)
        start = end
    return spans
