import json

import pytest

from reading.checking import BadFile
from scoring.task_types import TASK_TYPES

DIALOGUES = TASK_TYPES["task-oriented-dialogue"]
OPTIONS = DIALOGUES.default_options() | {"missing": "count"}
KB = {"ent-1": {"name": "晨星套餐", "type": "主套餐", "业务费用": "三十九元"}}
TURN = {"用户": "晨星套餐多少钱", "客服": "每月三十九元", "用户意图": "询问(ent-1-业务费用)", "客服意图": "通知"}
GOLD = json.dumps([{"id": "d1", "KB": KB, "content": [TURN]}]).encode()
RIGHT = {"用户意图-生成": "询问(晨星套餐-业务费用)", "客服意图-生成": "通知", "客服-生成": "每月三十九元"}


def figures(*turns: dict, **options: str):
    given = OPTIONS | options
    gold = DIALOGUES.read_gold(GOLD, given)
    content = json.dumps([{"id": "d1", "content": list(turns)}] if turns else [{"id": "d9", "content": []}]).encode()
    return DIALOGUES.score(gold, DIALOGUES.read_run(content, gold, given), given)


def test_a_dialogue_that_is_repeated_is_right_in_everything():
    """By hand: user F1 1 + system F1 1 + success 1 + BLEU 100 / 50."""
    found = figures(RIGHT).figures
    assert (found["user_intent.f1"], found["system_intent.f1"], found["success"]) == (1.0, 1.0, 1.0)
    assert found["bleu"] == pytest.approx(100.0)
    assert found["combined"] == pytest.approx(5.0)


def test_another_act_and_an_answer_without_the_price_succeed_in_nothing():
    found = figures(RIGHT | {"用户意图-生成": "客套", "客服-生成": "好"}).figures
    assert (found["user_intent.f1"], found["system_intent.f1"], found["success"]) == (0.0, 1.0, 0.0)


def test_the_result_names_its_reading():
    assert figures(RIGHT).notes == {"reading": "strict"}
    assert figures(RIGHT, compat="seretod2022").notes == {"reading": "seretod2022"}


def test_another_number_of_turns_is_a_problem():
    with pytest.raises(BadFile, match=r"\[0\]: has 2 turns; the dialogue has 1"):
        figures(RIGHT, RIGHT)


def test_a_run_without_a_dialogue_of_the_task_is_a_problem():
    with pytest.raises(BadFile, match="holds no dialogue of this task"):
        figures()
