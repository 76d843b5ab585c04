"""The wire protocol of design §6 over a real server and a real bot."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import urllib.parse
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest
import websockets

from demo.sample_bots import free_port
from tests.live.server import Client, live
from tests.waiting import until

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def impatient(tmp_path_factory, bot):
    with live(tmp_path_factory.mktemp("impatient"), bot.url, deadline_s=1) as running:
        yield running


async def closed_with(url, **headers) -> int:
    with pytest.raises(websockets.ConnectionClosed) as closed:
        async with websockets.connect(url, additional_headers=headers) as socket:
            await asyncio.wait_for(socket.recv(), 5)
    return closed.value.rcvd.code


async def test_a_dialogue_from_its_opening_to_its_end(server):
    dialogue = server.open_dialogue("short")
    async with server.socket(dialogue) as client:
        state = await client.next()
        assert state["type"] == "dialogue.state"
        assert (state["status"], state["turns_used"], state["turn_cap"], state["last_seq"]) == ("open", 0, 5, 0)
        assert [(row["index"], row["kind"], row["turn_cap"], row["status"]) for row in state["subtasks"]] == [
            (1, "flight", 3, "open"),
            (2, "hotel", 2, "pending"),
        ]
        await client.say("你好", "k1")
        accepted = await client.until("turn.accepted")
        assert accepted == {
            "type": "turn.accepted", "seq": 1, "turn": 1, "key": "k1", "text": "你好", "subtask": 1, "turns_used": 1,
        }  # fmt: skip
        done = await client.until("reply.done")
        assert (done["seq"], done["turn"], done["texts"]) == (2, 1, ["收到：你好"])
        await client.send(type="subtask.close", subtask=1, finished=True)
        assert (await client.until("subtask.closed"))["status"] == "finished"
        for text in ("a", "b"):
            await client.exchange(text)
        assert (await client.until("subtask.closed"))["status"] == "cap_reached"
        closed = await client.until("dialogue.closed")
        assert (closed["status"], closed["reason"]) == ("unfinished", "cap_reached")
        assert (await client.exchange("too late"))["code"] == "closed"


async def test_the_same_key_twice_is_one_turn(server):
    dialogue = server.open_dialogue()
    async with server.socket(dialogue) as client:
        await client.say("你好", "same")
        await client.say("你好", "same")
        events = await client.all_events()
        assert [event["seq"] for event in events if event["type"] == "turn.accepted"] == [1, 1]
        assert (await client.exchange("anders", "same"))["code"] == "key_conflict"
    assert len(server.turns(dialogue)) == 1


async def test_two_tabs_follow_the_same_stream(server):
    dialogue = server.open_dialogue()
    async with server.socket(dialogue) as first, server.socket(dialogue) as second:
        await first.exchange("von links")
        await second.exchange("von rechts")
        assert await first.all_events() == await second.all_events()


async def test_a_reconnect_gets_exactly_what_it_missed(server):
    dialogue = server.open_dialogue()
    async with server.socket(dialogue) as client:
        await client.exchange("eins")
        await client.exchange("zwei")
    async with server.socket(dialogue, after=2) as client:
        events = await client.all_events()
        assert [event["seq"] for event in events] == [3, 4]
        assert client.heard[0]["last_seq"] == 4


async def test_a_number_beyond_the_last_event_hides_nothing_that_is_new(server):
    dialogue = server.open_dialogue()
    async with server.socket(dialogue, after=999) as client:
        await client.say("neu")
        assert (await client.until("turn.accepted"))["seq"] == 1


async def test_a_frame_while_the_bot_is_asked_is_answered_at_once(server):
    dialogue = server.open_dialogue()
    async with server.socket(dialogue) as client:
        await client.say("!slow 1.0")
        await client.until("turn.accepted")
        await client.say("und?")
        assert (await client.until("error", timeout=0.5))["code"] == "turn_in_flight"
        await client.send(type="ping")
        await client.until("pong", timeout=0.5)
        await client.until("reply.done")


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("not json", "bad_frame"), ("[1]", "bad_frame"), ("{}", "bad_frame"), ('{"type": "turn.fly"}', "bad_frame"),
        ("[" * 5000, "bad_frame"), ('{"type": "turn.send"}', "bad_frame"),
        ('{"type": "turn.send", "key": "k", "text": ""}', "bad_frame"),
        (json.dumps({"type": "turn.send", "key": "k", "text": "x" * 2001}), "too_long"),
        (json.dumps({"type": "turn.send", "key": "k", "text": "x" * 20_000}), "too_long"),
        ('{"type": "turn.retry", "turn": 1}', "not_retryable"),
        ('{"type": "turn.retry", "turn": "1"}', "bad_frame"),
        ('{"type": "dialogue.end", "reason": ["done"]}', "bad_frame"),
        ('{"type": "dialogue.end", "reason": {}}', "bad_frame"),
        ('{"type": ["turn.send"]}', "bad_frame"),
        ('{"type": "turn.send", "key": "\\ud800", "text": "x"}', "bad_frame"),
        ('{"type": "turn.send", "key": "k", "text": "\\ud800"}', "bad_frame"),
        ('{"type": "turn.send", "key": ["k"], "text": "x"}', "bad_frame"),
        ('{"type": "subtask.close", "subtask": 1, "finished": 1}', "bad_frame"),
        ('{"type": "subtask.close", "subtask": 2, "finished": true}', "not_current"),
        ('{"type": "dialogue.end", "reason": "bored"}', "bad_frame"), (b"\x00\x01", "bad_frame"),
    ],
)  # fmt: skip
async def test_a_malformed_frame_gets_an_error_and_ends_nothing(server, frame, code):
    dialogue = server.open_dialogue()
    async with server.socket(dialogue) as client:
        await client.socket.send(frame)
        assert (await client.until("error"))["code"] == code
        assert (await client.exchange("geht noch"))["type"] == "reply.done"


@pytest.mark.parametrize(
    ("text", "kind"),
    [("!500", "http_5xx"), ("!html", "bad_json"), ("!null", "bad_shape"), ("!hang", "timeout_first_byte"),
     ("!drip", "timeout_total"), ("!reset", "connect"), ("!big", "too_long"), ("!no-body", "empty")],
)  # fmt: skip
async def test_every_failure_of_the_bot_reaches_the_tester_typed(impatient, text, kind):
    async with impatient.socket(impatient.open_dialogue()) as client:
        failed = await client.exchange(text)
        assert failed["type"] == "turn.failed"
        assert (failed["kind"], failed["fault"], failed["retryable"], failed["turn"]) == (kind, "bot", True, 1)
        assert set(failed) == {"type", "seq", "turn", "kind", "fault", "retryable", "retries_left", "message"}


async def test_a_retry_keeps_the_turn_and_its_key(server, bot):
    dialogue = server.open_dialogue()
    async with server.socket(dialogue) as client:
        assert (await client.exchange("!once bitte"))["type"] == "turn.failed"
        await client.send(type="turn.retry", turn=1)
        retried = await client.until("turn.retried")
        assert (retried["seq"], retried["turn"]) == (3, 1)
        done = await client.until("reply.done")
        assert done["turn"] == 1
        events = await client.all_events()
        assert [event["seq"] for event in events] == [1, 2, 3, 4]
    keys = {headers["idempotency-key"] for headers, request in zip(bot.headers, bot.requests, strict=True)
            if request["dialogue"] == dialogue}  # fmt: skip
    assert keys == {f"{dialogue}:1"}


async def test_whoever_comes_while_a_turn_is_asked_again_hears_of_the_retry(server):
    dialogue = server.open_dialogue()
    async with server.socket(dialogue) as client:
        await client.exchange("!once-then-slow")
        await client.send(type="turn.retry", turn=1)
        await client.until("turn.retried")
        async with server.socket(dialogue) as other:
            assert (await other.next())["waiting"] == 1
            # On a busy machine the reply may be there by then.
            kinds = [event["type"] for event in await other.all_events()]
            assert kinds[:3] == ["turn.accepted", "turn.failed", "turn.retried"]
        await client.until("reply.done")


async def test_ending_cancels_what_is_in_flight(server):
    dialogue = server.open_dialogue()
    async with server.socket(dialogue) as client:
        await client.say("!hang")
        await client.until("turn.accepted")
        await client.send(type="dialogue.end", reason="gave_up")
        assert (await client.until("turn.failed"))["kind"] == "cancelled"
        assert (await client.until("dialogue.closed"))["status"] == "unfinished"


async def test_a_socket_hears_that_its_dialogue_is_void_while_the_bot_is_asked(server):
    dialogue = server.open_dialogue()
    async with server.socket(dialogue) as client:
        await client.say("!slow 4")
        await client.until("turn.accepted")
        status, said = server.request(
            "POST", f"/api/v1/campaigns/probe/dialogues/{dialogue}/void/", {"because": "走错了"}, person="organizer"
        )
        assert (status, said["status"]) == (200, "void")
        failed = await client.until("turn.failed")
        assert (failed["kind"], failed["fault"]) == ("cancelled", "tester")
        closed = await client.until("dialogue.closed")
        assert (closed["status"], closed["reason"], closed["because"]) == ("void", "voided", "走错了")
        assert (await client.exchange("noch da?"))["code"] == "closed"
    server.check_invariants()


async def test_what_the_bot_said_is_stored_code_point_for_code_point_and_its_maker_masked(server):
    dialogue = server.open_dialogue()
    async with server.socket(dialogue) as client:
        done = await client.exchange("!script")
        assert done["texts"] == ["<script>document.title='x'</script><b>粗</b> \u202eabc\u202c http://example.org"]
        masked = await client.exchange("!maker")
        assert masked["texts"] == ["我是 ██████████ 的系统"]
        assert masked["flags"] == ["masked"]
        assert (await client.exchange("!blank"))["flags"] == ["empty"]
        long = await client.exchange("!long")
        assert (len(long["texts"][0]), long["flags"]) == (8000, ["cut"])


async def test_history_and_context_travel_with_every_call(server, bot):
    dialogue = server.open_dialogue()
    async with server.socket(dialogue) as client:
        await client.exchange("eins")
    async with server.socket(dialogue, after=2) as client:
        await client.exchange("!two")
        await client.exchange("drei")
    asked = [request for request in bot.requests if request["dialogue"] == dialogue]
    assert asked[2]["history"] == [
        {"role": "user", "text": "eins"}, {"role": "bot", "text": "收到：eins"},
        {"role": "user", "text": "!two"}, {"role": "bot", "text": "一\n二"},
    ]  # fmt: skip


async def test_sockets_turn_away_whoever_has_no_business_there(server):
    dialogue = server.open_dialogue()
    url = f"ws://127.0.0.1:{server.port}/ws/dialogues/{dialogue}/"
    token = {"Authorization": f"Token {server.tokens['other']}"}
    assert await closed_with(url) == 4401
    assert await closed_with(url, Authorization="Token nonsense") == 4401
    assert await closed_with(url, Cookie="sessionid=nonsense", Origin=server.base) == 4401
    assert await closed_with(url, **token) == 4404
    organizer = {"Authorization": f"Token {server.tokens['organizer']}"}
    assert await closed_with(url, **organizer) == 4404
    unknown = f"ws://127.0.0.1:{server.port}/ws/dialogues/00000000-0000-0000-0000-000000000000/"
    assert await closed_with(unknown, **{"Authorization": f"Token {server.tokens['tester']}"}) == 4404
    assert await closed_with(f"ws://127.0.0.1:{server.port}/ws/elsewhere/") == 4404


def session_of(server) -> str:
    """The key of a login of the tester's."""
    return server.manage(
        "shell", "-v0", "-c",
        "from django.test import Client; from accounts.models import Person; c = Client(); "
        "c.force_login(Person.objects.get(username='tester')); print(c.cookies['sessionid'].value)",
    ).strip()  # fmt: skip


async def test_a_cookie_needs_an_origin_that_is_ours(server):
    dialogue = server.open_dialogue()
    url = f"ws://127.0.0.1:{server.port}/ws/dialogues/{dialogue}/"
    cookie = {"Cookie": f"sessionid={session_of(server)}"}
    for origin in (None, "null", "http://evil.example", f"http://127.0.0.1:{server.port + 1}"):
        headers = cookie | ({"Origin": origin} if origin else {})
        assert await closed_with(url, **headers) == 4401
    async with websockets.connect(url, additional_headers=cookie | {"Origin": server.base}) as socket:
        client = Client(socket)
        assert (await client.next())["type"] == "dialogue.state"
        server.manage(
            "shell", "-v0", "-c", "from django.contrib.sessions.models import Session; Session.objects.all().delete()"
        )
        assert (await client.until("error", timeout=5))["code"] == "forbidden"
        assert await client.until_closed(timeout=5) == 4401


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "key: must be a text of 1 to 64 characters"), ("zh-hans", "key: 必须是 1 到 64 个字符的文本")],
)
async def test_a_socket_says_why_it_refuses_in_the_language_of_its_page(server, language, sentence):
    """A program asks for it by a header, as on the API; a browser's cookie says what the pages speak."""
    dialogue, said = server.open_dialogue(), []
    url = f"ws://127.0.0.1:{server.port}/ws/dialogues/{dialogue}/"
    token = {"Authorization": f"Token {server.tokens['tester']}"}
    session = {"Cookie": f"sessionid={session_of(server)}; django_language={language}", "Origin": server.base}
    for headers in (token | {"Accept-Language": language}, session):
        async with websockets.connect(url, additional_headers=headers) as socket:
            await socket.send('{"type": "turn.send", "key": ""}')
            said.append(await Client(socket).until("error"))
    assert said == 2 * [{"type": "error", "code": "bad_frame", "message": sentence}]


@pytest.mark.parametrize(
    "end",
    [
        "from accounts.models import ApiToken as T; T.objects.filter(user__username='other').update(expiry='2020-01-01 00:00Z')",
        "from campaigns.models import CampaignRole as R; R.objects.filter(person__username='other').delete()",
        "from accounts.models import Person as P; P.objects.filter(username='other').update(is_active=False)",
    ],
    ids=["expired", "role taken back", "deactivated"],
)
async def test_a_socket_that_only_listens_is_closed_when_its_admission_ends(tmp_path, bot, end):
    with live(tmp_path, bot.url) as running:
        dialogue = running.open_dialogue(person="other")
        async with (
            running.socket(dialogue, person="other") as client,
            running.socket(dialogue, person="other") as second,
        ):
            await client.exchange("noch da")
            await second.all_events()
            running.manage("shell", "-v0", "-c", end)
            for each in (client, second):
                assert (await each.until("error", timeout=5))["code"] == "forbidden"
                assert await each.until_closed(timeout=5) == 4401


async def test_sockets_whose_admission_holds_stay_open(server):
    async with server.socket(server.open_dialogue()) as client:
        await client.next()
        await asyncio.sleep(2.5)
        assert (await client.exchange("noch da"))["type"] == "reply.done"


async def test_a_role_taken_back_stops_the_next_frame(server):
    dialogue = server.open_dialogue(person="other")
    async with server.socket(dialogue, person="other") as client:
        await client.exchange("noch da")
        # A command would end after the socket has been closed for the same reason.
        server.database.execute(
            "DELETE FROM campaigns_campaignrole WHERE person_id = (SELECT id FROM accounts_person WHERE username = 'other')"
        )
        assert (await client.exchange("und jetzt"))["code"] == "forbidden"
    assert len(server.turns(dialogue)) == 1


async def test_two_servers_on_one_database_follow_the_same_stream(tmp_path, bot):
    with live(tmp_path, bot.url) as first:
        second = replace(first, port=free_port())
        second.start()
        try:
            dialogue = first.open_dialogue()
            async with first.socket(dialogue) as left, second.socket(dialogue) as right:
                await left.exchange("von links")
                await right.until("reply.done", timeout=2)
                await right.exchange("von rechts")
                await left.until("reply.done", timeout=2)
                assert await left.all_events() == await right.all_events()
            asked = [request for request in bot.requests if request["dialogue"] == dialogue]
            assert [said["text"] for said in asked[1]["history"]] == ["von links", "收到：von links"]
        finally:
            second.kill()


async def test_the_processes_of_a_killed_supervisor_end_by_themselves(tmp_path, bot):
    with live(tmp_path, bot.url, processes=2) as running:
        assert running.request("GET", "/api/v1/assignments/")[0] == 200
        running.kill()
        until(lambda: not running.is_listening())
        running.start()
        assert running.request("GET", "/api/v1/assignments/")[0] == 200


async def test_a_server_ends_when_told_even_while_it_replaces_a_process_that_died(tmp_path, bot):
    with live(tmp_path, bot.url, processes=2) as running:
        assert running.request("GET", "/api/v1/assignments/")[0] == 200
        os.kill(until(running.processes_of_the_supervisor)[0], signal.SIGKILL)
        until(lambda: "starting another" in running.log.read_text())
        assert running.stop() == 0


@pytest.mark.parametrize("processes", [1, 2])
async def test_a_planned_restart_lets_turns_in_flight_finish_and_tells_the_sockets(tmp_path, bot, processes):
    with live(tmp_path, bot.url, processes=processes) as running:
        dialogue = running.open_dialogue()
        async with running.socket(dialogue) as client:
            await client.next()
            await client.say("!slow 0.8")
            await client.until("turn.accepted")
            running.server.terminate()
            until(lambda: not running.is_listening())
            await client.say("zu spät")
            assert (await client.until("error"))["code"] == "draining"
            assert (await client.until("reply.done"))["texts"] == ["收到：!slow 0.8"]
            assert await client.until_closed() == 4503
        assert running.server.wait(timeout=10) == 0
        running.check_invariants()


@pytest.mark.parametrize("is_chunked", [False, True])
def test_a_body_of_200_mb_is_refused_before_it_is_kept(server, is_chunked):
    """However it is sent: the answer is 413, and the server neither grows nor stops answering others."""
    before = memory_kib(server.server.pid)
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        how = "Transfer-Encoding: chunked" if is_chunked else f"Content-Length: {200 * 2**20}"
        connection.sendall(f"POST /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{how}\r\n\r\n".encode())
        piece = b"x" * 2**16
        answer = b""
        try:
            for _ in range(200 * 16):
                connection.sendall(b"%x\r\n%s\r\n" % (len(piece), piece) if is_chunked else piece)
        except OSError:
            pass
        with contextlib.suppress(OSError):
            answer = connection.recv(1000)
    assert not answer or b" 413 " in answer.splitlines()[0]
    assert memory_kib(server.server.pid) - before < 30_000
    with urllib.request.urlopen(f"{server.base}/login/", timeout=5) as page:
        assert page.status == 200


def memory_kib(pid: int) -> int:
    (line,) = [line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS")]
    return int(line.split()[1])


async def test_a_socket_that_is_flooded_while_the_database_waits_takes_no_memory(tmp_path, bot):
    with live(tmp_path, bot.url) as server:
        dialogue = server.open_dialogue()
        async with server.socket(dialogue) as client:
            await client.exchange("vorher")
            before = memory_kib(server.server.pid)
            with server.database.locked():
                await client.say("gesperrt")
                n_sent = 0
                with contextlib.suppress(TimeoutError):
                    while n_sent < 4000:
                        await asyncio.wait_for(client.socket.send("x" * 60_000), 1)
                        n_sent += 1
                assert memory_kib(server.server.pid) - before < 50_000
        async with server.socket(dialogue) as client:
            await client.exchange("nachher")


@pytest.mark.parametrize(
    ("flood", "is_answered"),
    [
        (b"X-A: " + b"x" * 4_000, True),
        (b"X-A: " + b"x" * 40_000, False),
        (b"".join(b"X-%d: y\r\n" % number for number in range(4_000)), False),
        (b" x\r\n" * 10_000, False),
    ],
    ids=["short", "one long line", "many lines", "folded lines"],
)
async def test_a_head_over_its_limit_is_refused_while_others_talk(server, flood, is_answered):
    """A parser that costs more than its length cannot cost much: Twisted reads 16 KiB and 500 lines of a request's head."""
    address = urllib.parse.urlsplit(server.base)
    async with server.socket(server.open_dialogue()) as client:
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        request = b"GET / HTTP/1.1\r\nConnection: close\r\nHost: " + address.netloc.encode() + b"\r\n" + flood
        writer.write(request + b"\r\n\r\n")
        answer = b""
        with contextlib.suppress(ConnectionResetError):
            answer = await asyncio.wait_for(reader.read(), 30)
        assert (b"200 OK" in answer) == is_answered
        writer.close()
        assert (await client.exchange("你好"))["type"] == "reply.done"
