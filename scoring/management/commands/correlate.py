"""manage.py correlate: how automatic figures go together with human scores over systems, without server or database."""

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from measures.resampling import N_RESAMPLES
from scoring.figure_tables import COEFFICIENTS, OWN_COLUMNS, BadTable, FigureTables, read_figure_tables, row_of
from scoring.management.commands.score import content_of
from scoring.printed_figures import fixed, text_table, told_p


class Command(BaseCommand):
    help = (
        "Correlates every automatic metric with every human criterion over systems: Pearson, Spearman, Kendall's tau-b, with "
        "95% intervals and p. AUTOMATIC has a column per metric after the key columns, HUMAN the columns criterion and score."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("automatic", type=Path, metavar="AUTOMATIC.csv")
        parser.add_argument("human", type=Path, metavar="HUMAN.csv")
        parser.add_argument("--system", default="model", help="the key column that names the system (default: model)")
        parser.add_argument(
            "--seed", type=int, default=0, help="of the bootstrap behind Kendall's intervals (default: 0)"
        )
        parser.add_argument("--format", choices=["text", "json"], default="text")

    @no_translations
    def handle(self, *, automatic: Path, human: Path, system: str, seed: int, format: str, **options: Any) -> None:
        if seed < 0:
            raise CommandError("--seed must be 0 or more.")
        try:
            tables = read_figure_tables(content_of(automatic), content_of(human), system=system)
        except BadTable as bad:
            path = {"automatic": automatic, "human": human}[bad.which]
            listed = "\n".join(f"  {problem}" for problem in bad.problems[:200])
            raise CommandError(f"{path} cannot be used:\n{listed}") from bad
        if taken := set(OWN_COLUMNS).intersection(tables.group_columns):
            listed = ", ".join(sorted(taken))
            raise CommandError(f"Rename the key column {listed} in both files: the result has a column of that name.")
        for group, name in tables.unmatched:
            self.stderr.write(f"warning: {' '.join((*group, name))} is in one of the files only; it does not count.")
        rows = rows_of(tables, seed)
        if not rows:
            raise CommandError("No system has both automatic figures and human scores.")
        self.stdout.write(json.dumps(rows, ensure_ascii=False, indent=2) if format == "json" else in_text(tables, rows))


def rows_of(tables: FigureTables, seed: int) -> list[dict[str, Any]]:
    """One flat row per group, metric and criterion."""
    from measures.correlation import over_systems

    found = over_systems(tables.automatic, tables.human, seed=seed, n_resamples=N_RESAMPLES)
    return [row_of(one, tables.group_columns) for one in found]


def in_text(tables: FigureTables, rows: Sequence[dict[str, Any]]) -> str:
    names = [*tables.group_columns, "metric", "criterion"]
    lines = [
        [*(row[name] for name in names), str(row["n"]), *(_cell(row, one) for one in COEFFICIENTS)] for row in rows
    ]
    return text_table([*names, "n", *COEFFICIENTS], lines, right_from=len(names))


def _cell(row: dict[str, Any], name: str) -> str:
    """`0.53 [0.00, 0.83] p = 0.050`"""
    if row[name] is None:
        return "–"
    interval = row[f"{name}_interval"]
    ends = "" if interval is None else f" [{fixed(interval[0], 2)}, {fixed(interval[1], 2)}]"
    p = row[f"{name}_p"]
    return f"{fixed(row[name], 2)}{ends} {told_p(p)}"
