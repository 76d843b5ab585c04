import json

import pytest

from scoring.task_types import TASK_TYPES

EXTRACTION = TASK_TYPES["information-extraction"]
OPTIONS = EXTRACTION.default_options()
TURN = {
    "[SPEAKER 1]": "晨星套餐每月三十九元",
    "[SPEAKER 2]": "好",
    "客服意图": "通知",
    "用户意图": "客套",
    "info": {
        "ents": [{"name": "晨星套餐", "id": "ent-1", "type": "主套餐", "pos": [[1, 0, 4]]}],
        "triples": [{"ent-id": "ent-1", "ent-name": "晨星套餐", "prop": "业务费用", "value": "三十九元", "pos": [1, 6, 10]}],
    },
}  # fmt: skip
GOLD = json.dumps([{"id": name, "content": [TURN]} for name in ("d1", "d2")]).encode()
FOUND = {
    "entities": [{"id": "e", "name": "晨星套餐", "type": "主套餐", "position": [0, 4], "turn_id": 0}],
    "triples": [{"ent-id": "e", "ent-name": "晨星套餐", "prop": "业务费用", "value": "三十九元", "turn_id": 0}],
}


def checked_and_figures(*names: str):
    gold = EXTRACTION.read_gold(GOLD, OPTIONS)
    checked = EXTRACTION.read_run(json.dumps([{"id": name} | FOUND for name in names]).encode(), gold, OPTIONS)
    return checked, EXTRACTION.score(gold, checked, OPTIONS).figures


def test_what_was_found_everywhere_has_a_mean_f1_of_1():
    _, figures = checked_and_figures("d1", "d2")
    assert (figures["score"], figures["entity_f1"], figures["triple_f1"]) == (1.0, 1.0, 1.0)


def test_a_missing_document_costs_recall():
    """By hand: precision 1 and recall 1/2 are an F1 of 2/3."""
    checked, figures = checked_and_figures("d1")
    assert (figures["entity_precision"], figures["entity_recall"]) == (1.0, 0.5)
    assert figures["score"] == pytest.approx(2 / 3)
    assert [str(warning) for warning in checked.warnings] == ["document d2: is missing, which counts as wrong"]


def test_an_unknown_document_is_left_out_with_a_warning():
    checked, figures = checked_and_figures("d1", "d2", "d9")
    assert figures["score"] == 1.0
    assert [str(warning) for warning in checked.warnings] == [
        "[2].id: “d9” is not a document of this task and is left out"
    ]
