"""kill -9 under load at each of robustness §4's first ten points, then restart: nothing acknowledged is lost."""

import asyncio
import contextlib
import os
import signal
import time
import uuid

import pytest

from tests.fakes import bots
from tests.fakes.bots import fake_bot
from tests.live.server import live
from tests.live.stress import (
    Heard,
    check_acknowledged,
    check_no_deadlock_reached_anybody,
    run_clients,
    run_clients_with_kills,
    until_nothing_waits,
)
from tests.waiting import soon

pytestmark = [pytest.mark.server, pytest.mark.chaos]

IN_THE_SERVER = [
    "before insert", "after insert before commit", "after commit before ack", "after ack before the call",
    "connecting", "reply read before commit", "after reply commit before notify",
]  # fmt: skip
AT_THE_BOT = ["request half written", "waiting", "reply half read"]


async def test_200_random_clients_on_two_processes_break_no_rule(tmp_path, bot):
    """Robustness P2 at a twentieth of its figure, which `make stress` has."""
    with live(tmp_path, bot.url, processes=2) as server:
        heard = await run_clients(server, n_clients=200, n_dialogues=20, n_operations=5_000, seed=1)
        await until_nothing_waits(server)
        server.check_invariants()
        check_acknowledged(server, heard)
        check_no_deadlock_reached_anybody(server)
        assert heard.n_operations >= 5_000
        assert len(heard.accepted) > 300
        # Nothing was away, so nobody may have been told so: "busy" would hide a deadlock.
        assert heard.errors["unavailable"] == 0


async def test_processes_killed_again_and_again_under_load_break_no_rule(tmp_path, bot):
    with live(tmp_path, bot.url, processes=2) as server:
        heard, n_killed = await run_clients_with_kills(
            server, n_clients=100, n_dialogues=20, n_operations=4_000, seed=2
        )
        await until_nothing_waits(server)
        server.check_invariants()
        check_acknowledged(server, heard)
        check_no_deadlock_reached_anybody(server)
        assert n_killed > 0
        assert len(heard.accepted) > 100


def press(server, heard: Heard) -> None:
    """Load until the server is gone: clients come back by themselves and fail once nobody listens."""

    def is_gone() -> bool:
        return server.server.poll() is not None

    async def load() -> None:
        clients = asyncio.create_task(run_clients_until_gone(server, heard))
        await soon(is_gone, 40)
        clients.cancel()
        await asyncio.gather(clients, return_exceptions=True)

    asyncio.run(load())


async def run_clients_until_gone(server, heard: Heard) -> None:
    dialogues = [await asyncio.to_thread(server.open_dialogue) for _ in range(6)]

    async def talk(dialogue: str) -> None:
        async with server.socket(dialogue) as client:
            for number in range(20):
                # Answers that take a moment overlap, so that the bot is asked over several connections at once.
                await client.say(f"!slow 0.02 {number}", f"{dialogue}-{number}")
                while (frame := await client.next(30))["type"] not in {"reply.done", "turn.failed", "error"}:
                    heard.note(dialogue, frame)
                heard.note(dialogue, frame)

    await asyncio.gather(*map(talk, dialogues), return_exceptions=True)


def dialogues(server, sql: str) -> list[str]:
    return [str(uuid.UUID(key)) for (key,) in server.rows(sql)]


async def resume_and_compare(server) -> None:
    """I3 and I7: after the restart no turn waits without an owner, and a resumed page equals a fresh load."""
    await until_nothing_waits(server, 10)

    async def compare(dialogue: str) -> None:
        async with server.socket(dialogue) as fresh, server.socket(dialogue, after=2) as resumed:
            whole = await fresh.all_events()
            assert (await resumed.all_events()) == whole[2:]
            state = fresh.heard[0]
            assert state["last_seq"] == len(whole)
            assert state["waiting"] is None

    await asyncio.gather(*map(compare, dialogues(server, "SELECT id FROM dialogues_dialogue")))


async def every_tester_can_go_on(server) -> None:
    async def go_on(dialogue: str) -> None:
        async with server.socket(dialogue) as client:
            state = await client.next()
            await client.all_events()
            last = server.turns(dialogue)[-1] if server.turns(dialogue) else None
            if last and last[3] == "failed":
                await client.send(type="turn.retry", turn=last[0])
                assert (await client.until("reply.done"))["turn"] == last[0]
            elif state["turns_used"] < 20:
                assert (await client.exchange("weiter"))["type"] == "reply.done"

    await asyncio.gather(*map(go_on, dialogues(server, "SELECT id FROM dialogues_dialogue WHERE status = 'open'")))


def check_after_restart(server, heard: Heard) -> None:
    server.check_invariants()
    check_acknowledged(server, heard)
    asyncio.run(resume_and_compare(server))
    asyncio.run(every_tester_can_go_on(server))
    server.check_invariants()


@pytest.mark.parametrize("point", IN_THE_SERVER)
def test_a_kill_in_the_server_loses_nothing_acknowledged(tmp_path, bot, point):
    nth = 3 if point == "connecting" else 25
    with live(tmp_path, bot.url, command=["tests/live/trouble.py", "kill", point, str(nth)]) as server:
        heard = Heard()
        press(server, heard)
        assert server.server.returncode == -signal.SIGKILL
        server.command = ["manage.py"]
        server.start()
        check_after_restart(server, heard)


@pytest.mark.parametrize("point", AT_THE_BOT)
def test_a_kill_while_the_bot_is_asked_loses_nothing_acknowledged(tmp_path, point, monkeypatch):
    server_pid: list[int] = []
    n_asked = 0

    def kill_at_the_25th() -> bool:
        nonlocal n_asked
        n_asked += 1
        if n_asked == 25:
            os.kill(server_pid[0], signal.SIGKILL)
        return n_asked == 25

    usual = bots._answer

    async def answer(bot, text, writer):
        if point == "waiting":
            kill_at_the_25th()
        if point == "reply half read" and n_asked == 24:
            writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"text": "')
            await writer.drain()
            await asyncio.sleep(0.05)
            kill_at_the_25th()
            return False
        if point == "reply half read":
            kill_at_the_25th()
        return await usual(bot, text, writer)

    monkeypatch.setattr(bots, "_answer", answer)
    if point == "request half written":
        usual_read = asyncio.StreamReader.readexactly

        async def read(self, n):
            if n > 100:
                kill_at_the_25th()
            return await usual_read(self, n)

        monkeypatch.setattr(asyncio.StreamReader, "readexactly", read)
    with fake_bot() as bot, live(tmp_path, bot.url) as server:
        server_pid.append(server.server.pid)
        heard = Heard()
        press(server, heard)
        assert server.server.returncode == -signal.SIGKILL
        server.start()
        check_after_restart(server, heard)


async def test_a_database_that_is_locked_for_seconds_acknowledges_nothing_and_recovers(tmp_path, bot):
    with live(tmp_path, bot.url) as server:
        dialogue = server.open_dialogue()
        async with server.socket(dialogue) as client:
            await client.exchange("vorher")
            with server.database.locked():
                started = time.monotonic()
                await client.say("gesperrt", "locked")
                refused = await client.until("error", "turn.accepted", timeout=8)
                assert refused["code"] == "unavailable"
                assert time.monotonic() - started < 7
            await client.say("gesperrt", "locked")
            assert (await client.until("reply.done"))["turn"] == 2
        server.check_invariants()


async def test_a_turn_that_is_stored_after_its_tester_gave_up_waiting_is_asked_about(tmp_path, bot):
    slow = tmp_path / "slow"
    with live(tmp_path, bot.url, command=["tests/live/trouble.py", "commits", str(slow)]) as server:
        async with server.socket(server.open_dialogue()) as client:
            await client.exchange("vorher")
            slow.touch()
            await client.say("spaet", "late")
            assert (await client.until("error"))["code"] == "unavailable"
            slow.unlink()
            assert (await client.until("turn.accepted"))["key"] == "late"
            assert (await client.until("reply.done"))["turn"] == 2
            # Whoever sends the same again gets the same turn.
            await client.say("spaet", "late")
            assert (await client.until("turn.accepted"))["turn"] == 2
        server.check_invariants()


@pytest.mark.parametrize("offset_s", [3600, -3600])
async def test_a_jump_of_the_clock_fails_no_turn_in_flight(tmp_path, bot, offset_s):
    offset = tmp_path / "offset"
    with live(tmp_path, bot.url, command=["tests/live/trouble.py", "clock", str(offset)], deadline_s=15) as server:
        async with server.socket(server.open_dialogue()) as client:
            await client.exchange("vorher")
            await client.say("!slow 7")
            await client.until("turn.accepted")
            offset.write_text(str(offset_s))
            # At least one sweep falls into this time.
            assert (await client.until("reply.done", "turn.failed"))["type"] == "reply.done"
            assert (await client.exchange("nachher"))["type"] == "reply.done"
        server.check_invariants()


async def test_a_server_that_stood_still_books_its_own_time_to_nobody(tmp_path, bot):
    n_dialogues = 20
    with live(tmp_path, bot.url, deadline_s=2) as server, contextlib.ExitStack() as stack:
        clients = []
        async with contextlib.AsyncExitStack() as open_sockets:
            for _ in range(n_dialogues):
                socket = server.socket(server.open_dialogue())
                clients.append(await open_sockets.enter_async_context(socket))
            for client in clients:
                await client.say("!slow 1")
            await asyncio.gather(*(client.until("turn.accepted") for client in clients))
            os.kill(server.server.pid, signal.SIGSTOP)
            stack.callback(os.kill, server.server.pid, signal.SIGCONT)
            await asyncio.sleep(4)
            os.kill(server.server.pid, signal.SIGCONT)
            outcomes = [await client.until("reply.done", "turn.failed") for client in clients]
            assert {outcome.get("fault", "none") for outcome in outcomes} <= {"none", "platform"}
            assert all(outcome["retryable"] for outcome in outcomes if outcome["type"] == "turn.failed")
            assert all(outcome["latency_ms"] < 2500 for outcome in outcomes if outcome["type"] == "reply.done")
        server.check_invariants()
