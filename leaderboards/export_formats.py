"""The formats that rows can be written in. Pure: columns and rows (in blocks) in, pieces of a file out."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from leaderboards.column_kinds import Columns
from leaderboards.export_files import Blocks, csv_of_blocks, json_lines, jsonl_of_blocks
from leaderboards.parquet_files import is_installed as has_parquet
from leaderboards.parquet_files import parquet_pieces
from leaderboards.xlsx_files import xlsx_pieces


@dataclass(frozen=True, slots=True)
class Format:
    title: str
    content_type: str
    pieces: Callable[[Columns, Blocks], Iterator[bytes]]


def _csv(columns: Columns, blocks: Blocks) -> Iterator[bytes]:
    return _encoded(csv_of_blocks(list(columns), blocks))


def _jsonl(columns: Columns, blocks: Blocks) -> Iterator[bytes]:
    return _encoded(jsonl_of_blocks(list(columns), blocks))


def _encoded(pieces: Iterator[str]) -> Iterator[bytes]:
    return (piece.encode() for piece in pieces)


def jsonl_of(objects: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    return _encoded(json_lines(objects))


FORMATS = {
    "csv": Format("CSV", "text/csv; charset=utf-8", _csv),
    "jsonl": Format("JSON Lines", "application/x-ndjson; charset=utf-8", _jsonl),
    "xlsx": Format("XLSX", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", xlsx_pieces),
}
if has_parquet():
    FORMATS["parquet"] = Format("Parquet", "application/vnd.apache.parquet", parquet_pieces)
