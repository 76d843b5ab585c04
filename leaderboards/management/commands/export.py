"""manage.py export SLUG --what turns --format csv --out FILE: writes one table of a campaign."""

import itertools
import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from campaigns.models import Campaign
from leaderboards.actions import refresh_leaderboard
from leaderboards.export_files import FORMATS
from leaderboards.exports import EXPORTS


class Command(BaseCommand):
    help = "Exports a campaign: turns, dialogues, reviews, ratings or leaderboard, as CSV (with BOM) or JSON Lines."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="SLUG")
        parser.add_argument("--what", required=True, choices=list(EXPORTS))
        parser.add_argument("--format", default="csv", choices=list(FORMATS))
        parser.add_argument("--out", required=True, type=Path)

    def handle(self, *, campaign: str, what: str, format: str, out: Path, **options: Any) -> None:
        found = Campaign.objects.filter(slug=campaign).first()
        if found is None:
            raise CommandError(f"There is no campaign {campaign!r}.")
        if what == "leaderboard":
            refresh_leaderboard(campaign=found, at=timezone.now())
        export = EXPORTS[what]
        draft = out.with_name(f".{out.name}.part")
        try:
            with draft.open("w", encoding="utf-8", newline="") as file:
                counted = itertools.count()
                rows = (row for row, _ in zip(export.rows(found), counted, strict=False))
                file.writelines(FORMATS[format](export.columns(found), rows))
            os.replace(draft, out)
        except OSError as unwritable:
            raise CommandError(f"{out} cannot be written: {unwritable.strerror}.") from unwritable
        self.stderr.write(f"{next(counted)} rows of {what} written to {out}.")
