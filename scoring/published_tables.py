"""Reads figures that a paper printed from a table (CSV), one system a row. Pure."""

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

from django.utils.translation import gettext_noop

from reading.checking import Problems
from scoring.task_types.contract import Figures, TaskType


@dataclass(frozen=True, slots=True)
class PublishedRow:
    name: str
    figures: Figures


def read_published(
    content: bytes, task_type: TaskType, *, name_column: str, where: Mapping[str, str]
) -> list[PublishedRow]:
    """The rows whose columns equal `where`, with every column that is a figure of the task type by name or label.

    Errors: `BadFile` naming every problem.
    """
    problems = Problems()
    reader = csv.DictReader(io.StringIO(content.decode("utf-8-sig", "replace")))
    heads = reader.fieldnames or []
    for column in (name_column, *where):
        if column not in heads:
            problems.note("line 1", gettext_noop("has no column “%(name)s”"), name=column)
    figure_of = {head: figure for head in heads if (figure := _figure(task_type, head)) and head != name_column}
    if not figure_of:
        problems.note("line 1", gettext_noop("has no column that is a figure of this task"))
    problems.refuse()
    rows: dict[str, PublishedRow] = {}
    for number, row in enumerate(reader, start=2):
        if any(row.get(column) != value for column, value in where.items()):
            continue
        name = (row.get(name_column) or "").strip()
        figures: Figures = {}
        for head, figure in figure_of.items():
            cell = (row.get(head) or "").strip()
            if cell:
                figures[figure] = _number(cell)
                if figures[figure] is None:
                    problems.note(
                        f"line {number}, {head}", gettext_noop("must be a number, not “%(value)s”"), value=cell
                    )
        if not name or name in rows:
            problems.note(f"line {number}, {name_column}", gettext_noop("must be a name that appears only once"))
        rows[name] = PublishedRow(name, figures)
    if not rows and not problems:
        problems.note("file", gettext_noop("holds no row that fits"))
    problems.refuse()
    return list(rows.values())


def _figure(task_type: TaskType, head: str) -> str | None:
    wanted = _plain(head)
    for figure in task_type.figures:
        if wanted in {_plain(text) for text in (figure.name, str(figure.label), *figure.aliases)}:
            return figure.name
    return None


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _number(cell: str) -> float | None:
    number = float(cell) if re.fullmatch(r"-?\d+(\.\d+)?", cell, re.ASCII) else None
    return number if number is not None and isfinite(number) else None
