"""Bots' sockets and keys over several server processes: two of them in this one, with a layer between."""

import asyncio
import json
from datetime import timedelta
from functools import partial

import msgpack
import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts.link_tokens import digest_of
from api.rate_limits import take
from campaigns.models import Entry
from participants.adapters import BotAddress, BotCall
from participants.adapters.dial_out import ADAPTER
from participants.dial_out import exchange as exchanges
from participants.dial_out.exchange import Exchange
from participants.dial_out.frames import bot_frame
from participants.failures import BotFailure
from participants.outbound import Door
from registration.actions import make_dial_key, revoke_dial_key
from registration.models import DialKey
from serving.background import Background
from serving.processes import ProcessName
from testing_console.live import bot_sockets
from testing_console.live import socket_limits as refused_keys
from testing_console.live.bot_sockets import BotSockets
from testing_console.live.socket_limits import TooManyTries

pytestmark = pytest.mark.django_db(transaction=True)


class Layer:
    """A channel layer between the processes; what is sent while it is away fails."""

    def __init__(self):
        self.queues, self.sent, self.is_away = {}, [], False

    def of(self, channel):
        return self.queues.setdefault(channel, asyncio.Queue())

    async def flush(self):
        pass

    async def receive(self, channel):
        return await self.of(channel).get()

    async def send(self, channel, message):
        if self.is_away:
            raise ConnectionError("Redis is away")
        self.sent.append(message)
        self.of(channel).put_nowait(msgpack.unpackb(msgpack.packb(message)))


class Commits:
    """Commits at once, as the writer would."""

    n_submitted = 0

    async def submit(self, work):
        self.n_submitted += 1
        return await sync_to_async(work)()


class Guest:
    def __init__(self, server, connection, bot):
        self.server, self.connection, self.bot = server, connection, bot
        self.handed, self.closed = asyncio.Queue(), asyncio.Queue()

    def hand(self, frame):
        self.handed.put_nowait(json.loads(frame))

    def _close(self, why):
        self.server.bots.leave(self)
        self.closed.put_nowait(why)

    def expel(self):
        self._close("expelled")

    def replace(self):
        self._close("replaced")

    async def turn(self):
        async with asyncio.timeout(10):
            return await self.handed.get()

    async def why_closed(self):
        async with asyncio.timeout(10):
            return await self.closed.get()

    def say(self, turn, kind="reply", **said):
        frame = {"type": kind, "id": turn["id"], **said}
        return self.server.exchange.hear(self.bot, bot_frame(frame, len(json.dumps(frame))))


class Server:
    """One server process: its exchange, and its sockets of bots."""

    def __init__(self, layer, monkeypatch):
        self._monkeypatch = monkeypatch
        self.exchange, self.background = Exchange(), Background(asyncio.get_running_loop())
        self.be_current()
        self.bots = BotSockets(self.background, Commits(), ProcessName(), layer)

    def be_current(self):
        self._monkeypatch.setattr(exchanges, "_exchange", self.exchange)

    async def connect(self, key):
        admitted = await self.bots.admit(key, "192.0.2.1")
        if admitted is None:
            return None
        connection, bot, _ = admitted
        guest = Guest(self, connection, bot)
        self.bots.enter(guest)
        return guest

    def asking(self, bot, heard=None, deadline_s=10.0):
        async def asked():
            call = BotCall(BotAddress("dial-out", bot), "d-1", 1, "订票", "d-1:1", deadline_s=deadline_s)
            try:
                self.be_current()
                hear = (heard if heard is not None else []).append
                return await ADAPTER.send(call, Door().line(deadline_s), hear)
            except BotFailure as failure:
                return failure

        return asyncio.create_task(asked())


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(bot_sockets, "LOOK_EVERY_S", 0.02)
    monkeypatch.setattr(bot_sockets, "CHECK_EVERY_S", 0.05)


@pytest.fixture
async def entry(campaign):
    await Entry.objects.aupdate(protocol="dial-out", url="")
    return await Entry.objects.select_related("campaign").aget()


@pytest.fixture
async def key(entry):
    return await sync_to_async(make_dial_key)(entry=entry, by=None, at=timezone.now())


@pytest.fixture
async def pair(monkeypatch):
    layer = Layer()
    servers = (Server(layer, monkeypatch), Server(layer, monkeypatch))
    servers[0].layer = layer
    yield servers
    for server in servers:
        server.background.cancel()


@pytest.fixture
async def alone(monkeypatch):
    server = Server(None, monkeypatch)
    yield server
    server.background.cancel()


async def test_a_turn_finds_the_bot_in_another_process_and_its_reply_comes_back(entry, key, pair):
    first, second = pair
    guest, heard = await second.connect(key), []
    asked = first.asking(entry.reached_at, heard)
    turn = await guest.turn()
    assert (turn["text"], turn["again"]) == ("订票", False)
    guest.say(turn, "delta", text="好")
    guest.say(turn, text="好的")
    assert ((await asked).texts, heard) == (("好的",), ["好"])
    assert not guest.say(turn, text="again")


async def test_a_character_that_is_cut_in_two_comes_through_from_another_process(entry, key, pair):
    first, second = pair
    guest, heard = await second.connect(key), []
    asked = first.asking(entry.reached_at, heard)
    turn = await guest.turn()
    for half in ("\ud83d", "\ude00"):
        guest.say(turn, "delta", text=half)
    guest.say(turn, text="😀")
    assert ((await asked).texts, heard) == (("😀",), ["😀"])


async def test_a_bot_that_moves_to_another_process_keeps_its_turn(entry, key, pair):
    """In flight in one process, connected to the other, then here: the same id each time."""
    first, second = pair
    guest = await second.connect(key)
    asked = first.asking(entry.reached_at)
    turn = await guest.turn()
    second.bots.leave(guest)
    guest = await first.connect(key)
    again = await guest.turn()
    assert (again["id"], again["again"]) == (turn["id"], True)
    guest.say(again, text="好的")
    assert (await asked).texts == ("好的",)


async def test_a_bot_that_is_connected_anew_in_the_other_process_gets_its_turn_once_more(entry, key, pair):
    first, second = pair
    guest = await second.connect(key)
    asked = first.asking(entry.reached_at)
    turn = await guest.turn()
    second.bots.leave(guest)
    guest = await second.connect(key)
    again = await guest.turn()
    assert (again["id"], again["again"]) == (turn["id"], True)
    await asyncio.sleep(0.1)
    assert guest.handed.empty()
    guest.say(again, text="好的")
    assert (await asked).texts == ("好的",)


async def test_a_turn_that_is_over_is_served_no_more_by_the_process_that_has_its_bot(entry, key, pair):
    first, second = pair
    guest = await second.connect(key)
    asked = first.asking(entry.reached_at)
    turn = await guest.turn()
    asked.cancel()
    async with asyncio.timeout(5):
        while second.exchange.has_turn(turn["id"]):
            await asyncio.sleep(0.01)
    assert not guest.say(turn, "delta", text="好")
    assert not second.bots._served


async def test_a_turn_that_is_over_before_it_is_served_is_never_handed_over(entry, key, pair):
    _, second = pair
    guest = await second.connect(key)
    named = {"bot": entry.reached_at, "id": "t1"}
    frame = '{"type":"turn","id":"t1"}'
    second.bots._take({"type": "turn", "frame": frame, "left_s": 5.0, "back": "x"} | named)
    second.bots._take({"type": "over"} | named)
    await asyncio.sleep(0.1)
    assert guest.handed.empty()
    assert not second.bots._served


async def test_a_bot_that_says_too_much_in_another_process_is_too_long_and_no_more_of_it_is_sent(
    entry, key, pair, monkeypatch
):
    monkeypatch.setattr(exchanges, "SAID_LIMIT_CHARACTERS", 1000)
    first, second = pair
    guest, heard = await second.connect(key), []
    asked = first.asking(entry.reached_at, heard)
    turn = await guest.turn()
    for _ in range(50):
        guest.say(turn, "delta", text="好" * 50)
    failure = await asked
    assert (failure.kind, failure.reached_bot) == ("too_long", True)
    # 55 characters around each text of 50, each of these an escape of 6: 2 whole frames fit.
    assert heard == ["好" * 50] * 2
    assert sum(message["type"] == "heard" for message in first.layer.sent) == 2


async def test_the_newer_socket_wins_over_processes_too(key, pair):
    first, second = pair
    older, newer = await first.connect(key), await second.connect(key)
    assert await older.why_closed() == "replaced"
    assert newer.closed.empty()
    assert (await DialKey.objects.aget()).connection == newer.connection


async def test_a_revoked_key_closes_the_socket_in_whatever_process(entry, key, pair):
    guest = await pair[1].connect(key)
    await sync_to_async(revoke_dial_key)(entry=entry, by=None, at=timezone.now())
    assert await guest.why_closed() == "expelled"
    assert await pair[0].connect(key) is None


async def test_a_key_that_ends_by_an_act_of_this_process_closes_its_socket_at_once(entry, key, alone):
    guest = await alone.connect(key)
    alone.bots.expel(entry.reached_at)
    assert guest.closed.get_nowait() == "expelled"


async def test_a_bot_that_is_nowhere_got_nothing(entry, key, pair):
    failure = await pair[0].asking(entry.reached_at)
    assert (failure.kind, failure.reached_bot) == ("connect", False)


async def test_a_bot_that_left_just_now_is_waited_for_as_its_row_says(entry, key, alone):
    """It was connected to another process: this one knows nothing of the bot but what is stored."""
    alone.bots._began -= 60
    left_at = timezone.now() - timedelta(seconds=5)
    await DialKey.objects.aupdate(connection="old", server="gone", seen_at=left_at, left_at=left_at)
    asked = alone.asking(entry.reached_at)
    await asyncio.sleep(0.1)
    guest = await alone.connect(key)
    guest.say(await guest.turn(), text="好的")
    assert (await asked).texts == ("好的",)


async def test_a_bot_that_left_too_long_ago_is_not_waited_for(entry, key, alone):
    alone.bots._began -= 60
    left_at = timezone.now() - timedelta(seconds=11)
    await DialKey.objects.aupdate(connection="old", server="gone", seen_at=left_at, left_at=left_at)
    failure = await alone.asking(entry.reached_at)
    assert (failure.kind, failure.reached_bot) == ("connect", False)


async def test_a_bot_may_connect_again_after_the_server_itself_was_down_for_long(entry, key, alone):
    left_at = timezone.now() - timedelta(seconds=60)
    await DialKey.objects.aupdate(connection="old", server="gone", seen_at=left_at, left_at=left_at)
    asked = alone.asking(entry.reached_at)
    await asyncio.sleep(0.1)
    guest = await alone.connect(key)
    guest.say(await guest.turn(), text="好的")
    assert (await asked).texts == ("好的",)


async def test_the_deadline_is_the_safety_net_where_the_layer_loses_the_turn(entry, key, pair, monkeypatch):
    first, second = pair
    await second.connect(key)
    monkeypatch.setattr(first.layer, "send", lambda channel, message: asyncio.sleep(0))
    failure = await first.asking(entry.reached_at, deadline_s=0.4)
    assert (failure.kind, failure.reached_bot) == ("timeout_first_byte", True)


async def test_without_redis_a_bot_of_another_process_is_out_of_reach_by_our_fault(entry, key, monkeypatch):
    first, second = Server(None, monkeypatch), Server(None, monkeypatch)
    await second.connect(key)
    failure = await first.asking(entry.reached_at)
    assert (failure.kind, failure.fault, failure.reached_bot) == ("interrupted", "platform", False)
    assert "REDIS_URL" in failure.detail.in_english
    for server in (first, second):
        server.background.cancel()


async def test_a_process_that_still_holds_a_socket_says_so(key, alone, monkeypatch):
    long_ago = timezone.now() - timedelta(seconds=20)
    monkeypatch.setattr(bot_sockets, "SEEN_EVERY", timedelta())
    await alone.connect(key)
    await DialKey.objects.aupdate(seen_at=long_ago)
    async with asyncio.timeout(10):
        while (await DialKey.objects.aget()).seen_at == long_ago:
            await asyncio.sleep(0.02)


async def test_a_key_that_opens_nothing_costs_the_writer_nothing_and_soon_not_even_a_look(key, alone, monkeypatch):
    monkeypatch.setattr(refused_keys, "TRIES_BURST", 2)
    for wrong in ("", "other", "huace-bot-", key + "x", key[:-1]):
        assert await alone.connect(wrong) is None
    assert alone.bots._commits.n_submitted == 0
    with pytest.raises(TooManyTries):
        await alone.connect(key)
    assert await alone.bots.admit(key, "192.0.2.2")


async def test_keys_that_open_nothing_are_counted_over_all_machines(key, pair, monkeypatch):
    monkeypatch.setattr(refused_keys, "TRIES_A_MINUTE", 2)
    monkeypatch.setattr(refused_keys, "take", partial(take, at_s=1000))
    one, other = pair
    for machine in (one, one, other):
        assert await machine.connect("huace-bot-" + "0" * 32) is None
    with pytest.raises(TooManyTries):
        await other.connect(key)


async def test_a_key_is_never_looked_up_in_the_clear(key):
    assert (await DialKey.objects.aget()).digest == digest_of(key)


BYE = '{"type":"close","dialogue":"d-1"}'


async def test_the_end_of_a_dialogue_finds_the_bot_in_another_process(entry, key, pair):
    first, second = pair
    guest = await second.connect(key)
    await first.exchange.tell(entry.reached_at, BYE)
    assert await guest.turn() == {"type": "close", "dialogue": "d-1"}
    assert guest.handed.empty()


async def test_the_end_of_a_dialogue_waits_for_a_bot_that_is_about_to_connect_again(entry, key, pair):
    first, second = pair
    second.bots.leave(await second.connect(key))
    told = asyncio.create_task(first.exchange.tell(entry.reached_at, BYE))
    await asyncio.sleep(0.1)
    assert not told.done()
    guest = await first.connect(key)
    await told
    assert (await guest.turn())["type"] == "close"


async def test_the_end_of_a_dialogue_is_not_told_to_a_bot_that_is_nowhere(entry, key, pair):
    with pytest.raises(BotFailure) as failed:
        await pair[0].exchange.tell(entry.reached_at, BYE)
    assert (failed.value.kind, failed.value.reached_bot) == ("connect", False)


async def test_without_redis_the_end_of_a_dialogue_is_not_told_to_a_bot_of_another_process(entry, key, monkeypatch):
    first, second = Server(None, monkeypatch), Server(None, monkeypatch)
    guest = await second.connect(key)
    with pytest.raises(BotFailure, match="REDIS_URL"):
        await first.exchange.tell(entry.reached_at, BYE)
    assert guest.handed.empty()
    for server in (first, second):
        server.background.cancel()
