"""manage.py judge_report SLUG --judge KEY: compares a judge with people, and stores that for its page."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone

from judging.actions.judgements import store_report
from judging.limits import EPSILON
from judging.management.commands.judge import judge_named
from judging.workbench import report_of
from scoring.printed_figures import fixed, text_table, told_p

FIGURES = ("agreement", "alpha", "alpha_people", "bias", "pearson", "spearman", "kendall")


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
    rows = [
        [key, str(one["n_compared"]), *(said(one[name]) for name in FIGURES)] for key, one in report["criteria"].items()
    ]
    parts = [text_table(["criterion", "n", *FIGURES], rows, right_from=1)] if rows else ["Nothing is judged yet."]
    for key, one in report["criteria"].items():
        if test := one["alt_test"]:
            passes = "passes" if test["passes"] else "does not pass"
            parts.append(
                f"{key}: {passes} the alternative annotator test (ω {test['winning_rate']}, ρ {test['advantage']})."
            )
        if saved := one["saved"]:
            low, high = saved["reviews_interval"]
            parts.append(
                f"{key}: saves {fixed(saved['reviews'], 0)} human reviews [{fixed(low, 0)}, {fixed(high, 0)}]."
            )
    probes = [
        [key, str(one["n"]), fixed(one["shift"], 3), told_p(one["p"]) if one["p"] is not None else "–"]
        for key, one in report["probes"].items()
        if one["n"]
    ]
    if probes:
        parts.append(text_table(["probe", "n", "shift", "p"], probes, right_from=1))
    return "\n".join(parts)


def said(figure: dict[str, Any]) -> str:
    if figure["value"] is None:
        return "–"
    if figure["interval"] is None:
        return fixed(figure["value"], 2)
    low, high = (fixed(end, 2) for end in figure["interval"])
    return f"{fixed(figure['value'], 2)} [{low}, {high}]"
