"""manage.py score: checks and scores one run against the gold, without server, database or account."""

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from measures.automatic.distributions import minus_log2 as minus_log
from measures.automatic.local_models import NoModel
from reading.checking import BadFile
from reading.findings import Finding
from reading.kinds import Wrong
from scoring.one_run import BadGold, Result, all_options, read_gold, read_options, score_run
from scoring.printed_figures import text_table
from scoring.splits import SPLITS, drawn_split, part_of
from scoring.task_types import TASK_TYPES
from scoring.task_types.contract import Gold, TaskType, share


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
        parser.add_argument(
            "--split", choices=SPLITS, help="score this split of the gold, as a task of a campaign does"
        )
        parser.add_argument("--key", default="", help="the task's key, by which its development split was drawn")
        parser.add_argument("--development-share", type=share_of_gold, help="as in the task file; else the kind's own")
        parser.add_argument(
            "--development-ids", type=Path, help="a file with the ids of the development split, one per line"
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
            part = split_of(task_type, answers, options)
            result = score_run(task_type, answers, content_of(run_file), settings, part)
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


def share_of_gold(text: str) -> float:
    try:
        return share("development-share")(text)
    except Wrong as wrong:
        raise ArgumentTypeError(str(wrong)) from wrong


def split_of(task_type: TaskType, gold: Gold, options: Mapping[str, Any]) -> Gold | None:
    """The split that was asked for, as a task file says it: its ids, or the share that the task's key draws."""
    split, key, ids_file = options["split"], options["key"], options["development_ids"]
    share_said = options["development_share"]
    if split is None:
        if key or ids_file or share_said is not None:
            raise CommandError("--key, --development-share and --development-ids say which items a --split holds.")
        return None
    if ids_file and (key or share_said is not None):
        raise CommandError("A split is declared by --development-ids, or drawn by --key and --development-share.")
    if ids_file:
        ids = [line.strip() for line in content_of(ids_file).decode("utf-8-sig").splitlines() if line.strip()]
        if unknown := [name for name in ids if name not in gold.items]:
            raise CommandError(f"{ids_file.name}: “{unknown[0]}” is not in the gold.")
    else:
        part = task_type.development_share if share_said is None else share_said
        if 0 < part < 1 and not key:
            raise CommandError(
                "Give the --key of the task: it draws the split. Or --development-ids where it has declared ones."
            )
        ids = drawn_split(key, part, gold.items)
    found = part_of(gold, split, ids)
    if not found.items:
        raise CommandError(f"The {split} split holds no item.")
    return found


def as_minus_log2(result: Result) -> Result:
    figures = {name: None if mean is None else minus_log(mean) for name, mean in result.scored.figures.items()}
    return replace(result, scored=replace(result.scored, figures=figures))


def content_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as missing:
        raise CommandError(f"{path} cannot be read: {missing.strerror}.") from missing
