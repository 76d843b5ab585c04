"""The form of one automatic task: what was typed, what of it is wrong, and the task that it says. Pure.

Its fields are those of the table `[[tasks]]` of a task file, read by the same definitions.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_noop

from automatic_tasks.task_file import TaskSpec, completed
from organizing.setting_up.calendar_form import moment_of, on_clock
from reading.checking import Problems
from reading.findings import Finding
from reading.kinds import Wrong
from reading.tables import table_of
from scoring.one_run import read_options
from scoring.task_types import TASK_TYPES
from scoring.task_types.contract import TaskType

TABLE = table_of(TaskSpec)
WHOLE, REAL, DATES = ("quota_total", "quota_per_day", "decimals", "batch_size"), (
    "development_share", "min_gain", "deadline_s", "noise_ratio",
), ("runs_from", "runs_until")  # fmt: skip
OF_SERVICES = ("batch_size", "deadline_s", "noise_ratio")
FLAGS = ("open", "board_open")
# Places in the form, and more if a file named more.
RANKING_KEYS = 4
LOCAL = gettext_noop("names a file or folder of the platform's machine: only a task file on that machine may say it")


@dataclass(frozen=True, slots=True)
class TaskForm:
    """`typed` by field; `problems` by field, under "" what belongs to none."""

    typed: Mapping[str, str]
    problems: Mapping[str, list[Finding]] = field(default_factory=dict)


def names_of(task_type: TaskType) -> list[str]:
    """The fields of the form; those of files are apart."""
    numbers = [name for name in (*WHOLE, *REAL) if task_type.is_service or name not in OF_SERVICES]
    ranking = ranking_fields({})
    options = [f"option_{option.name}" for option in task_type.options if not option.is_local]
    together = ["handed_in_with"] if task_type.part else []
    return ["key", "name_zh", "name_en", *ranking, "development_ids", *together, *numbers, *DATES, *options, *FLAGS]


def ranking_fields(typed: Mapping[str, str]) -> list[str]:
    """One per key by which runs are ranked, in their order."""
    n = sum(name.startswith("ranking_") for name in typed)
    return [f"ranking_{place}" for place in range(1, max(n, RANKING_KEYS) + 1)]


def typed_of(document: Mapping[str, Any], zone: str) -> dict[str, str]:
    """The fields that say this `[[tasks]]` table."""
    name, clocks = document.get("name", {}), ZoneInfo(zone)
    typed = {
        "key": document.get("key", ""),
        "name_zh": name.get("zh", ""),
        "name_en": name.get("en", ""),
        "development_ids": "\n".join(document.get("development_ids", [])),
        "handed_in_with": document.get("handed_in_with", ""),
    }
    for number in (*WHOLE, *REAL):
        typed[number] = f"{document[number]}" if number in document else ""
    for date in DATES:
        typed[date] = on_clock(document.get(date), clocks)
    for place, figure in enumerate(document.get("ranking", []), start=1):
        typed[f"ranking_{place}"] = figure
    for option, value in document.get("options", {}).items():
        typed[f"option_{option}"] = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    for flag in FLAGS:
        typed[flag] = "yes" if document.get(flag) else ""
    return typed


def typed_in(sent: Mapping[str, str], task_type: TaskType, before: Mapping[str, str]) -> dict[str, str]:
    """What was typed, by field; what the form did not ask for stays as it was `before`. Browsers send lines with CR."""
    return {
        name: sent.get(name, before.get(name, "")).replace("\r\n", "\n")
        for name in {*names_of(task_type), *(key for key in before if key.startswith(("option_", "ranking_")))}
    }


def spec_of(typed: Mapping[str, str], task_type: TaskType, zone: str, files: set[str], problems: Problems) -> TaskSpec:
    """The task that was typed, with `files` (`gold`, `noise`) beside; what is wrong is noted by field."""
    document = _document(typed, task_type, ZoneInfo(zone), problems)
    spec: TaskSpec = TABLE.read(document | {name: name for name in files}, "", "", problems)
    return completed(spec, "", problems)


def refuse_local_options(said: Mapping[str, Any], before: Mapping[str, Any], type: str, problems: Problems) -> None:
    """A path of the platform's machine stays what it is, for a browser or a program far away."""
    for option in TASK_TYPES[type].options:
        now, was = said.get(option.name, option.default), before.get(option.name, option.default)
        if option.is_local and now != was:
            problems.note(f"options.{option.name}", LOCAL)


def _document(typed: Mapping[str, str], task_type: TaskType, zone: ZoneInfo, problems: Problems) -> dict[str, Any]:
    document: dict[str, Any] = {"type": task_type.name, "key": typed["key"].strip()}
    pair = {"zh": typed["name_zh"].strip(), "en": typed["name_en"].strip()}
    document["name"] = {language: text for language, text in pair.items() if text} or pair
    for name in (*WHOLE, *REAL):
        if typed.get(name, "").strip():
            document[name] = _number(typed[name].strip())
    ids = [line.strip() for line in typed["development_ids"].splitlines() if line.strip()]
    ranking = [typed.get(name, "") for name in ranking_fields(typed)]
    lists = {"development_ids": ids, "ranking": [figure for figure in ranking if figure]}
    document |= {name: listed for name, listed in lists.items() if listed}
    if first := typed.get("handed_in_with", "").strip():
        document["handed_in_with"] = first
    for name in DATES:
        try:
            moment = moment_of(typed[name].strip(), zone)
        except Wrong as wrong:
            problems.add(wrong.at(name))
            continue
        document |= {name: moment} if moment else {}
    document["options"] = _options(typed, task_type, problems)
    return document | {flag: typed.get(flag) == "yes" for flag in FLAGS}


def _options(typed: Mapping[str, str], task_type: TaskType, problems: Problems) -> dict[str, str]:
    """Each by itself, so that each has its problem beside it."""
    said = {}
    for option in task_type.options:
        text = typed.get(f"option_{option.name}", "").strip()
        if not text:
            continue
        try:
            read_options(task_type, {option.name: text})
        except Wrong as wrong:
            problems.add(wrong.at(f"options.{option.name}"))
            continue
        said[option.name] = text
    return said


def _number(typed: str) -> Any:
    """A number where it is one; else the text, of which the field's kind says what is wrong.

    Whatever a stored number is shown as is read again: 1e-05, and seventeen digits.
    """
    if re.fullmatch(r"[+-]?\d{1,15}", typed, re.ASCII):
        return int(typed)
    if re.fullmatch(r"[+-]?(\d{1,15}|\d{0,15}\.\d{1,20})([eE][+-]?\d{1,2})?", typed, re.ASCII):
        return float(typed)
    return typed


def field_of(place: str) -> str:
    """The field that a problem stands beside: `name.zh` is typed in `name_zh`, `gold, line 7` is of the file `gold`."""
    head, _, rest = re.sub(r"[\[, ]+", ".", place).partition(".")
    match head:
        case "name":
            return "name_en" if rest == "en" else "name_zh"
        case "options":
            return f"option_{rest}" if rest else ""
        case "ranking":
            return "ranking_1"
    return head


def by_field(problems: list[Finding]) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = {}
    for problem in problems:
        found.setdefault(field_of(problem.place), []).append(problem)
    return found
