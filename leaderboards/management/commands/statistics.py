"""manage.py statistics SLUG: computes how sure a campaign's leaderboard is, stores it and prints it."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from campaigns.management.campaign_named import campaign_named
from leaderboards.actions import refresh_leaderboard, refresh_statistics
from leaderboards.board import Board, Key, Row
from leaderboards.board_json import rounded
from leaderboards.explanations import effect_of, other_rankings, percent, rank_chances, tested_keys, tested_pairs
from leaderboards.live_board import board_of
from scoring.printed_figures import p_of, text_table

PairNames = dict[str, str]


class Command(BaseCommand):
    help = "Computes intervals, probabilities of ranks and tests of all pairs of a campaign's leaderboard, and stores them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="SLUG")
        parser.add_argument("--format", default="table", choices=["table", "json"])

    def handle(self, *, campaign: str, format: str, **options: Any) -> None:
        found = campaign_named(campaign)
        at = timezone.now()
        drawn = refresh_statistics(campaign=found, at=at, report_progress=self._report)
        figures = refresh_leaderboard(campaign=found, at=at)
        self.stderr.write("")
        if figures.scores_version != drawn.scores_version:
            raise CommandError("Scores came in while the statistics were computed: run it again.")
        board, stored = board_of(found, figures.rows), drawn.rows
        if format == "json":
            self.stdout.write(json.dumps(stored, ensure_ascii=False, indent=2))
        else:
            self.stdout.write("\n".join(statistics_as_text(board, stored)))

    def _report(self, share: float) -> None:
        self.stderr.write(f"\r{share:4.0%} computed", ending="")
        self.stderr.flush()


def statistics_as_text(board: Board, stored: dict[str, Any]) -> Iterator[str]:
    """Tables: the rows with their intervals, P(rank = k), all pairs with how often the order is kept, their tests by every key,
    and other rankings beside this one.
    """
    heads = ["#", "95%", "team", "bot", *[key.head for key in board.keys]]
    lines = [_row_of(row, board, stored["rows"].get(row.key, {})) for row in board.rows]
    yield text_table(heads, lines, right_from=4)
    yield from _chances(board, stored)
    names = {row.key: row.name if row.team == row.name else f"{row.team} {row.name}" for row in board.rows}
    pairs = [_pair_of(pair, names, {key.name: key for key in board.keys}) for pair in stored["pairs"]]
    yield text_table(["ahead", "of", "kept", "reversed", "by", "p", "effect", "more"], pairs, right_from=2)
    yield from _tests(board, stored)
    rankings = [[one.name, str(one.n), one.tau, one.interval, one.p] for one in other_rankings(board, stored)]
    if rankings:
        yield text_table(["ranked by", "n", "tau", "95%", "p"], rankings, right_from=1)
    yield (
        f"{stored['n_scenarios']} scenarios, {stored['n_resamples']} resamples ({_redrawn(stored)}), "
        f"{stored['n_permutations']} permutations, seed {stored['seed']}"
    )


def _redrawn(stored: dict[str, Any]) -> str:
    n_redrawn = stored.get("n_redrawn", 0)
    return "hardly any has every bot" if n_redrawn is None else f"{n_redrawn} drawn again"


def _chances(board: Board, stored: dict[str, Any]) -> Iterator[str]:
    """P(rank = k) in percent, one column per rank."""
    rows = rank_chances(board, stored)
    if rows:
        heads = ["P(rank = k), %", *map(str, range(1, len(rows) + 1))]
        yield text_table(
            heads, [[one.row.label, *(cell.percents for cell in one.chances)] for one in rows], right_from=1
        )


def _tests(board: Board, stored: dict[str, Any]) -> Iterator[str]:
    """Every pair by every key: difference, p of the family, effect size."""
    for key in tested_keys(board, stored):
        pairs = tested_pairs(board, stored, key)
        lines = [[pair.one, pair.other, pair.difference, pair.p, pair.effect] for pair in pairs]
        yield text_table(["ahead", f"of, by {key.head}", "difference", "p", "effect"], lines, right_from=2)


def _row_of(row: Row, board: Board, stored: dict[str, Any]) -> list[str]:
    ranks = "–".join(map(str, stored.get("rank_interval", [])))
    intervals = stored.get("intervals", {})
    figures = [f"{_figure(row, key)} {_interval(intervals.get(key.name), key)}".strip() for key in board.keys]
    return [str(row.rank), ranks, row.team, row.name, *figures]


def _figure(row: Row, key: Key) -> str:
    return rounded(row.figures.get(key.name), key.decimals)


def _interval(ends: list[float] | None, key: Key) -> str:
    return "" if ends is None else f"[{ends[0]:.{key.decimals}f}, {ends[1]:.{key.decimals}f}]"


def _pair_of(pair: dict[str, Any], names: PairNames, keys: dict[str, Key]) -> list[str]:
    decided_by = pair["decided_by"]
    test, plan = pair["tests"].get(decided_by), pair["plan"]
    return [
        names.get(pair["one"], pair["one"]),
        names.get(pair["other"], pair["other"]),
        percent(pair["ahead"]),
        percent(pair["behind"]),
        keys[decided_by].head if decided_by in keys else "–",
        p_of(test["p"]) if test else "–",
        effect_of(test) if test else "–",
        "–" if plan is None or plan["n_more"] is None else str(plan["n_more"]),
    ]
