"""What a model is asked, and which of its answers are wishes."""

import pytest

from participants.limits import MESSAGE_LIMIT
from reading.checking import BadFile
from simulation.personas import read_manners, usual_manners
from simulation.prompts import Wish, prompt_of, wish_of
from simulation.talk import BOT, TESTER, Line, Part, Talk

CARD = {
    "title": {"zh": "订票", "en": "Tickets"}, "instructions": {"zh": "订两张", "en": ""}, "opening": {"zh": "你好", "en": ""},
    "facts": {"flight": {"to": "上海"}}, "items": ["靠窗"], "subtasks": [{"index": 1, "kind": "flight", "turn_cap": 4}],
    "turn_cap": None,
}  # fmt: skip


def prompt(talk, language="zh", ticked=()):
    return prompt_of(CARD, talk, ticked, persona="P", difficulty="D", language=language, temperature=0.7, seed=3)


def test_the_card_and_the_manner_are_told_and_roles_are_turned_round():
    talk = Talk([Part(1, "flight", 4, "open", used=1)], cap=4, lines=[Line(TESTER, "订票"), Line(BOT, "去哪？")])
    asked = prompt(talk)
    assert [one.role for one in asked.messages] == ["system", "assistant", "user"]
    task = asked.messages[0].content
    assert all(word in task for word in ("订票", "订两张", "上海", "靠窗", "P", "D"))
    assert asked.messages[-1].content.startswith("去哪？")
    assert "还可以说 3 轮" in asked.messages[-1].content


def test_english_falls_back_on_what_the_card_has():
    talk = Talk([Part(1, "flight", 4, "open")], cap=4)
    asked = prompt(talk, "en")
    assert "Tickets" in asked.messages[0].content
    assert "订两张" in asked.messages[0].content
    assert "4 turns left" in asked.messages[1].content


def test_only_what_can_be_done_is_a_wish():
    assert wish_of({"act": "say", "text": " 你好 ", "ticked": [0, 0, 9]}, 1) == Wish("say", "你好", (0,))
    assert wish_of({"act": "finish", "text": "bye", "ticked": []}, 1) == Wish("finish", "", ())
    assert wish_of({"act": "say", "text": " ", "ticked": []}, 1) is None
    assert wish_of({"act": "say", "text": "长" * (MESSAGE_LIMIT + 1), "ticked": []}, 1) is None


def test_personas_are_data_and_a_bad_file_says_what_is_wrong():
    usual = usual_manners()
    assert {one.key for one in usual.difficulties} == {"easy", "hard"}
    assert usual.personas[0].words("en") != usual.personas[0].words("zh")
    with pytest.raises(BadFile) as bad:
        read_manners("a.toml", b'[[personas]]\nkey = "A b"\nzh = "x"\n')
    places = " ".join(str(one) for one in bad.value.problems)
    assert "key" in places
    assert "difficulties" in places
