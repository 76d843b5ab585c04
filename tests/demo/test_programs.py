"""A script is said whole, whatever a line or a server does."""

import asyncio

from demo.goal_card import Close, Say
from demo.programs import ScriptPlayer
from simulation.prompts import FINISH, SAY
from simulation.talk import BOT, TESTER, Line, Part, Talk

CARD = {"items": ["a", "b"]}


class Script:
    def __init__(self):
        self.steps, self.heard, self.moved = iter([Say("one"), Say("two"), Close(True), Say("three")]), [], []

    def next(self, heard):
        self.heard.append(heard)
        return next(self.steps)

    def move_to(self, index):
        self.moved.append(index)


def test_what_came_of_nothing_is_said_again():
    script, talk = Script(), Talk([Part(1, "", 5, "open"), Part(2, "", 5, "pending")])
    player = ScriptPlayer(lambda card: script)

    def wished():
        return asyncio.run(player.wish(CARD, talk, []))

    asyncio.run(player.begins("d", CARD, talk))
    # The server refused it, or the line was cut before it came there.
    assert [wished().text, wished().text] == ["one", "one"]
    talk.used, talk.lines = 1, [Line(TESTER, "one"), Line(BOT, "yes")]
    assert (wished().act, wished().text) == (SAY, "two")
    # The turn failed for good: nothing was heard.
    talk.used, talk.lines = 2, [*talk.lines, Line(TESTER, "two")]
    closing = wished()
    assert (closing.act, closing.ticked, wished()) == (FINISH, (0, 1), closing)
    talk.parts[0].status = "completed"
    assert wished().text == "three"
    assert (script.heard, script.moved) == (["", "yes", "", ""], [1])
