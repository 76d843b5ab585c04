"""The files of a snapshot beside its bundle: its document as it is, and its table as CSV. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from leaderboards.board import Board, with_english_names
from leaderboards.explanations import with_statistics
from leaderboards.table_files.text_files import csv_pieces
from publication.documents import Document, board_in, counts_turns, is_of_runs


def file_name(document: Document, what: str) -> str:
    """Named by campaign and number alone."""
    return f"{document['campaign']}-{document['number']}-{what}"


def csv_of(document: Document, english: Mapping[str, str]) -> Iterator[str]:
    """The table with unrounded figures, and the ends of their intervals where there are any; `english` names teams by their names."""
    board = with_english_names(with_statistics(board_in(document), document["statistics"]), english)
    columns = _columns(document, board)
    return csv_pieces(columns, [_row(columns, row, document) for row in (*board.rows, *board.unranked)])


def _columns(document: Document, board: Board) -> list[str]:
    # Rows of a combined board are teams.
    bots = ["run"] if is_of_runs(document) else [] if "combined" in document else ["bot"]
    teams = ["team"] if document["names"] == "teams" else []
    figures = [key.name for key in board.keys]
    intervals = [f"{name}_{end}" for name in figures for end in ("low", "high")] if document["statistics"] else []
    ranks = ["rank_low", "rank_high"] if document["statistics"] else []
    unit = ["turns_are"] if counts_turns(document) else []
    in_english = ["team_en"] if teams else []
    counts = ["n_failed", "n_turns", "reason"]
    return ["rank", *teams, *bots, "n_records", *figures, *intervals, *ranks, *counts, *unit, *in_english]


def _row(columns: Sequence[str], row: Any, document: Document) -> list[Any]:
    values = {"rank": row.rank, "team": row.team, "bot": row.name, "run": row.name, "n_records": row.n, **row.figures}
    values["team_en"] = row.team_en
    for name, (low, high) in row.intervals.items():
        values |= {f"{name}_low": low, f"{name}_high": high}
    values["rank_low"], values["rank_high"] = row.rank_interval or (None, None)
    values |= {"n_failed": row.n_failed, "n_turns": None if row.n_failed is None else row.n_turns}
    values["reason"] = row.reason.value if row.reason else ""
    values["turns_are"] = document.get("turns_are")
    return [values.get(column) for column in columns]
