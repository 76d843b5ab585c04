"""manage.py leaderboard SLUG: prints the leaderboard of a campaign."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, no_translations
from django.utils import timezone

from campaigns.management.campaign_named import campaign_named
from dialogues.turn_policy import turn_in_words
from leaderboards.actions import refresh_leaderboard
from leaderboards.board_json import board_as_text
from leaderboards.board_now import live_answer
from leaderboards.exports import EXPORTS
from leaderboards.table_files.text_files import csv_pieces


class Command(BaseCommand):
    help = "Prints the leaderboard of a campaign; JSON and CSV carry unrounded figures."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="SLUG")
        parser.add_argument("--format", default="table", choices=["table", "csv", "json"])

    @no_translations
    def handle(self, *, campaign: str, format: str, **options: Any) -> None:
        found = campaign_named(campaign)
        refresh_leaderboard(campaign=found, at=timezone.now())
        if format == "csv":
            export = EXPORTS["leaderboard"]
            sys.stdout.writelines(csv_pieces(list(export.columns(found)), export.rows(found)))
        elif format == "json":
            self.stdout.write(json.dumps(live_answer(found), ensure_ascii=False, indent=2))
        else:
            answer = live_answer(found)
            self.stdout.write(board_as_text(answer))
            if "turns_are" in answer:
                self.stdout.write(turn_in_words(found.turns_are))
