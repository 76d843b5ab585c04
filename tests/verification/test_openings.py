"""Dialogues are opened with what their scenario and the settings give; each way in which they can differ."""

import pytest

from dialogues.turn_policy import TurnPolicy
from verification.findings import Findings
from verification.talks import check_opening

EXCHANGES = TurnPolicy()
SCENARIO = {"scenario": "s", "subtasks": [{"kind": "flight", "turn_cap": 6}, {"kind": "hotel", "turn_cap": None}]}
LIVE = {
    "dialogue": "d", "origin": "live", "external_id": "", "turn_cap": None, "turns_used": 4,
    "subtasks": [{"kind": "flight", "cap": 6}, {"kind": "hotel", "cap": None}],
}  # fmt: skip
IMPORTED = LIVE | {"origin": "imported", "external_id": "x", "subtasks": [{"kind": "dialogue", "cap": 4}]}


def found(dialogue, *, scenario=SCENARIO, cap=None, asks=True, policy=EXCHANGES):
    findings = Findings()
    campaign = {"settings": {"turn_cap": cap}, "rubric": {"asks_for_verdicts": asks}}
    check_opening(3, dialogue, scenario, campaign, policy, findings)
    return list(map(str, findings))


def test_a_dialogue_has_the_parts_and_caps_of_its_scenario():
    assert found(LIVE) == []
    other = LIVE | {"subtasks": [LIVE["subtasks"][0], {"kind": "hotel", "cap": 9}]}
    assert found(other) == ["dialogues.jsonl, line 3: dialogue d has other parts or caps than the scenario s"]


def test_caps_are_those_that_can_be_used_where_utterances_are_counted():
    """Of eight, the bot's opening is one and three exchanges are six; of seven in a later part, three exchanges are six."""
    spoken = TurnPolicy(per_exchange=2, opening=1)
    scenario = {"scenario": "s", "subtasks": [{"kind": "flight", "turn_cap": 8}, {"kind": "hotel", "turn_cap": 7}]}
    parts = [{"kind": "flight", "cap": 7}, {"kind": "hotel", "cap": 6}]
    assert found(LIVE | {"subtasks": parts}, scenario=scenario, policy=spoken) == []


def test_one_cap_is_that_of_the_settings():
    assert found(LIVE | {"turn_cap": 9}, cap=9) == []
    assert found(LIVE, cap=9) == ["dialogues.jsonl, line 3: dialogue d has another turn cap than the settings give it"]


def test_an_imported_dialogue_is_one_part_of_its_own_length():
    assert found(IMPORTED, cap=9) == []
    assert found(IMPORTED | {"subtasks": []}, asks=False) == []
    longer = IMPORTED | {"subtasks": [{"kind": "dialogue", "cap": 5}]}
    assert found(longer) == ["dialogues.jsonl, line 3: dialogue d has other parts or caps than imported dialogues have"]


@pytest.mark.parametrize("changed", [{"origin": "imported"}, {"external_id": "x"}, {"origin": "practice"}])
def test_an_imported_dialogue_has_an_id_elsewhere_and_a_live_one_has_none(changed):
    assert any("which its id elsewhere denies" in one for one in found(LIVE | changed))


def test_the_scenario_of_imported_dialogues_has_no_parts():
    imported = {"scenario": "imported", "subtasks": []}
    assert found(IMPORTED, scenario=imported) == []
    parts = imported | {"subtasks": [{"kind": "x", "turn_cap": 1}]}
    assert found(IMPORTED, scenario=parts) == [
        "scenarios.jsonl: imported has parts, which imported dialogues bring themselves"
    ]
