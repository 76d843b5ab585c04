import json

import pytest

from measures.automatic.mobilecs import Document, Mention, Triple
from reading.checking import BadFile, Problems
from scoring.mobilecs_files import (
    ITEMS_PER_DIALOGUE,
    annotated_dialogue,
    dialogues_of,
    extracted_document,
    goal_dialogue,
)


def said(problems: Problems) -> list[str]:
    return [str(problem) for problem in problems.listed()]


def turn(**changes):
    ents = [{"id": "ent-1", "name": "套餐", "type": "业务", "pos": [[2, 0, 2], [1, 3, 5]]}]
    triples = [{"ent-id": "ent-1", "prop": "费用", "value": "八元", "pos": [1, 0, 2]}]
    row = {"[SPEAKER 1]": "八元套餐[UNK]", "[SPEAKER 2]": "套餐多少钱", "用户意图": "询问", "客服意图": "通知"}
    return row | {"info": {"ents": ents, "triples": triples}} | changes


def test_an_annotation_lies_on_the_side_of_the_speaker_that_its_position_names():
    (read,) = annotated_dialogue({"content": [turn()]}, "[0]", Problems()).turns
    # The user's intent stands first, so the user is the first speaker who is named.
    assert (read.user, read.service, read.service_first) == ("八元套餐", "套餐多少钱", False)
    assert read.user_mentions == (Mention("ent-1", "套餐", "业务", 0, 3, 5),)
    assert read.service_mentions == (Mention("ent-1", "套餐", "业务", 0, 0, 2),)
    assert read.user_triples == (Triple("ent-1", "费用", "八元", 0),)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"[SPEAKER 3]": "x"}, "content[0]: must hold the texts [SPEAKER 1] and [SPEAKER 2]"),
        ({"用户意图": 5}, "content[0].用户意图: must be a text, not a number"),
        ({"info": []}, None),
        ({"info": [1]}, "content[0].info: must be an object, not a list"),
        (
            {"info": {"triples": [{"ent-id": "NA", "prop": "a", "value": "b", "pos": [1, -1, 2]}]}},
            "content[0].info.triples[0].pos: must be [speaker, start, end] in whole numbers, not […]",
        ),
    ],
)
def test_a_broken_annotation_is_named_with_its_place(changes, problem):
    problems = Problems()
    annotated_dialogue({"content": [turn(**changes)]}, "", problems)
    assert said(problems) == ([problem] if problem else [])


def test_a_prepared_dialogue_without_a_goal_gets_it_from_what_the_user_said_and_asked():
    """By hand: the user says 八元 (not 十元) in the second turn, and asks for the flow in the first."""
    turns = [
        {"用户": "你好", "客服": "您好", "用户意图": "询问(ent-1-流量)", "客服意图": "问候"},
        {"用户": "是八元套餐", "客服": "对", "用户意图": "其他", "客服意图": "通知"},
    ]
    kb = {"ent-1": {"name": "套餐", "type": "业务", "费用": "十元,八元", "流量": ["两G"]}}
    problems = Problems()
    dialogue = goal_dialogue({"KB": kb, "content": turns}, "", problems)
    assert said(problems) == []
    assert dialogue.kb["ent-1"]["费用"] == ["十元", "八元"]
    assert dialogue.goal == {"ent-1": {"流量": ["?"], "用户意图": ["询问"], "费用": ["八元"]}}


def test_an_extracted_document_keeps_mentions_and_triples():
    row = {
        "entities": [{"id": "e", "name": "套餐", "type": "业务", "position": [1, 0, 2], "turn_id": 0}],
        "triples": [{"ent-id": "e", "prop": "费用", "value": "八元", "turn_id": 1}],
    }
    problems = Problems()
    assert extracted_document(row, "[0]", 2, problems) == Document(
        (Mention("e", "套餐", "业务", 0, 0, 2),), (Triple("e", "费用", "八元", 1),)
    )
    assert said(problems) == []
    extracted_document(row, "[0]", 1, problems)
    assert said(problems) == ["[0].triples[0].turn_id: must be a whole number from 0 to 0, not 1"]


@pytest.mark.parametrize("position", [[2, 1], [1], [0, 1, 2, 3], [0, 1.5], "0:2", [-1, 2]])
def test_a_span_that_is_none_is_named(position):
    row = {"entities": [{"id": "e", "name": "a", "type": "b", "position": position, "turn_id": 0}], "triples": []}
    problems = Problems()
    assert extracted_document(row, "", 1, problems).mentions == ()
    (problem,) = problems.listed()
    assert problem.place == "entities[0].position"


def test_a_document_with_too_many_items_is_refused_before_they_are_read():
    problems = Problems()
    extracted_document({"entities": [5] * (ITEMS_PER_DIALOGUE + 1), "triples": []}, "", 1, problems)
    assert said(problems) == ["entities: holds 2001 items; 2000 are the most"]


def test_a_file_without_dialogues_is_named():
    problems = Problems()
    assert dialogues_of(b"[]", problems) == []
    assert said(problems) == ["file: holds no dialogue"]
    with pytest.raises(BadFile):
        dialogues_of(b"[", Problems())
    assert dialogues_of(json.dumps([{"id": 5}]).encode(), Problems()) == [("[0]", "5", {"id": 5})]
