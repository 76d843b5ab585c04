"""manage.py score: checks and scores one run against the gold, without server, database or account."""

import json
import sys
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from measures.distributions import minus_log2 as minus_log
from measures.local_models import NoModel
from scoring.checking import BadFile
from scoring.findings import Finding
from scoring.one_run import BadGold, Result, all_options, read_gold, read_options, score_run
from scoring.task_types import TASK_TYPES
from scoring.task_types.contract import TaskType
from scoring.terminal_tables import text_table


class Command(BaseCommand):
    help = (
        "Checks a run and scores it against the gold. Problems are all listed with their places; then the status is 1."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("task", choices=list(TASK_TYPES))
        parser.add_argument("--gold", required=True, type=Path)
        parser.add_argument("--run", required=True, type=Path, dest="run_file")
        parser.add_argument("--format", choices=["text", "json"], default="text")
        parser.add_argument(
            "--minus-log2",
            action="store_true",
            help="report −log2 of the means, where higher is better (distances only)",
        )
        for name, uses in all_options().items():
            tasks = ", ".join(task for task, _option in uses)
            parser.add_argument(f"--{name}", help=f"{uses[0][1].help} ({tasks})")

    @no_translations
    def handle(self, *, task: str, gold: Path, run_file: Path, format: str, minus_log2: bool, **options: Any) -> None:
        task_type = TASK_TYPES[task]
        if minus_log2 and not task_type.is_distance:
            raise CommandError(f"--minus-log2 is for distances; the figures of {task} are none.")
        names = {name: name.replace("-", "_") for name in all_options()}
        given = {name: options[key] for name, key in names.items() if options.get(key) is not None}
        try:
            settings = read_options(task_type, given)
            answers = read_gold(task_type, content_of(gold), settings)
            result = score_run(task_type, answers, content_of(run_file), settings)
        except BadGold as bad:
            self.refuse("gold", gold, bad.problems, format)
        except BadFile as bad:
            self.refuse("run", run_file, bad.problems, format)
        except (ValueError, NoModel, OSError) as bad:
            raise CommandError(str(bad)) from bad
        else:
            self.report(task_type, as_minus_log2(result) if minus_log2 else result, format)

    def refuse(self, what: str, path: Path, problems: list[Finding], format: str) -> None:
        if format == "json":
            listed = [{"place": problem.place, "message": problem.message} for problem in problems]
            self.stdout.write(json.dumps({"file": what, "problems": listed}, ensure_ascii=False, indent=2))
        else:
            for problem in problems:
                self.stderr.write(f"{path.name}: {problem}")
            n = len(problems)
            self.stderr.write(f"{n} problem{'s' * (n != 1)} in the {what} file; nothing was scored.")
        sys.exit(1)

    def report(self, task_type: TaskType, result: Result, format: str) -> None:
        if format == "json":
            warnings = [str(warning) for warning in result.warnings]
            report = task_type.report(result.scored, result.n_items) | ({"warnings": warnings} if warnings else {})
            self.stdout.write(json.dumps(report, ensure_ascii=False, indent=2))
            return
        for warning in result.warnings:
            self.stderr.write(f"warning: {warning}")
        rows = [
            [figure.name, "–" if value is None else f"{value:.{figure.decimals}f}"]
            for figure in task_type.figures
            if (value := result.scored.figures.get(figure.name, 0.0)) is None or figure.name in result.scored.figures
        ]
        self.stdout.write(text_table(["figure", "value"], rows, right_from=1))
        notes = "".join(f", {name} {value}" for name, value in result.scored.notes.items())
        self.stdout.write(f"{result.n_items} items{notes}")


def as_minus_log2(result: Result) -> Result:
    figures = {name: None if mean is None else minus_log(mean) for name, mean in result.scored.figures.items()}
    return replace(result, scored=replace(result.scored, figures=figures))


def content_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as missing:
        raise CommandError(f"{path} cannot be read: {missing.strerror}.") from missing
