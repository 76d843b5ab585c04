"""How the form of a task shows its fields: label, control, hint, what was typed, and what is wrong beside it."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from organizing.tasks.form import TaskForm, ranking_fields
from reading.findings import Finding
from scoring.task_types.contract import TaskType

Words = str | Promise
# Field, label, control, hint.
SPLIT: tuple[tuple[str, Words, str, Words], ...] = (
    ("development_share", gettext_lazy("Share with feedback"), "decimal", gettext_lazy("From 0 to 1, drawn from the gold by the task's key. 0: everything is hidden.")),
    ("development_ids", gettext_lazy("Or these items give feedback"), "area", gettext_lazy("One id per line; all others are hidden.")),
)  # fmt: skip
RUNS: tuple[tuple[str, Words, str, Words], ...] = (
    ("quota_total", gettext_lazy("Runs per team in all"), "number", ""),
    ("quota_per_day", gettext_lazy("Runs per team and day"), "number", ""),
    ("runs_from", gettext_lazy("Runs from"), "date", gettext_lazy("Within the dates of the campaign, on its clocks; may stay empty.")),
    ("runs_until", gettext_lazy("Runs until"), "date", gettext_lazy("The last second in which a run may be handed in.")),
)  # fmt: skip
TOGETHER: tuple[tuple[str, Words, str, Words], ...] = (
    ("handed_in_with", gettext_lazy("Handed in with"), "text", gettext_lazy("The key of the task in whose files its part stands: one file, one run of that task's quota. Empty: on its own.")),
)  # fmt: skip
FEEDBACK: tuple[tuple[str, Words, str, Words], ...] = (
    ("decimals", gettext_lazy("Decimals that teams see"), "number", gettext_lazy("Of the development split, until the release; empty: unrounded.")),
    ("min_gain", gettext_lazy("Smallest gain that is shown"), "decimal", gettext_lazy("A score is shown only if it beats the team's best by this; empty: always.")),
)  # fmt: skip
CALLS: tuple[tuple[str, Words, str, Words], ...] = (
    ("batch_size", gettext_lazy("Sentences per call"), "number", ""),
    ("deadline_s", gettext_lazy("Seconds per call"), "decimal", ""),
    ("noise_ratio", gettext_lazy("Noise"), "decimal", gettext_lazy("Noise sentences for each sentence that counts, from the file of noise.")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    label: Words
    control: str
    hint: Words
    typed: str
    usual: str
    problems: list[Finding]


def rows_of(form: TaskForm, task_type: TaskType, fields: Iterable[tuple[str, Words, str, Words]]) -> list[Row]:
    usual = task_type.default_settings()
    return [
        Row(name, label, control, hint, form.typed.get(name, ""), f"{usual.get(name, '')}", form.problems.get(name, []))
        for name, label, control, hint in fields
    ]


def option_rows(form: TaskForm, task_type: TaskType) -> list[Row]:
    return [
        Row(
            f"option_{option.name}", _(option.help), "text", f"{option.name} ·",
            form.typed.get(f"option_{option.name}", ""), _said(option.default), form.problems.get(f"option_{option.name}", []),
        )
        for option in task_type.options
        if not option.is_local
    ]  # fmt: skip


def _said(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple | list) else f"{value}"


def ranking_places(form: TaskForm) -> list[tuple[int, str]]:
    return [(place, form.typed.get(name, "")) for place, name in enumerate(ranking_fields(form.typed), start=1)]


def sections(form: TaskForm, task_type: TaskType, *, has_runs: bool) -> dict[str, list[Row]]:
    """The rows by the part of the form; what runs have fixed has none."""
    together = TOGETHER if task_type.part and not has_runs else ()
    parts = {"runs": (*RUNS, *together), "feedback": FEEDBACK} | ({"calls": CALLS} if task_type.is_service else {})
    rows = {part: rows_of(form, task_type, fields) for part, fields in parts.items()}
    if has_runs:
        return rows
    return rows | {"split": rows_of(form, task_type, SPLIT), "options": option_rows(form, task_type)}
