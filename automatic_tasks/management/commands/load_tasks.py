"""manage.py load_tasks FILE: creates or updates the automatic tasks of a campaign."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from automatic_tasks.actions import load_tasks
from automatic_tasks.task_file import read_task_file
from scoring.checking import BadFile


class Command(BaseCommand):
    help = "Loads automatic tasks from a TOML or JSON file; paths in it are relative to the file. The same file again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    @no_translations
    def handle(self, *, file: Path, **options: Any) -> None:
        try:
            declared = read_task_file(file.name, file.read_bytes())
            campaign, changes = load_tasks(file=declared, content_of=lambda path: (file.parent / path).read_bytes())
        except OSError as missing:
            raise CommandError(f"{file} cannot be read: {missing.strerror}.") from missing
        except BadFile as bad:
            listed = "\n".join(f"  {problem}" for problem in bad.problems[:100])
            raise CommandError(f"{file} was not loaded; nothing was changed:\n{listed}") from bad
        for change in changes:
            self.stderr.write(change)
        self.stderr.write(f"{campaign.slug}: {len(changes) or 'no'} change{'s' * (len(changes) != 1)}.")
