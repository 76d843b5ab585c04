"""Checks and scores one run in one go, for the command line and for the worker."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop

from reading.checking import BadContent, BadFile
from reading.findings import Finding
from reading.kinds import Wrong
from scoring.task_types import TASK_TYPES
from scoring.task_types.contract import Gold, Option, Scored, TaskType


class BadGold(BadContent):
    """The organizer's gold."""


@dataclass(frozen=True, slots=True)
class Result:
    scored: Scored
    warnings: list[Finding]
    n_items: int


def read_options(task_type: TaskType, given: Mapping[str, str]) -> dict[str, Any]:
    """The scorer's settings from texts. Errors: `Wrong` for unknown names and values that do not fit."""
    known = {option.name: option for option in task_type.options}
    unknown = sorted(set(given) - set(known))
    if unknown:
        names = ", ".join(f"--{name}" for name in known)
        text = gettext_noop("%(task)s has no --%(option)s; it knows %(names)s.")
        raise Wrong(text, task=task_type.name, option=unknown[0], names=names)
    return task_type.default_options() | {name: known[name].read(text) for name, text in given.items()}


def all_options() -> dict[str, list[tuple[str, Option]]]:
    """Every option of every task type by name, for the command line."""
    found: dict[str, list[tuple[str, Option]]] = {}
    for task_type in TASK_TYPES.values():
        for option in task_type.options:
            found.setdefault(option.name, []).append((task_type.name, option))
    return found


def read_gold(task_type: TaskType, content: bytes, options: Mapping[str, Any]) -> Gold:
    """Errors: `BadGold`, so that nobody takes the organizer's mistake for the team's."""
    try:
        return task_type.read_gold(content, options)
    except BadFile as bad:
        raise BadGold(bad.problems) from bad


def score_run(
    task_type: TaskType, gold: Gold, content: bytes, options: Mapping[str, Any], part: Gold | None = None
) -> Result:
    """Checked against the whole gold, scored on it or on the `part` of a split. Errors: `BadFile` naming every problem of the run."""
    run = task_type.read_run(content, gold, options)
    scored_on = gold if part is None else part
    return Result(task_type.score(scored_on, run, options), run.warnings, len(scored_on.items))
