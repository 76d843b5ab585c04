"""The form of one scenario: texts and rows as they were typed, what of it is wrong, and the scenario that it says."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from string import ascii_lowercase
from typing import Any

from django.http import QueryDict

from campaigns.actions.scenarios import usual_cap
from campaigns.campaign_file.dumping import scenario_document
from campaigns.campaign_file.reader import ScenarioSpec
from campaigns.models import Campaign, Scenario
from organizing.scenarios.cells import COLUMNS, cells_of, document_of
from organizing.scenarios.fact_rows import FactRow, TableRow, facts_of_rows, rows_of_facts
from organizing.scenarios.tables import TABLE
from reading.checking import BadFile, Problems
from reading.digits import whole_or_text
from reading.findings import Finding

TEXTS = tuple(name for name in COLUMNS if name not in ("facts", "subtasks"))
# What may change while there are dialogues; the page sends nothing else then.
ENGLISH = ("title_en", "opening_en", "instructions_en")
SHOWN = ("title_zh", "instructions_zh", *ENGLISH)
# A press of a button beside a row: which rows, what happens, to which of them.
_ACT = re.compile(r"(parts|facts|tables)\.(?:(add)|(up|down|remove)\.(\d{1,3}))")
_SUBTASK, _ROW = re.compile(r"subtasks\[(\d+)\](\.?)"), re.compile(r"(facts|tables)\[\d+\]")


@dataclass(frozen=True, slots=True)
class PartRow:
    kind: str = ""
    cap: str = ""

    @property
    def is_blank(self) -> bool:
        return not (self.kind.strip() or self.cap.strip())


BLANK = {"parts": PartRow(), "facts": FactRow(), "tables": TableRow()}


@dataclass(frozen=True, slots=True)
class ScenarioForm:
    """`texts` by name. `problems` by the name of a text, or `parts`, `facts[0]`, …; under "" what belongs to none."""

    texts: Mapping[str, str]
    parts: tuple[PartRow, ...] = ()
    facts: tuple[FactRow, ...] = ()
    tables: tuple[TableRow, ...] = ()
    problems: Mapping[str, list[Finding]] = field(default_factory=dict)

    @property
    def has_english(self) -> bool:
        return any(self.texts[name] for name in ENGLISH)

    @property
    def has_others(self) -> bool:
        return any(self.texts[name] for name in ("skill", "items", "context", "practice"))

    def rearranged(self, act: str) -> "ScenarioForm":
        """With a row added, moved or removed; the same where there is no such act or row."""
        pressed = _ACT.fullmatch(act)
        if pressed is None:
            return self
        name, adds, moves, number = pressed.groups()
        rows = [*getattr(self, name)]
        if adds:
            rows.append(BLANK[name])
        elif int(number) < len(rows):
            row, at = rows.pop(int(number)), int(number)
            if moves != "remove":
                rows.insert(max(at - 1, 0) if moves == "up" else at + 1, row)
        changed: dict[str, Any] = {name: tuple(rows)}
        return replace(self, **changed)

    def refused(self, bad: BadFile) -> "ScenarioForm":
        """With each problem at its place."""
        by_place: dict[str, list[Finding]] = {}
        for problem in bad.problems:
            by_place.setdefault(self._place_of(problem.place), []).append(problem)
        return replace(self, problems=by_place)

    def _place_of(self, place: str) -> str:
        """`title.zh` is typed in `title_zh`, `subtasks[0].turn_cap` in a row that says something."""
        if place.replace(".", "_") in TEXTS:
            return place.replace(".", "_")
        if found := _SUBTASK.match(place):
            # Readers count from 0, messages about a declared file from 1.
            nth = int(found[1]) - (not found[2])
            said = [number for number, row in enumerate(self.parts) if not row.is_blank]
            return f"parts[{said[nth]}]" if nth < len(said) else "parts"
        if _ROW.fullmatch(place):
            return place
        head = place[: len(place) - len(place.lstrip(ascii_lowercase + "_"))]
        places = {"subtasks": "parts", "facts": "facts", "title": "title_zh", "instructions": "instructions_zh"}
        return places.get(head, head if head in TEXTS else "")


def form_of(scenario: Scenario | None) -> ScenarioForm:
    document = scenario_document(scenario) if scenario else {}
    cells = cells_of(document)
    facts, tables = rows_of_facts(document.get("facts", {}))
    parts = tuple(PartRow(one["kind"], str(one.get("turn_cap", ""))) for one in document.get("subtasks", ()))
    return ScenarioForm({name: cells[name] for name in TEXTS}, parts or (PartRow(),), facts, tables)


def typed_in(sent: QueryDict, stored: Scenario | None = None) -> ScenarioForm:
    """What was typed; the key of a scenario that exists never changes. Browsers send lines with CR."""
    texts = {name: sent.get(name, "").replace("\r\n", "\n") for name in TEXTS}
    # Once it has begun, the rest is disabled and browsers leave it out; an older page that sends it is refused.
    if stored is not None and "part_kind" not in sent and stored.has_begun():
        before = form_of(stored)
        return replace(before, texts={**before.texts, **{name: texts[name] for name in SHOWN}})

    def columns(*names: str) -> Any:
        return zip_longest(*(sent.getlist(name) for name in names), fillvalue="")

    return ScenarioForm(
        texts | ({"key": stored.key} if stored else {}),
        tuple(PartRow(*row) for row in columns("part_kind", "part_cap")),
        tuple(FactRow(*row) for row in columns("fact_part", "fact_name", "fact_kind", "fact_value")),
        tuple(TableRow(*row) for row in columns("table_name", "table_lines")),
    )


def spec_of(form: ScenarioForm) -> ScenarioSpec:
    """Errors: `BadFile` with the names of fields and rows as places."""
    problems = Problems()
    spec: ScenarioSpec | None = TABLE.read(_document_of(form, problems), "", "", problems)
    problems.refuse()
    if spec is None:
        raise BadFile(problems.listed())
    return spec


def _document_of(form: ScenarioForm, problems: Problems) -> dict[str, Any]:
    document = document_of(form.texts, "", problems)
    facts = facts_of_rows(form.facts, form.tables, problems)
    parts: list[dict[str, Any]] = [
        {"kind": row.kind.strip()} | ({"turn_cap": whole_or_text(row.cap.strip())} if row.cap.strip() else {})
        for row in form.parts
        if not row.is_blank
    ]
    return document | ({"facts": facts} if facts else {}) | {"subtasks": parts}


def draft_of(campaign: Campaign, form: ScenarioForm) -> tuple[Scenario, list[tuple[str, int | None]]]:
    """The scenario as far as it is typed, not stored, and its parts with their caps: for the goal card."""
    document = _document_of(form, Problems())
    texts = {name: form.texts[name] for name in ("key", "opening", *SHOWN)}
    scenario = Scenario(campaign=campaign, facts=document.get("facts", {}), items=document.get("items", []), **texts)
    caps = [(one["kind"], one.get("turn_cap", usual_cap(campaign))) for one in document["subtasks"]]
    return scenario, [(kind, cap if isinstance(cap, int) else None) for kind, cap in caps]
