"""manage.py dump_tasks SLUG FOLDER: writes the task file of a stored campaign, with its gold and noise."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from audit.actions import record
from automatic_tasks.dumping import files_of
from automatic_tasks.trail_acts import TASKS_DOWNLOADED
from campaigns.management.campaign_named import campaign_named


class Command(BaseCommand):
    help = "Writes tasks.toml with the gold and noise that it names; loading it changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="SLUG")
        parser.add_argument("folder", type=Path)

    def handle(self, *, campaign: str, folder: Path, **options: Any) -> None:
        found = campaign_named(campaign)
        folder.mkdir(parents=True, exist_ok=True)
        files = files_of(found)
        # Before anything is written: the files hold the gold.
        with transaction.atomic():
            record(TASKS_DOWNLOADED, by=None, campaign=campaign, about=campaign)
        for name, content in files:
            (folder / name).write_bytes(content)
            self.stderr.write(str(folder / name))
