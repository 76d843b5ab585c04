"""manage.py load_tasks FILE: creates or updates the automatic tasks of a campaign."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from automatic_tasks.actions import load_tasks
from automatic_tasks.task_file import read_task_file
from reading.checking import BadFile


class Command(BaseCommand):
    help = "Loads automatic tasks from a TOML or JSON file; paths in it are relative to the file. The same file again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--take-over",
            action="store_true",
            help="change what was made in the browser, too, where the file names it; it is the file's from then on",
        )

        parser.add_argument("--prune", action="store_true", help="remove combined boards that the file no longer holds")

    @no_translations
    def handle(self, *, file: Path, take_over: bool, prune: bool, **options: Any) -> None:
        def content_of(path: str) -> bytes:
            return (file.parent / path).read_bytes()

        try:
            declared = read_task_file(file.name, file.read_bytes())
            loaded = load_tasks(file=declared, content_of=content_of, prunes=prune, takes_over=take_over)
        except OSError as missing:
            raise CommandError(f"{file} cannot be read: {missing.strerror}.") from missing
        except BadFile as bad:
            listed = "\n".join(f"  {problem}" for problem in bad.problems[:100])
            raise CommandError(f"{file} was not loaded; nothing was changed:\n{listed}") from bad
        for line in [*(f"warning: {warning}" for warning in loaded.warnings), *loaded.left_alone, *loaded.changes]:
            self.stderr.write(line)
        n = len(loaded.changes)
        self.stderr.write(f"{loaded.campaign.slug}: {n or 'no'} change{'s' * (n != 1)}.")
