"""Finished dialogues from files: three formats, the pairing of what was said into turns, and problems by their place."""

import json

import pytest

from dialogues.dialogue_files import (
    BOT,
    TESTER,
    Exchange,
    Said,
    exchanges,
    read_huace,
    read_mobilecs,
    read_ntcir,
)
from reading.checking import BadFile
from tests.conftest import reference
from tests.scoring.conftest import content_of, in_english

__all__ = ["in_english"]


def said(pattern):
    """`t1` and `b1` for what was said, in order; a word of several letters after b is one bubble each."""
    return [
        Said(TESTER if word[0] == "t" else BOT, tuple(word[1:]) if word[0] == "b" else (word[1:],))
        for word in pattern.split()
    ]


@pytest.mark.parametrize(
    ("pattern", "turns"),
    [
        ("t1 b2 t3 b4", [(1, "1", "2"), (2, "3", "4")]),
        ("b1 t2 b3", [(0, "", "1"), (1, "2", "3")]),
        ("t1 b23", [(1, "1", "23")]),
        ("t1 t2 b3", [(1, "1", ""), (2, "2", "3")]),
        ("t1 b2 b3", [(1, "1", "2"), (2, "", "3")]),
        ("b1 b2 t3", [(0, "", "1"), (1, "", "2"), (2, "3", "")]),
        ("t1", [(1, "1", "")]),
    ],
)
def test_what_was_said_is_paired_into_turns_and_a_bot_that_begins_has_turn_0(pattern, turns):
    assert exchanges(said(pattern)) == [Exchange(number, text, tuple(texts)) for number, text, texts in turns]


def test_our_own_lines_are_read_and_texts_of_the_bot_in_a_row_are_bubbles():
    line = {
        "id": 7, "bot": "B", "team": "T", "scenario": "s",
        "turns": [{"speaker": "tester", "text": "你好"}, {"speaker": "bot", "text": "您好"}, {"speaker": "bot", "text": "请说"}],
    }  # fmt: skip
    (read,) = read_huace(json.dumps(line).encode())
    assert (read.place, read.external_id, read.bot, read.team, read.scenario) == ("line 1", "7", "B", "T", "s")
    assert read.said == (Said(TESTER, ("你好",)), Said(BOT, ("您好", "请说")))


def test_the_ntcir_example_is_read_with_customers_as_testers():
    first, *_ = read_ntcir(content_of("nugget-detection/gold.json"))
    assert (first.external_id, first.place) == ("d1", "[0]")
    assert [one.speaker for one in first.said] == [TESTER, BOT, TESTER, BOT]
    assert first.said[1].texts == ("您好，请问是什么时候购买的？",)


def test_posts_of_a_customer_are_one_text_and_a_turn_without_words_keeps_its_place():
    turns = [{"sender": "customer", "utterances": ["a", "", "b"]}, {"sender": "helpdesk", "utterances": []}]
    (read,) = read_ntcir(json.dumps([{"id": "x", "turns": turns}]).encode())
    assert exchanges(read.said) == [Exchange(1, "a\nb", ("",))]


def test_the_dialogues_of_mobilecs_begin_with_whom_the_order_of_the_intents_names():
    read = read_mobilecs(reference("seretod", "example.json").read_bytes())
    assert len(read) == 10
    first, second, *_ = exchanges(read[0].said)
    assert (first.number, first.texts) == (0, ("你好，很高兴为您服务",))
    assert second.text.startswith("唉你好，我想问一下")
    assert second.texts[0].startswith("对全")


GOOD = {"id": "a", "turns": [{"speaker": "tester", "text": "hi"}]}


@pytest.mark.parametrize(
    ("line", "finding"),
    [
        ("{", "line 2, column 2: is not JSON"),
        (GOOD, "line 2, id: “a” already appears at line 1"),
        ({"id": "b"}, "line 2, turns: is missing"),
        ({"id": "b", "turns": []}, "line 2, turns: holds no turn"),
        ({"id": "b", "turns": [{"speaker": "user", "text": "x"}]}, "line 2, turns[0].speaker: must be one of"),
        ({"id": "b", "turns": [{"speaker": "bot", "text": " "}]}, "line 2, turns[0].text: must not be empty"),
        ({"id": "b", "turns": [{"speaker": "bot", "text": "a\x00"}]}, "line 2, turns[0].text: holds a NUL"),
        (GOOD | {"id": "b", "team": 3}, "line 2, team: must be a text"),
    ],
)
def test_every_problem_of_our_own_lines_is_named_by_its_place(line, finding):
    lines = [json.dumps(GOOD), line if isinstance(line, str) else json.dumps(line), '{"id": "z", "turns": 1}']
    with pytest.raises(BadFile) as bad:
        read_huace("\n".join(lines).encode())
    first, *_, last = map(str, bad.value.problems)
    assert first.startswith(finding)
    assert last.startswith("line 3, turns: must be a list")


@pytest.mark.parametrize(
    ("read", "content", "finding"),
    [
        (
            read_ntcir,
            [{"id": "a", "turns": [{"sender": "me", "utterances": []}]}],
            "[0].turns[0].sender: must be customer",
        ),
        (read_ntcir, [{"id": "a", "turns": [{"sender": "customer"}]}], "[0].turns[0].utterances: is missing"),
        (read_ntcir, [], "file: holds no dialogue"),
        (read_mobilecs, [{"id": "a", "content": [{"[SPEAKER 1]": "x"}]}], "[0].content[0]: must hold the texts"),
        (read_mobilecs, [{"id": "a", "content": []}], "[0].content: holds no turn"),
    ],
)
def test_problems_of_the_organizers_formats_are_named_by_their_place(read, content, finding):
    with pytest.raises(BadFile) as bad:
        read(json.dumps(content).encode())
    assert str(bad.value.problems[0]).startswith(finding)
