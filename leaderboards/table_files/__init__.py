"""Rows as files: the formats that they can be written in. Pure: columns and rows (in blocks) in, pieces of a file out."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from leaderboards.table_files.column_kinds import Columns
from leaderboards.table_files.parquet_files import is_installed as has_parquet
from leaderboards.table_files.parquet_files import parquet_pieces
from leaderboards.table_files.text_files import Blocks, csv_of_blocks, json_lines
from leaderboards.table_files.xlsx_files import xlsx_pieces
from reading.json_texts import json_rows


@dataclass(frozen=True, slots=True)
class Format:
    title: str
    content_type: str
    pieces: Callable[[Columns, Blocks], Iterator[bytes]]


def _csv(columns: Columns, blocks: Blocks) -> Iterator[bytes]:
    return (piece.encode() for piece in csv_of_blocks(list(columns), blocks))


def _jsonl(columns: Columns, blocks: Blocks) -> Iterator[bytes]:
    return (json_rows(list(columns), block).encode() for block in blocks)


def jsonl_of(objects: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    return (piece.encode() for piece in json_lines(objects))


FORMATS = {
    "csv": Format("CSV", "text/csv; charset=utf-8", _csv),
    "jsonl": Format("JSON Lines", "application/x-ndjson; charset=utf-8", _jsonl),
    "xlsx": Format("XLSX", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", xlsx_pieces),
}
if has_parquet():
    FORMATS["parquet"] = Format("Parquet", "application/vnd.apache.parquet", parquet_pieces)
