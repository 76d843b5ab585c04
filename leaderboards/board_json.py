"""A board as programs get it: unrounded figures, how sure they are, and why each row is ahead of the next. Pure."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from leaderboards.board import Board, BoardSource, Row, Statistics
from leaderboards.explanations import Explanation, explanation, with_statistics
from scoring.printed_figures import fixed, text_table


def to_json(slug: str, source: BoardSource, *, turns_are: str | None) -> dict[str, Any]:
    """The board with everything that its page says. `turns_are` is the unit of T."""
    sure, statistics = with_statistics(source.board, source.statistics), source.statistics
    return {
        "campaign": slug,
        **({"turns_are": turns_are} if sure.counts_turns else {}),
        "rule": [{"key": key.name, "better": key.better} for key in sure.rule],
        "columns": [
            {"key": key.name, "head": key.head, "better": key.better, "decimals": key.decimals}
            | {"agreement": source.agreement.get(key.name)}
            for key in sure.keys
        ],
        "rows": [_told(sure, row) | how_sure(row, statistics) for row in sure.rows],
        "unranked": [_unranked(sure, row) for row in sure.unranked],
        "why": whys(sure, statistics),
    }


def whys(board: Board, statistics: Statistics | None) -> list[dict[str, Any]]:
    """Why each row is ahead of the one below it."""
    return [_why(why) for why in _neighbours(board, statistics)]


def how_sure(row: Row, statistics: Statistics | None) -> dict[str, Any]:
    """`rank_probabilities` are P(rank = 1), P(rank = 2) …; they are told where the ranks of all rows were drawn together."""
    stored = (statistics or {}).get("rows", {}).get(row.key, {}) if row.rank_interval else {}
    return {
        "intervals": {name: list(ends) for name, ends in row.intervals.items()},
        "rank_interval": list(row.rank_interval) if row.rank_interval else None,
        "rank_probabilities": stored.get("rank_probabilities"),
    }


def _unranked(board: Board, row: Row) -> dict[str, Any]:
    reason = {"reason": row.reason.value, "reason_text": str(row.reason.label)} if row.reason else {"reason": None}
    return _told(board, row) | reason


def _told(board: Board, row: Row) -> dict[str, Any]:
    head = {"rank": row.rank, "key": row.key, "team": row.team, "bot": row.name, "team_en": row.team_en}
    changed = {"changed": [moment.isoformat() for moment in row.changed]} if row.changed else {}
    return head | changed | counts(row) | {key.name: row.figures.get(key.name) for key in board.keys}


def counts(row: Row) -> dict[str, int | None]:
    """How many records it has, and how many of its turns failed; null where nobody counted."""
    return {"n_records": row.n, "n_failed": row.n_failed, "n_turns": None if row.n_failed is None else row.n_turns}


def _neighbours(board: Board, statistics: Statistics | None) -> Iterator[Explanation]:
    # By pair, so that no neighbour is looked for among all pairs of the board.
    stored = {frozenset((pair["one"], pair["other"])): pair for pair in (statistics or {}).get("pairs", ())}
    for one, other in pairwise(board.rows):
        pair = stored.get(frozenset((one.key, other.key)))
        why = explanation(board, {**(statistics or {}), "pairs": [pair] if pair else []}, one.key, other.key)
        if why is not None:
            yield why


def _why(why: Explanation) -> dict[str, Any]:
    return {
        "ahead": why.one.key,
        "of": why.other.key,
        "is_tied": why.is_tied,
        "steps": [
            {
                "key": step.key.name,
                "ahead": step.one,
                "of": step.other,
                "verdict": step.verdict.value,
                "sentence": step.sentence,
            }
            for step in why.steps
        ],
        "how_sure": list(why.how_sure),
    }


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
