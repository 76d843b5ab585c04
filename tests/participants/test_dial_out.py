"""One turn with a bot that has connected: its socket is a list here, its clock is quick."""

import asyncio
import json

import pytest

from participants.adapters import ADAPTERS, BotAddress, BotCall, History, Utterance
from participants.adapters.asking import UNSENT_RETRY_PAUSES_S, ask, say_goodbye
from participants.adapters.calls import Farewell
from participants.dial_out import exchange as exchanges
from participants.dial_out.exchange import Exchange
from participants.dial_out.frames import bot_frame
from participants.failures import BotFailure, Fault
from participants.outbound import Door

BOT = "dial-out:1"


class Socket:
    def __init__(self):
        self.handed, self.is_replaced = asyncio.Queue(), False

    def hand(self, frame):
        self.handed.put_nowait(json.loads(frame))

    def replace(self):
        self.is_replaced = True

    async def turn(self):
        async with asyncio.timeout(30):
            return await self.handed.get()


@pytest.fixture
async def exchange(monkeypatch):
    made = Exchange()
    monkeypatch.setattr(exchanges, "_exchange", made)
    monkeypatch.setattr(exchanges, "RECONNECT_S", 30)
    monkeypatch.setattr("participants.adapters.asking.UNSENT_RETRY_PAUSES_S", (0.01, 0.02))
    return made


@pytest.fixture
def socket(exchange):
    made = Socket()
    exchange.enter(BOT, made)
    return made


def call(text="订票", deadline_s=60.0, bot=BOT):
    history = History([Utterance("user", "你好"), Utterance("bot", "您好")])
    return BotCall(BotAddress("dial-out", bot), "d-1", 2, text, "d-1:2", history, deadline_s=deadline_s)


def asking(heard=None, **named):
    async def asked():
        door = Door()
        try:
            return await ask(call(**named), door, (heard if heard is not None else []).append, ADAPTERS)
        except BotFailure as failure:
            return failure
        finally:
            await door.close()

    return asyncio.create_task(asked())


def say(exchange, turn, kind="reply", bot=BOT, **said):
    return exchange.hear(bot, bot_frame({"type": kind, "id": turn["id"], **said}))


@pytest.mark.parametrize("kind", ["delta", "reply"])
async def test_a_frame_that_names_another_dialogue_is_a_failure_and_shown_to_nobody(exchange, socket, kind):
    asked = asking(heard := [])
    turn = await socket.turn()
    say(exchange, turn, kind, text="成都", dialogue="d-2")
    failure = await asked
    assert (failure.kind, heard) == ("other_dialogue", [])
    assert "成都" in failure.evidence


async def test_a_turn_is_handed_over_with_the_native_fields_and_answered(exchange, socket):
    asked = asking()
    turn = await socket.turn()
    assert (turn["type"], turn["again"], turn["dialogue"], turn["turn"], turn["text"]) == (
        "turn",
        False,
        "d-1",
        2,
        "订票",
    )
    assert turn["history"] == [{"role": "user", "text": "你好"}, {"role": "bot", "text": "您好"}]
    assert 0 < turn["deadline_ms"] <= 60_000
    assert say(exchange, turn, texts=["好的", "几点？"], end=True)
    reply = await asked
    assert (reply.texts, reply.end, [one.kind for one in reply.tries]) == (("好的", "几点？"), True, [None])


async def test_deltas_are_shown_and_the_reply_says_all_of_it(exchange, socket):
    heard = []
    asked = asking(heard)
    turn = await socket.turn()
    say(exchange, turn, "delta", text="好")
    say(exchange, turn, "delta", text="的")
    say(exchange, turn, text="好的。")
    assert ((await asked).texts, heard) == (("好的。",), ["好", "的"])


async def test_a_character_may_be_cut_in_two_between_deltas(exchange, socket):
    heard = []
    asked = asking(heard)
    turn = await socket.turn()
    say(exchange, turn, "delta", text="好\ud83d")
    say(exchange, turn, "delta", text="\ude00的")
    say(exchange, turn, text="好😀的")
    assert ((await asked).texts, heard) == (("好😀的",), ["好", "😀的"])


@pytest.mark.parametrize("said", [{"kind": "reply", "text": "x"}, {"kind": "delta", "text": "x"}, {"kind": "error"}])
async def test_half_a_character_is_the_bots_fault_in_whatever_frame(exchange, socket, said):
    half, asked = "\ud83d", asking(deadline_s=1.0)
    turn = await socket.turn()
    say(exchange, turn, **said | {"message" if said["kind"] == "error" else "text": f"{half}x"}, **{half: half})
    failure = await asked
    assert (failure.kind, failure.fault) == ("bad_shape", Fault.BOT)
    assert half.encode("utf-8", "backslashreplace").decode() in failure.evidence


async def test_half_a_character_that_nobody_reads_hurts_nothing(exchange, socket):
    asked = asking()
    say(exchange, await socket.turn(), text="好的", note="\ud83d")
    assert (await asked).texts == ("好的",)


async def test_an_error_of_the_bot_is_its_own_with_its_words(exchange, socket):
    asked = asking()
    say(exchange, await socket.turn(), "error", message="out of memory")
    failure = await asked
    assert (failure.kind, failure.fault, failure.reached_bot) == ("http_5xx", Fault.BOT, True)
    assert "out of memory" in failure.detail.in_english


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ({}, "bad_shape"),
        ({"text": 5}, "bad_shape"),
        ({"texts": "x"}, "bad_shape"),
        ({"text": "x", "end": "yes"}, "bad_shape"),
    ],
)
async def test_a_reply_of_another_shape_fails_its_turn_with_what_was_said(exchange, socket, said, kind):
    asked = asking()
    turn = await socket.turn()
    say(exchange, turn, **said)
    failure = await asked
    assert failure.kind == kind
    assert turn["id"] in failure.evidence


async def test_a_bot_that_is_not_connected_got_nothing(exchange):
    exchange._began -= 60
    failure = await asking()
    assert (failure.kind, failure.reached_bot, len(failure.tries)) == ("connect", False, 1 + len(UNSENT_RETRY_PAUSES_S))
    assert [one.has_left for one in failure.tries] == [False] * 3


async def test_a_bot_that_says_nothing_is_late_and_one_that_began_is_not_done(exchange, socket):
    asked = asking(deadline_s=0.1)
    assert (await asked).kind == "timeout_first_byte"
    asked = asking(deadline_s=0.2)
    await socket.turn()
    say(exchange, await socket.turn(), "delta", text="好")
    failure = await asked
    assert (failure.kind, failure.reached_bot, len(failure.tries)) == ("timeout_total", True, 1)


async def test_a_turn_in_flight_waits_for_the_reconnect_and_is_handed_again_under_its_id(exchange, socket):
    asked, again = asking(), Socket()
    first = await socket.turn()
    exchange.leave(BOT, socket)
    await asyncio.sleep(0.05)
    exchange.enter(BOT, again)
    second = await again.turn()
    assert (first["again"], second["again"], second["id"]) == (False, True, first["id"])
    assert second["deadline_ms"] < first["deadline_ms"]
    say(exchange, second, text="好的")
    reply = await asked
    assert (reply.texts, len(reply.tries)) == (("好的",), 1)


async def test_a_reply_that_was_ready_before_the_reconnect_counts(exchange, socket):
    """The bot held its answer while it was away: it says it on the new socket, and needs no work done twice."""
    asked, again = asking(), Socket()
    first = await socket.turn()
    exchange.leave(BOT, socket)
    exchange.enter(BOT, again)
    say(exchange, first, text="好的")
    assert (await asked).texts == ("好的",)
    assert not say(exchange, first, text="好的")


async def test_a_turn_that_begins_while_the_bot_is_away_waits_for_it_and_is_new_to_it(exchange, socket):
    exchange.leave(BOT, socket)
    asked, again = asking(), Socket()
    await asyncio.sleep(0.05)
    exchange.enter(BOT, again)
    turn = await again.turn()
    assert not turn["again"]
    say(exchange, turn, text="好的")
    assert (await asked).texts == ("好的",)


async def test_a_bot_that_stays_away_breaks_off_its_turn_and_is_not_asked_again(exchange, socket, monkeypatch):
    monkeypatch.setattr(exchanges, "RECONNECT_S", 0.2)
    asked = asking()
    await socket.turn()
    exchange.leave(BOT, socket)
    failure = await asked
    assert (failure.kind, failure.reached_bot, len(failure.tries)) == ("connect", True, 1)


async def test_the_newer_socket_takes_the_place_of_the_older_with_its_turns(exchange, socket):
    asked, newer = asking(), Socket()
    first = await socket.turn()
    exchange.enter(BOT, newer)
    assert socket.is_replaced
    assert (await newer.turn())["id"] == first["id"]
    exchange.leave(BOT, socket)  # comes later, and ends nothing
    say(exchange, first, text="好的")
    assert (await asked).texts == ("好的",)


async def test_nobody_answers_for_another_bot(exchange, socket):
    asked = asking()
    turn = await socket.turn()
    exchange.enter("dial-out:2", Socket())
    assert not say(exchange, turn, bot="dial-out:2", text="捣乱")
    assert not exchange.hear(BOT, bot_frame({"type": "reply", "id": "unknown", "text": "x"}))
    say(exchange, turn, text="好的")
    assert (await asked).texts == ("好的",)


async def test_a_flood_of_deltas_fails_its_own_turn_and_fills_no_memory(exchange, socket, monkeypatch):
    monkeypatch.setattr(exchanges, "HEARD_LIMIT", 10)
    asked = asking()
    turn = await socket.turn()
    for _ in range(1000):
        say(exchange, turn, "delta", text="x" * 100)
    assert (await asked).kind == "too_long"


async def test_a_turn_that_is_cancelled_waits_for_nothing_any_more(exchange, socket):
    asked = asking()
    turn = await socket.turn()
    exchange.leave(BOT, socket)
    asked.cancel()
    await asyncio.wait([asked])
    assert not exchange.has_turn(turn["id"])
    await asyncio.sleep(0.25)


async def test_the_ledger_gets_the_id_that_the_bot_got_and_the_sizes_of_the_frames(exchange, socket):
    asked = asking()
    turn = await socket.turn()
    say(exchange, turn, text="好的")
    (one,) = (await asked).tries
    assert one.wire.request_id == turn["id"]
    assert one.wire.request_bytes == len(json.dumps(turn, ensure_ascii=False, separators=(",", ":")).encode())
    assert one.wire.response_bytes > 0


async def test_a_bot_is_told_that_a_dialogue_is_over_as_one_of_its_turns(exchange, socket):
    door = Door()
    address = BotAddress("dial-out", BOT, parallel=1)
    places = door.places_at(BOT, 1)
    await places.take(door.line(1.0))
    told = asyncio.create_task(
        say_goodbye(Farewell(address, "d-1", None, "zh"), door, ADAPTERS["dial-out"].close, limit_s=2.0)
    )
    await asyncio.sleep(0)
    assert socket.handed.empty()
    places.give_back()
    await told
    expected = {"type": "close", "protocol": "huace/1", "dialogue": "d-1", "close": True, "language": "zh"}
    assert await socket.turn() == expected
    await door.close()
