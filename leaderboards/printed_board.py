"""A board as a table for a terminal, from what the API and `leaderboard --format json` give. Pure."""

from collections.abc import Mapping
from typing import Any

from scoring.printed_figures import fixed
from scoring.terminal_tables import text_table


def board_as_text(board: Mapping[str, Any]) -> str:
    heads = ["#", "team", "bot", "n", *[column["head"] for column in board["columns"]]]
    lines = [
        [
            str(row["rank"] or "–"),
            row["team"],
            row["bot"],
            str(row["n_records"]),
            *[rounded(row[column["key"]], column["decimals"]) for column in board["columns"]],
        ]
        for row in (*board["rows"], *board["unranked"])
    ]
    return text_table(heads, lines, right_from=3)


def rounded(value: float | None, decimals: int) -> str:
    """A dash where there is nothing: missing is not zero; a true minus, and none before what rounds to zero."""
    return "–" if value is None else fixed(value, decimals)
