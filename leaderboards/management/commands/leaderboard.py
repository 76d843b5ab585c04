"""manage.py leaderboard SLUG: prints the leaderboard of a campaign."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaigns.models import Campaign
from leaderboards.boards import Board, leaderboard
from leaderboards.exports import COLUMNS, leaderboard_rows, write_csv
from scoring.terminal_tables import text_table


class Command(BaseCommand):
    help = "Prints the leaderboard of a campaign; JSON and CSV carry unrounded figures."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="SLUG")
        parser.add_argument("--format", default="table", choices=["table", "csv", "json"])

    def handle(self, *, campaign: str, format: str, **options: Any) -> None:
        found = Campaign.objects.filter(slug=campaign).first()
        if found is None:
            known = ", ".join(Campaign.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
            raise CommandError(f"There is no campaign {campaign!r}; there are: {known}.")
        if format == "csv":
            write_csv(leaderboard_rows(found), sys.stdout, COLUMNS["leaderboard"].split())
        elif format == "json":
            self.stdout.write(json.dumps(leaderboard(found).to_json(), ensure_ascii=False, indent=2))
        else:
            self.stdout.write(board_as_text(leaderboard(found)))


def board_as_text(board: Board) -> str:
    heads = ["#", "team", "bot", "n", "C", "T", *[criterion.letter for criterion in board.criteria]]
    lines = []
    for row in (*board.rows, *board.unranked):
        figures = [row.figures.completion, row.figures.mean_turns, *row.figures.ratings.values()]
        digits = [4, 2] + [3] * len(board.criteria)
        lines.append(
            [
                str(row.rank or "–"),
                row.entry.bot.team.name,
                row.entry.bot.name,
                str(row.figures.n_records),
                *["–" if value is None else f"{value:.{n}f}" for value, n in zip(figures, digits, strict=True)],
            ]
        )
    return text_table(heads, lines, right_from=3)
