"""The board of one task's runs, ranked again from the figures of runs that a bundle holds. Pure.

Its rows are runs, not teams: baselines and figures that a paper printed are among them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from measures.ranking import RankingKey, rank
from verification.boards import board_document
from verification.combined import head_of
from verification.combined_words import TEAM_WITHOUT_RUN
from verification.tables import Object


def recomputed_run_board(told: Object, campaign: str, runs: Sequence[Object]) -> dict[str, Any]:
    """The board with its ranks and figures, by what it says of columns and rule."""
    better = {key["key"]: key["better"] for key in told["keys"]}
    rule = [RankingKey(key["key"], better[key["key"]]) for key in told["rule"]]
    figures = {key_of_row(run): _figures(told, run) for run in runs}
    ranked = {key_of_row(run): figures[key_of_row(run)] for run in runs if run["reason"] is None}
    ranks = {one.name: one.rank for one in rank(ranked, rule)}
    return (
        {"campaign": campaign}
        | head_of(told)
        | board_document(
            campaign,
            keys=told["keys"],
            rule=[{"key": key.figure, "better": key.better} for key in rule],
            rows=[_row(run, ranks, figures) for run in runs],
        )
    )


def key_of_row(run: Mapping[str, Any]) -> str:
    """The run's name; a team that has none on the board is called as such."""
    return str(run["name"]) if run["name"] is not None else TEAM_WITHOUT_RUN.format(team=run["team"])


def _figures(told: Object, run: Object) -> dict[str, float | None]:
    return {column["key"]: run["figures"].get(column["figure"]) for column in told["columns"]}


def _row(run: Object, ranks: Mapping[str, int], figures: Mapping[str, Object]) -> dict[str, Any]:
    key = key_of_row(run)
    bot = run["team"] if run["name"] is None else run["name"]
    head = {"key": key, "rank": ranks.get(key), "team": run["team"], "bot": bot, "n_records": None}
    return head | {"figures": figures[key]} | ({"reason": run["reason"]} if run["reason"] is not None else {})
