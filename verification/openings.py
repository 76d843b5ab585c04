"""Whether dialogues were opened with the parts, caps and speaker that their scenario and the campaign's settings give. Pure."""

from collections.abc import Mapping
from typing import Any

from dialogues.turn_policy import TurnPolicy
from verification.bundle_format import IMPORTED_SCENARIO
from verification.findings import Findings, shown
from verification.tables import Object
from verification.talks import DIALOGUES

SCENARIOS = "scenarios.jsonl"
LIVE, IMPORTED = "live", "imported"
# Where reviewers say what is finished, an imported dialogue is one part of this kind.
PART_OF_IMPORTED = "dialogue"


def check_opening(
    line: int, dialogue: Object, scenario: Object, campaign: Mapping[str, Any], policy: TurnPolicy, findings: Findings
) -> None:
    """Neither a scenario's parts nor what rules the caps change once there is a dialogue."""
    is_imported = dialogue["origin"] == IMPORTED
    if dialogue["origin"] not in (LIVE, IMPORTED) or is_imported is not bool(dialogue["external_id"]):
        text = f"dialogue {shown(dialogue['dialogue'])} is told as {shown(dialogue['origin'])}, which its id elsewhere denies"
        findings.note(DIALOGUES, text, line=line, figure="origin")
    cap = campaign["settings"]["turn_cap"]
    if dialogue["turn_cap"] != (None if is_imported or cap is None else policy.shown_cap(cap)):
        text = f"dialogue {shown(dialogue['dialogue'])} has another turn cap than the settings give it"
        findings.note(DIALOGUES, text, line=line, figure="turn_cap")
    if scenario["scenario"] == IMPORTED_SCENARIO and scenario["subtasks"]:
        findings.note(SCENARIOS, f"{IMPORTED_SCENARIO} has parts, which imported dialogues bring themselves")
    parts = [(one["kind"], one["cap"]) for one in dialogue["subtasks"]]
    wanted = _parts_of_imported(dialogue, campaign, policy) if is_imported else _parts_of(scenario, policy)
    if parts != wanted:
        text = f"dialogue {shown(dialogue['dialogue'])} has other parts or caps than {_source(scenario, is_imported=is_imported)}"
        findings.note(DIALOGUES, text, line=line, figure="subtasks")


def _source(scenario: Object, *, is_imported: bool) -> str:
    return "imported dialogues have" if is_imported else f"the scenario {shown(scenario['scenario'])}"


def _parts_of(scenario: Object, policy: TurnPolicy) -> list[tuple[Any, int | None]]:
    return [
        (one["kind"], None if one["turn_cap"] is None else policy.shown_cap(one["turn_cap"], is_first=index == 1))
        for index, one in enumerate(scenario["subtasks"], start=1)
    ]


def _parts_of_imported(
    dialogue: Object, campaign: Mapping[str, Any], policy: TurnPolicy
) -> list[tuple[Any, int | None]]:
    if not campaign["rubric"]["asks_for_verdicts"]:
        return []
    # Its cap is what was said in it, but for one in which nothing was.
    return [(PART_OF_IMPORTED, max(dialogue["turns_used"], policy.turns(1)))]
