"""manage.py compare_boards SLUG ONE OTHER: Kendall's tau of the rankings of two boards."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from api.answers import encoded
from campaigns.management.campaign_named import campaign_named
from leaderboards.explanations import other_ranking
from organizing.rankings import Compared, ComparedAnswer, choices, chosen, compare
from scoring.printed_figures import text_table, told_p


class Command(BaseCommand):
    help = "Says how far the rankings of two boards go together: leaderboard, leaderboard/NUMBER, boards/KEY, tasks/KEY/SPLIT."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="SLUG")
        parser.add_argument("one", metavar="ONE", nargs="?", default="")
        parser.add_argument("other", metavar="OTHER", nargs="?", default="")
        parser.add_argument("--format", default="table", choices=["table", "json"])

    def handle(self, *, campaign: str, one: str, other: str, format: str, **options: Any) -> None:
        found = campaign_named(campaign)
        boards = choices(found)
        try:
            compared = compare(found, *chosen(boards, one, other))
        except KeyError as unknown:
            known = ", ".join(choice.key for choice in boards)
            raise CommandError(f"There is no board {unknown.args[0]!r}; there are: {known}.") from unknown
        if format == "json":
            self.stdout.write(json.dumps(encoded(ComparedAnswer, compared), ensure_ascii=False, indent=2))
        else:
            self.stdout.write(as_text(compared))


def as_text(compared: Compared) -> str:
    rows = [[pair.name.name, str(pair.one), str(pair.other)] for pair in compared.pairs]
    head = "team" if compared.by_team else "system"
    table = text_table([head, compared.one.key, compared.other.key], rows, right_from=1)
    if compared.tau is None:
        return f"{table}\nNothing can be said: fewer than two rows are on both boards, or one board has them all tied."
    told = other_ranking(compared.other.name, compared.tau)
    return f"{table}\nKendall's tau-b {told.tau}, 95% interval {told.interval}, {told_p(compared.tau['p'])}, n {told.n}"
