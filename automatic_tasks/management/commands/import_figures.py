"""manage.py import_figures FILE: puts the figures that a paper printed on the board of a task."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from automatic_tasks.actions import publish_figures
from automatic_tasks.models import AutomaticTask, Split
from reading.checking import BadFile
from scoring.management.commands.score import content_of
from scoring.published_tables import read_published


class Command(BaseCommand):
    help = (
        "Imports a table of figures (CSV, one system a row), MSDE's for example. The same file again changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        parser.add_argument("--task", required=True, metavar="KEY")
        parser.add_argument("--name", required=True, metavar="COLUMN", help="the column that names the system")
        parser.add_argument(
            "--where", action="append", default=[], metavar="COLUMN=VALUE", help="only rows that equal this"
        )
        parser.add_argument("--split", choices=Split.values, default=Split.HIDDEN.value)
        parser.add_argument("--source", default="", help="where the figures were printed")

    @no_translations
    def handle(
        self,
        *,
        file: Path,
        campaign: str,
        task: str,
        name: str,
        where: list[str],
        split: str,
        source: str,
        **options: Any,
    ) -> None:
        found = AutomaticTask.objects.filter(campaign__slug=campaign, key=task).first()
        if found is None:
            raise CommandError(f"There is no task {task!r} in a campaign {campaign!r}.")
        if split not in found.splits:
            raise CommandError(f"{task} has no {split} split; it has {', '.join(found.splits)}.")
        if any("=" not in condition for condition in where):
            raise CommandError("--where takes COLUMN=VALUE.")
        conditions = dict(condition.split("=", 1) for condition in where)
        try:
            rows = read_published(content_of(file), found.task_type, name_column=name, where=conditions)
        except BadFile as bad:
            listed = "\n".join(f"  {problem}" for problem in bad.problems[:200])
            raise CommandError(f"{file} was not imported; nothing was changed:\n{listed}") from bad
        n_new = publish_figures(task=found, split=Split(split), rows=rows, source=source)
        self.stderr.write(f"{len(rows)} systems, {n_new} of them new.")
