"""manage.py import_records FILE --campaign SLUG: adds records from elsewhere."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations
from django.db import transaction
from django.utils import timezone

from campaigns.presets import PRESETS
from leaderboards.actions import campaign_of_records, import_records, refresh_leaderboard
from leaderboards.record_files import read_record_lines
from reading.checking import BadFile
from reading.kinds import SLUG, Wrong


class Command(BaseCommand):
    help = "Imports records (JSON Lines, one dialogue × reviewer per line). The same file again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        parser.add_argument("--preset", default="smp2018", choices=sorted(PRESETS))

    @no_translations
    def handle(self, *, file: Path, campaign: str, preset: str, **options: Any) -> None:
        try:
            SLUG.value_of(campaign)
        except Wrong as wrong:
            raise CommandError(f"--campaign {wrong}.") from wrong
        try:
            raw_lines = file.read_bytes().splitlines()
        except OSError as unreadable:
            raise CommandError(f"{file} cannot be read: {unreadable.strerror}.") from unreadable
        try:
            with transaction.atomic():
                target = campaign_of_records(slug=campaign, preset=PRESETS[preset])
                scales = {criterion.key: criterion.scores() for criterion in target.rubric.criteria.all()}
                imported = import_records(campaign=target, lines=read_record_lines(raw_lines, scales))
        except BadFile as bad:
            listed = "\n".join(f"  {problem}" for problem in bad.problems[:50])
            more = f"\n  … and {len(bad.problems) - 50} more" if len(bad.problems) > 50 else ""
            raise CommandError(f"{file} was not imported; nothing was changed:\n{listed}{more}") from bad
        refresh_leaderboard(campaign=target, at=timezone.now())
        self.stderr.write(f"{imported.n_new} records imported, {imported.n_known} were there already.")
