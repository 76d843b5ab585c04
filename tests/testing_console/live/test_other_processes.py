"""Lost wake-ups cost seconds: a channel layer that breaks, goes deaf or comes late, and a database that goes away."""

import asyncio
from uuid import UUID

import pytest
from django.db import OperationalError

from dialogues.actions import Outcome, Told
from serving import background
from serving.background import Background
from testing_console.live import other_processes
from testing_console.live.other_processes import OtherProcesses
from testing_console.live.switchboard import Switchboard

DIALOGUE, ANOTHER = UUID(int=1), UUID(int=2)


class Layer:
    """A channel layer that can be away, or deaf: what is sent then is lost."""

    def __init__(self):
        self.is_away = self.is_deaf = False
        self.n_subscribed = 0
        self.sent = []
        self.inbox = asyncio.Queue()

    async def flush(self):
        self.inbox = asyncio.Queue()

    async def new_channel(self):
        if self.is_away:
            raise ConnectionError("Redis is away")
        self.n_subscribed += 1
        self.is_deaf = False
        return "channel"

    async def group_add(self, group, channel):
        pass

    async def receive(self, channel):
        return await self.inbox.get()

    async def group_send(self, group, message):
        if self.is_away:
            raise ConnectionError("Redis is away")
        self.sent.append(message)
        if not self.is_deaf:
            self.inbox.put_nowait(message)

    async def hear(self, dialogue, seq, owner="another"):
        await self.inbox.put({"owner": owner, "news": [[str(dialogue), seq]]})


def committed(dialogue, lines):
    return Outcome(told=[Told(dialogue, lines)])


class Ear:
    def __init__(self):
        self.heard = []

    def tell(self, told):
        self.heard += told


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(background, "FIRST_PAUSE_S", 0.02)
    monkeypatch.setattr(background, "LONGEST_PAUSE_S", 0.05)
    monkeypatch.setattr(other_processes, "BEAT_EVERY_S", 0.05)
    monkeypatch.setattr(other_processes, "DEAF_AFTER_S", 0.3)
    monkeypatch.setattr(other_processes, "LOOK_AROUND_EVERY_S", 600)


class Process:
    """This process: its sockets of one dialogue, and the ledger it looks into."""

    def __init__(self, layer, monkeypatch):
        self.layer, self.ear, self.ledger = layer, Ear(), {}
        self.n_looks = 0
        loop = asyncio.get_running_loop()
        self.switchboard = Switchboard()
        self.switchboard.join(DIALOGUE, self.ear)
        self.background = Background(loop)

        async def look_up(query, dialogues):
            self.n_looks += 1
            if isinstance(self.ledger, Exception):
                raise self.ledger
            return [(key, self.ledger[key]) for key in dialogues if key in self.ledger]

        monkeypatch.setattr(other_processes, "look_up", look_up)
        self.others = OtherProcesses(self.switchboard, "me", layer)
        self.others.start(self.background)


async def until(check, limit_s=10):
    async with asyncio.timeout(limit_s):
        while not check():
            await asyncio.sleep(0.01)


@pytest.fixture
def start(monkeypatch):
    started = []

    def make(layer=None):
        started.append(Process(layer or Layer(), monkeypatch))
        return started[-1]

    yield make
    for process in started:
        process.background.cancel()


async def test_the_news_of_another_process_reach_the_sockets_and_its_own_do_not(start):
    process = start()
    await until(lambda: process.layer.n_subscribed)
    await process.layer.hear(DIALOGUE, 3, owner="me")
    await process.layer.hear(DIALOGUE, 4)
    await until(lambda: process.ear.heard)
    assert process.ear.heard == [(4, "")]


async def test_what_is_committed_here_is_reported_in_one_message(start):
    process = start()
    await until(lambda: process.layer.n_subscribed)
    process.switchboard.follow(committed(DIALOGUE, [(1, "a"), (2, "b")]))
    process.switchboard.follow(committed(ANOTHER, [(7, "c")]))
    await until(lambda: any(message["news"] for message in process.layer.sent))
    (message,) = [message for message in process.layer.sent if message["news"]]
    assert message == {"type": "look", "owner": "me", "news": [[str(DIALOGUE), 2], [str(ANOTHER), 7]]}


async def test_a_process_that_starts_before_redis_hears_once_redis_is_there(start):
    layer = Layer()
    layer.is_away = True
    process = start(layer)
    await asyncio.sleep(0.2)
    process.ledger = {DIALOGUE: 5}
    layer.is_away = False
    await until(lambda: process.ear.heard)
    assert process.ear.heard[0] == (5, "")
    await layer.hear(DIALOGUE, 6)
    await until(lambda: (6, "") in process.ear.heard)


async def test_a_process_that_went_deaf_notices_subscribes_anew_and_looks(start):
    process = start()
    await until(lambda: process.layer.n_subscribed == 1)
    process.layer.is_deaf = True
    process.ledger = {DIALOGUE: 9}
    await until(lambda: process.layer.n_subscribed == 2)
    await until(lambda: (9, "") in process.ear.heard)


async def test_a_process_that_hears_its_own_beat_stays_subscribed(start):
    process = start()
    await asyncio.sleep(1)
    assert process.layer.n_subscribed == 1


async def test_news_that_could_not_be_sent_are_sent_later(start):
    process = start()
    await until(lambda: process.layer.n_subscribed)
    process.layer.is_away = True
    process.switchboard.follow(committed(DIALOGUE, [(1, "a")]))
    await asyncio.sleep(0.2)
    process.switchboard.follow(committed(DIALOGUE, [(2, "b")]))
    process.layer.is_away = False
    await until(lambda: any([str(DIALOGUE), 2] in message["news"] for message in process.layer.sent))


async def test_the_slow_look_goes_on_whatever_happens(start, monkeypatch):
    monkeypatch.setattr(other_processes, "LOOK_AROUND_EVERY_S", 0.05)
    process = start()
    for error in (OperationalError("away"), ZeroDivisionError("a bug")):
        process.ledger, before = error, process.n_looks
        await until(lambda before=before: process.n_looks > before + 1)
    process.ledger = {DIALOGUE: 2}
    await until(lambda: (2, "") in process.ear.heard)
