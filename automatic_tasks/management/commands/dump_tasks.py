"""manage.py dump_tasks SLUG FOLDER: writes the task file of a stored campaign, with its gold and noise."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from automatic_tasks.dumping import files_of
from campaigns.models import Campaign


class Command(BaseCommand):
    help = "Writes tasks.toml with the gold and noise that it names; loading it changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="SLUG")
        parser.add_argument("folder", type=Path)

    def handle(self, *, campaign: str, folder: Path, **options: Any) -> None:
        found = Campaign.objects.filter(slug=campaign).first()
        if found is None:
            raise CommandError(f"There is no campaign {campaign!r}.")
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files_of(found):
            (folder / name).write_bytes(content)
            self.stderr.write(str(folder / name))
