"""What is known of a dialogue's calls is kept for a while, read again beside the turns, and never used when it is old."""

import asyncio
from contextlib import asynccontextmanager
from datetime import timedelta
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from campaigns.models import Entry
from dialogues.models import Attempt, Dialogue
from dialogues.queries import About
from dialogues.turn_taking import EndReason
from participants.outbound import Door
from reviews.actions.deciding import void_dialogue
from serving.background import Background
from testing_console.live import briefings, floor
from testing_console.live import briefings as farewells
from testing_console.live.briefings import FRESH_S, KEPT_S, OLD_SERVES_S, Briefings
from testing_console.live.recovery import close_what_is_silent
from tests.conftest import Admitted
from tests.fakes.raw_bots import http, raw_bot

DIALOGUE, OTHER = UUID(int=1), UUID(int=2)
HERE, ELSEWHERE = About(1, 1, True), About(1, 2, True)


@pytest.fixture
async def kept(monkeypatch):
    """Briefings on a clock of their own; `n_reads` counts, and each reading gives its number."""

    async def look_up(query, about):
        made.n_reads += 1
        await asyncio.sleep(0)
        return f"read {made.n_reads}"

    monkeypatch.setattr(briefings, "look_up", look_up)
    made = Briefings(Background(asyncio.get_running_loop()))
    made.n_reads, made.seconds = 0, 0.0
    made._now = lambda: made.seconds
    await made.meet(DIALOGUE, HERE)
    return made


async def test_a_new_one_is_taken_as_it_is(kept):
    kept.seconds = KEPT_S
    assert await kept.of(DIALOGUE) == "read 1"
    await asyncio.sleep(0)
    assert kept.n_reads == 1


async def test_one_that_gets_old_serves_once_more_while_it_is_read_again(kept):
    kept.seconds = KEPT_S + 1
    assert kept.known(DIALOGUE) == kept.known(DIALOGUE) == "read 1"
    await asyncio.sleep(0.01)
    assert kept.known(DIALOGUE) == "read 2"
    assert kept.n_reads == 2


async def test_one_that_is_old_is_read_before_it_serves(kept):
    kept.seconds = KEPT_S + OLD_SERVES_S + 1
    assert kept.known(DIALOGUE) is None
    assert await kept.of(DIALOGUE) == "read 2"


async def test_sockets_that_open_at_once_share_a_reading_and_a_later_one_has_its_own(kept):
    await asyncio.gather(*(kept.meet(UUID(int=number), ELSEWHERE) for number in range(2, 99)))
    assert kept.n_reads == 2
    assert {kept.known(UUID(int=number)) for number in range(2, 99)} == {"read 2"}
    kept.seconds = FRESH_S + 1
    await kept.meet(OTHER, ELSEWHERE)
    assert (kept.known(DIALOGUE), kept.known(OTHER)) == ("read 1", "read 3")


async def test_a_socket_that_goes_leaves_the_reading_to_the_others(kept):
    going, staying = (asyncio.ensure_future(kept.meet(one, ELSEWHERE)) for one in (UUID(int=3), OTHER))
    await asyncio.sleep(0)
    going.cancel()
    await staying
    assert kept.known(OTHER) == "read 2"


async def test_what_is_old_and_about_no_open_dialogue_is_dropped(kept):
    await kept.meet(OTHER, ELSEWHERE)
    kept.seconds = KEPT_S
    kept.drop(but=[OTHER])
    assert kept.known(DIALOGUE) is None
    assert kept.known(OTHER) == "read 2"


pytestmark = pytest.mark.django_db(transaction=True)

OK = http(b'{"text": "ok"}')


class Day:
    """A process with one dialogue and its bot."""

    def __init__(self, running, bot, dialogue, tester):
        self.running, self.bot, self.dialogue, self.admission = running, bot, dialogue, Admitted(tester)

    async def say(self, key="k"):
        await self.running.commands.take_turn(self.dialogue.pk, self.admission, key=key, text="你好")
        await self.running.drain(10)
        self.running.commands.is_draining = False

    async def end(self):
        await self.running.commands.end_dialogue(self.dialogue.pk, self.admission, reason=EndReason.DONE)

    async def farewells(self):
        """What the bot was sent once everything that was to be sent is: turns by their numbers."""
        # What was announced before comes to the loop before this does.
        await self.running.commits.flushed()
        async with asyncio.timeout(10):
            while any(task.get_coro().__qualname__ == "_logged" for task in asyncio.all_tasks()):
                await asyncio.sleep(0.01)
        return ["close" if asked.get("close") is True else asked["turn"] for asked in self.bot.asked]


@pytest.fixture
def day(dialogue, tester, monkeypatch):
    """One process, and a bot that answers so; `options` are those of its entry."""

    @asynccontextmanager
    async def begun(*answers, options):
        async with raw_bot(*answers) as bot:
            door = Door(frozenset({("127.0.0.1", bot.port)}))
            monkeypatch.setattr(floor, "Door", lambda allowed: door)
            await Entry.objects.aupdate(url=bot.url, options=options)
            running = floor.Floor()
            monkeypatch.setattr(floor, "_floor", running)
            try:
                yield Day(running, bot, dialogue, tester)
            finally:
                await running.close()

    return begun


async def test_a_bot_that_asks_for_it_hears_once_that_its_tester_ended_the_dialogue(day, dialogue):
    async with day(OK, options={"close": True}) as today:
        await today.say()
        await today.end()
        assert await today.farewells() == [1, "close"]
    assert today.bot.asked[-1] == {"protocol": "huace/1", "dialogue": str(dialogue.pk), "close": True, "language": "zh"}


async def test_others_and_bots_that_never_heard_of_the_dialogue_hear_nothing(day):
    async with day(OK, options={}) as today:
        await today.say()
        await today.end()
        assert await today.farewells() == [1]


async def test_a_bot_that_never_heard_of_the_dialogue_hears_nothing_of_its_end(day):
    async with day(OK, options={"close": True}) as today:
        await today.end()
        assert await today.farewells() == []


async def test_it_hears_too_where_it_ends_the_dialogue_itself(day):
    async with day(http(b'{"text": "bye", "end": true}'), OK, options={"close": True}) as today:
        await today.say()
        assert await today.farewells() == [1, "close"]


async def test_it_hears_at_the_cap_and_only_once_where_the_dialogue_is_voided_afterwards(day, dialogue):
    await Dialogue.objects.aupdate(turn_cap=1)
    async with day(OK, options={"close": True}) as today:
        await today.say()
        assert await today.farewells() == [1, "close"]
        void = sync_to_async(void_dialogue)
        floor.announce(await void(dialogue=dialogue, by=None, because="twice", at=timezone.now()))
        assert await today.farewells() == [1, "close"]


async def test_it_hears_where_an_organizer_voids_an_open_dialogue(day, dialogue):
    async with day(OK, options={"close": True}) as today:
        await today.say()
        void = sync_to_async(void_dialogue)
        floor.announce(await void(dialogue=dialogue, by=None, because="odd", at=timezone.now()))
        assert await today.farewells() == [1, "close"]


async def test_it_hears_of_a_dialogue_that_was_abandoned(day):
    async with day(OK, options={"close": True}) as today:
        await today.say()
        await close_what_is_silent(today.running, timezone.now() + timedelta(days=1))
        assert await today.farewells() == [1, "close"]


@pytest.mark.parametrize("answer", [http(b"no", status="500 Internal Server Error"), http(b"", status="503 Not Now")])
async def test_one_that_fails_is_logged_never_repeated_and_nobodys_fault(day, answer, caplog):
    async with day(OK, answer, options={"close": True}) as today:
        await today.say()
        await today.end()
        assert await today.farewells() == [1, "close"]
    assert "was not told that dialogue" in caplog.text
    assert await Attempt.objects.acount() == 0
    dialogue = await Dialogue.objects.aget()
    assert (dialogue.status, dialogue.reason) == ("unfinished", "done")


async def test_one_that_hangs_is_left_at_its_deadline(day, monkeypatch, caplog):
    monkeypatch.setattr(farewells, "DEADLINE_S", 0.1)
    async with day(OK, [30.0], options={"close": True}) as today:
        await today.say()
        await today.end()
        assert await today.farewells() == [1, "close"]
    assert "was not told that dialogue" in caplog.text
