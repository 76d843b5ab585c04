"""How a scripted tester talks where the scenario is no booking."""

from demo.goal_card import Close, Say
from demo.rehearsal import Conversation, things_to_say


def test_a_conversation_opens_uses_every_item_once_and_ends():
    talk = Conversation("开场", ("信息一", "信息二"))
    assert [talk.next(""), talk.next("好"), talk.next("好")] == [Say("开场"), Say("信息一"), Say("信息二")]
    assert talk.next("好") == Close(True)


def test_every_part_takes_three_turns_at_least():
    talk = Conversation("开场", ())
    first = [talk.next("") for _ in range(4)]
    assert first[0] == Say("开场")
    assert [isinstance(step, Say) for step in first] == [True, True, True, False]
    talk.move_to(1)
    second = [talk.next("") for _ in range(4)]
    assert [isinstance(step, Say) for step in second] == [True, True, True, False]


def test_a_scenario_without_items_has_the_wishes_of_its_goals_said():
    facts = {"flight": {"from": "北京", "budget": 500}, "flights": [{"number": "HC1"}], "hotel": {"nights": 3}}
    assert things_to_say((), facts) == ["北京", "500", "3"]
    assert things_to_say(("信息",), facts) == ["信息"]
