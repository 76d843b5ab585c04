"""manage.py judge_report SLUG --judge KEY: compares a judge with people, and stores that for its page."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone

from judging.actions.judgements import store_report
from judging.limits import EPSILON
from judging.management.commands.judge import judge_named
from judging.report_rows import FIGURES, criterion_rows, probe_rows
from judging.workbench import report_of
from scoring.printed_figures import text_table


class Command(BaseCommand):
    help = "Compares a judge with people, criterion by criterion, and says what its probes found."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--judge", required=True, metavar="KEY")
        parser.add_argument(
            "--epsilon", type=float, default=EPSILON, help="what the alternative annotator test allows for (0…0.5)"
        )
        parser.add_argument("--format", choices=("text", "json"), default="text")

    @no_translations
    def handle(self, *, slug: str, judge: str, epsilon: float, format: str, **options: Any) -> None:
        if not 0 <= epsilon <= 0.5:
            raise CommandError("--epsilon is from 0 to 0.5.")
        found = judge_named(slug, judge)
        report = report_of(found, epsilon=epsilon)
        store_report(judge=found, content=report, at=timezone.now())
        self.stdout.write(json.dumps(report, ensure_ascii=False, indent=1) if format == "json" else as_text(report))


def as_text(report: dict[str, Any]) -> str:
    rows = criterion_rows(report, {})
    if not rows:
        return "Nothing is judged yet."
    figures = [[row.name, str(row.n), *(getattr(row, name) for name in FIGURES)] for row in rows]
    parts = [text_table(["criterion", "n", *FIGURES], figures, right_from=1)]
    more = [[row.name, row.alt_test, row.saved, row.cost] for row in rows]
    parts.append(
        text_table(
            ["criterion", "alternative annotator test", "reviews saved", "per reliable score"], more, right_from=1
        )
    )
    if probes := [[str(one.title), str(one.n), one.shift, one.p] for one in probe_rows(report)]:
        parts.append(text_table(["probe", "n", "shift", "p"], probes, right_from=1))
    return "\n".join(parts)
