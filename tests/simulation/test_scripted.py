"""The scripted tester says what stands on the goal card, part by part, and finishes each."""

import asyncio

from simulation.prompts import FINISH, SAY, Wish
from simulation.scripted import MORE, ScriptedTester, lines_of, scripted_wish
from simulation.talk import Part, Talk


def card(*kinds, items=(), facts=None, may_end="any_time"):
    return {
        "opening": {"zh": "你好", "en": "Hello"},
        "items": list(items),
        "facts": facts or {},
        "subtasks": [{"index": n, "kind": kind, "turn_cap": 9} for n, kind in enumerate(kinds, start=1)],
        "tester_may_end": may_end,
    }


def talk(*used):
    """Parts in which that many turns were used; the last one is open."""
    parts = [Part(n, "x", 9, "finished" if n < len(used) else "open", said) for n, said in enumerate(used, start=1)]
    return Talk(parts, cap=18, used=sum(used))


def test_each_part_has_its_own_facts_and_the_first_what_belongs_to_none():
    facts = {
        "hotel": {"nights": 3},
        "flight": {"from": "北京", "to": "上海"},
        "budget": 500,
        "hotels": [{"name": "云栖"}],
    }
    assert lines_of(card("flight", "hotel", facts=facts), "zh") == [["你好", "北京", "上海", "500"], ["3"]]


def test_items_are_said_in_the_first_part_after_the_opening():
    assert lines_of(card("a", "b", items=("一", "二"), facts={"a": {"x": "y"}}), "en") == [["Hello", "一", "二"], []]


def test_a_language_without_an_opening_takes_the_other_one():
    without = card("a") | {"opening": {"zh": "你好", "en": ""}}
    assert lines_of(without, "en") == [["你好"]]


def test_it_ticks_what_it_said_and_finishes_with_everything_ticked():
    about = card("a", items=("一", "二"))
    assert [scripted_wish(about, talk(used), "zh") for used in range(4)] == [
        Wish(SAY, "你好"),
        Wish(SAY, "一"),
        Wish(SAY, "二", (0,)),
        Wish(FINISH, "", (0, 1)),
    ]


def test_a_part_with_nothing_to_say_goes_on_for_a_while():
    wishes = [scripted_wish(card("a", "b"), talk(3, used), "en") for used in range(4)]
    assert [wish.text for wish in wishes] == [*MORE["en"], ""]
    assert wishes[-1].act == FINISH


def test_what_only_the_cap_may_end_is_not_finished():
    assert scripted_wish(card("a", may_end="all_used"), talk(8), "zh").act == SAY


def test_once_it_is_stopped_it_gives_the_dialogue_up():
    stopped = ScriptedTester("zh", lambda: True)
    assert asyncio.run(stopped.wish(card("a"), talk(0), [])) is None
