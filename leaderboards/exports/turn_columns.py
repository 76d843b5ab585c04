"""The turns of some dialogues as columns that the database writes, each as one JSON array.

A row at a time, a million turns are twelve million Python objects, and a million times SQLite's driver gives the interpreter
away and waits to get it back from the server's loop. An array is written without the interpreter and read in one call.
"""

import json
from collections.abc import Iterable, Sequence
from itertools import chain, groupby
from typing import Any
from uuid import UUID

from django.db import connection

from testing_console.models import Turn

Column = Sequence[Any]

# SQLite keeps times as text in UTC without the zone. PostgreSQL writes them so, with microseconds where there are any.
SQLITE_TIME = "replace({0}, ' ', 'T') || '+00:00'"
POSTGRESQL_TIME = (
    "to_char({0} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS') || CASE WHEN date_trunc('second', {0}) = {0} THEN '' "
    "ELSE to_char({0} AT TIME ZONE 'UTC', '.US') END || '+00:00'"
)
ARRAYS = {
    "sqlite": {"plain": "json_group_array({0})", "json": "'[' || group_concat({0}) || ']'", "time": SQLITE_TIME},
    "postgresql": {"plain": "json_agg({0})::text", "json": "json_agg({0})::text", "time": POSTGRESQL_TIME},
}
STORED = {
    "dialogue_id": "plain", "number": "plain", "subtask": "plain", "key": "plain", "status": "plain", "text": "plain",
    "texts": "json", "flags": "json", "attempt_number": "plain", "latency_ms": "plain", "asked_at": "time",
    "settled_at": "time",
}  # fmt: skip
# Both databases feed an aggregate of an ordered subquery in its order.
TURNS = """
SELECT {columns}
FROM (SELECT * FROM testing_console_turn WHERE dialogue_id IN ({places}) ORDER BY dialogue_id, number) AS turn
"""


def turn_columns(dialogues: Sequence[UUID]) -> tuple[list[int], list[Column]]:
    """How many turns each of the dialogues has, and the columns of all of them, in the order of the dialogues."""
    if not dialogues:
        return [], []
    pk = Turn._meta.get_field("dialogue").target_field
    with connection.cursor() as cursor:
        cursor.execute(_statement(len(dialogues)), [pk.get_db_prep_value(one, connection) for one in dialogues])
        (arrays,) = cursor.fetchall()
    # What is added up of no rows.
    if None in arrays:
        return [], []
    of_turns, *columns = map(json.loads, arrays)
    spans = _spans(of_turns)
    order = [spans.get(one, slice(0, 0)) for one in dialogues]
    counts = [span.stop - span.start for span in order]
    return counts, [list(chain.from_iterable(column[span] for span in order)) for column in columns]


def _statement(n_dialogues: int) -> str:
    arrays = ARRAYS[connection.vendor]
    quoted = {name: f"turn.{connection.ops.quote_name(name)}" for name in STORED}
    columns = [
        arrays["plain"].format(arrays["time"].format(quoted[name]))
        if kind == "time"
        else arrays[kind].format(quoted[name])
        for name, kind in STORED.items()
    ]
    return TURNS.format(columns=", ".join(columns), places=", ".join(["%s"] * n_dialogues))


def _spans(of_turns: Iterable[str]) -> dict[UUID, slice]:
    """Where the turns of each dialogue stand in the columns."""
    spans, start = {}, 0
    for dialogue, same in groupby(of_turns):
        end = start + sum(1 for _ in same)
        spans[UUID(dialogue)] = slice(start, end)
        start = end
    return spans
