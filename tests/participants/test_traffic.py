"""Every request leaves its id, its sizes, its times and the first bytes of what came back, whatever came of it."""

import asyncio

import pytest

from participants.adapters import ADAPTERS
from participants.adapters.asking import ask
from participants.failures import EVIDENCE_LIMIT, BotFailure
from tests.fakes.raw_bots import http, raw_bot
from tests.participants.talking import call_of, door_to

OK = http(b'{"text": "ok"}')


async def came_of(*answers, n=1, deadline_s=0.6, **named):
    """What came of so many turns one after the other, and the bot."""
    came = []
    async with raw_bot(*answers) as bot, door_to(bot) as door:
        for _ in range(n):
            try:
                came.append(
                    await ask(call_of(bot, "x", deadline_s=deadline_s, **named), door, lambda part: None, ADAPTERS)
                )
            except BotFailure as failure:
                came.append(failure)
    return came, bot


async def test_a_reply_has_sizes_and_times_and_the_bot_had_its_id():
    (first, second), bot = await came_of([0.05, OK], n=2)
    for reply, head in zip((first, second), bot.heads, strict=True):
        wire = reply.tries[-1].wire
        assert f"X-Request-Id: {wire.request_id}\r\n" in head
        body = int(head.partition("Content-Length: ")[2].split("\r\n")[0])
        assert (wire.request_bytes, wire.response_bytes) == (len(head) + body, len(OK))
        assert 50 <= wire.first_byte_ms <= wire.last_byte_ms < 500
        assert wire.waited_ms is None
    assert first.tries[-1].wire.connect_ms is not None
    assert second.tries[-1].wire.connect_ms is None, "the connection was kept"
    assert first.tries[-1].wire.request_id != second.tries[-1].wire.request_id


LONG = b'{"txt": "' + b"x" * 5000 + b'"}'


@pytest.mark.parametrize(
    ("answer", "kind", "status", "evidence"),
    [
        (http(b"no such bot", status="404 Not Found"), "http_4xx", 404, "no such bot"),
        (http(b"oh", status="500 Oh"), "http_5xx", 500, "oh"),
        (http(b"<html>hello"), "bad_json", 200, "<html>hello"),
        (http(b'{"txt": 1}'), "bad_shape", 200, '{"txt": 1}'),
        (http(b"moved", "Location: /y", status="302 Found"), "bad_shape", 302, "moved"),
        (http(b""), "empty", 200, ""),
        (http(b" \n "), "empty", 200, " \n "),
        (http(LONG), "bad_shape", 200, LONG[:EVIDENCE_LIMIT].decode()),
        (http(b'{"text": "' + b"x" * 300_000), "too_long", 200, '{"text": "' + "x" * (EVIDENCE_LIMIT - 10)),
        (b"SSH-2.0-OpenSSH\r\n\r\n", "bad_shape", None, "SSH-2.0-OpenSSH\r\n\r\n"),
        ([OK[:-3], 60], "timeout_total", 200, '{"text": "o'),
        ([b"HTTP/1.1 200 OK\r\nX: y", 60], "timeout_first_byte", None, "HTTP/1.1 200 OK\r\nX: y"),
        ([60], "timeout_first_byte", None, ""),
    ],
)  # fmt: skip
async def test_every_kind_of_failure_keeps_status_sizes_times_and_first_bytes(answer, kind, status, evidence):
    (failure,), _ = await came_of(answer)
    (one,) = failure.tries
    assert (one.kind, one.status, one.evidence) == (kind, status, evidence)
    assert one.wire.request_bytes > 0
    assert one.wire.connect_ms is not None
    assert (one.wire.first_byte_ms is None) == (one.wire.response_bytes == 0) == (answer == [60])


async def test_a_connection_that_is_not_made_in_time_has_sent_nothing(monkeypatch):
    async def never(self, *about, **named):
        await asyncio.sleep(60)

    monkeypatch.setattr("aiohttp.TCPConnector.connect", never)
    (failure,), bot = await came_of(OK, deadline_s=0.1)
    assert (failure.kind, failure.reached_bot, failure.tries[0].has_left) == ("timeout_first_byte", False, False)
    assert failure.tries[0].wire.request_bytes == 0
    assert bot.asked == []
