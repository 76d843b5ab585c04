"""manage.py import_gold FORMAT FILE: turns an organizers' distribution into a gold file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from reading.checking import BadFile
from scoring.importers import IMPORTERS
from scoring.management.commands.score import content_of


class Command(BaseCommand):
    help = "Checks a file as its organizers distribute it and writes the gold file (or noise) that load_tasks reads."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", choices=list(IMPORTERS), metavar="FORMAT", help=", ".join(IMPORTERS))
        parser.add_argument("file", type=Path)
        parser.add_argument("--output", type=Path, help="a file to write instead of standard output")

    @no_translations
    def handle(self, *, source: str, file: Path, output: Path | None, **options: Any) -> None:
        try:
            content = IMPORTERS[source](content_of(file))
        except BadFile as bad:
            listed = "\n".join(f"  {problem}" for problem in bad.problems[:200])
            raise CommandError(f"{file} was not imported:\n{listed}") from bad
        if output is None:
            self.stdout.write(content.decode(), ending="")
        else:
            output.write_bytes(content)
            self.stderr.write(f"{output}: {len(content)} bytes.")
