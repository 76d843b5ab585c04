"""manage.py baseline: writes the run of a baseline, so that anyone can recompute its figures."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.management.commands.score import content_of
from scoring.one_run import BadGold, read_gold
from scoring.task_types import TASK_TYPES


class Command(BaseCommand):
    help = "Writes a baseline's run, made from the gold, to standard output or to a file."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("task", choices=[name for name, task_type in TASK_TYPES.items() if task_type.baselines])
        parser.add_argument("name", help="uniform or popularity")
        parser.add_argument("--gold", required=True, type=Path)
        parser.add_argument("--output", type=Path, help="a file to write instead of standard output")

    def handle(self, *, task: str, name: str, gold: Path, output: Path | None, **options: Any) -> None:
        task_type = TASK_TYPES[task]
        if name not in task_type.baselines:
            raise CommandError(f"{task} has no baseline {name!r}; it has {', '.join(task_type.baselines)}.")
        try:
            answers = read_gold(task_type, content_of(gold), task_type.default_options())
        except BadGold as bad:
            raise CommandError(f"{gold.name} cannot be used:\n{bad}") from bad
        content = task_type.baselines[name](answers)
        if output is None:
            self.stdout.write(content.decode())
        else:
            output.write_bytes(content + b"\n")
