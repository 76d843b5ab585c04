"""The form of one scenario: what was typed, what of it is wrong, and the scenario that it says."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from campaigns.campaign_file import ScenarioSpec
from campaigns.dumping import scenario_document
from campaigns.models import Scenario
from organizing.scenarios.cells import COLUMNS, cells_of, document_of
from organizing.scenarios.tables import TABLE
from reading.checking import BadFile, Problems
from reading.findings import Finding


@dataclass(frozen=True, slots=True)
class ScenarioForm:
    """`typed` by column; `problems` by column, under "" what belongs to none."""

    typed: Mapping[str, str]
    problems: Mapping[str, list[Finding]] = field(default_factory=dict)


def form_of(scenario: Scenario | None) -> ScenarioForm:
    return ScenarioForm(cells_of(scenario_document(scenario) if scenario else {}))


def typed_in(sent: Mapping[str, str], key: str = "") -> dict[str, str]:
    """What was typed, by column; the key of a scenario that exists never changes. Browsers send lines with CR."""
    typed = {name: sent.get(name, "").replace("\r\n", "\n") for name in COLUMNS}
    return typed | ({"key": key} if key else {})


def spec_of(typed: Mapping[str, str]) -> ScenarioSpec:
    """Errors: `BadFile` with the names of fields as places."""
    problems = Problems()
    spec: ScenarioSpec | None = TABLE.read(document_of(typed, "", problems), "", "", problems)
    problems.refuse()
    if spec is None:
        raise BadFile(problems.listed())
    return spec


def with_problems(typed: Mapping[str, str], bad: BadFile) -> ScenarioForm:
    by_column: dict[str, list[Finding]] = {}
    for problem in bad.problems:
        by_column.setdefault(_column_of(problem.place), []).append(problem)
    return ScenarioForm(typed, by_column)


def _column_of(place: str) -> str:
    """`title.zh` is typed in `title_zh`, `subtasks[0].turn_cap` in `subtasks`."""
    if place.replace(".", "_") in COLUMNS:
        return place.replace(".", "_")
    head = place.replace("[", ".").replace(",", ".").replace(" ", ".").partition(".")[0]
    if head in ("title", "instructions"):
        return f"{head}_zh"
    return head if head in COLUMNS else ""
