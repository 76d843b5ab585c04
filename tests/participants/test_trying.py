"""One call to a bot for whoever sets it up, with what the paths of its mapping found."""

import json

from participants.adapters import ADAPTERS
from participants.adapters.trying import tried
from participants.outbound import Door
from tests.fakes.raw_bots import CLOSE, http, raw_bot
from tests.participants.talking import call_of

SSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
STREAM = {"request": '{"q": "{{text}}"}', "stream_kind": "sse", "delta": "text", "done": "last"}


async def try_raw(*answers, protocol="mapping", **options):
    async with raw_bot(*answers) as raw:
        call = call_of(raw, "好", protocol=protocol, options=options)
        return await tried(call, Door(frozenset({("127.0.0.1", raw.port)})), ADAPTERS)


async def test_of_a_stream_the_parts_and_the_last_finds_are_told():
    events = b"".join(b"data: %s\n\n" % json.dumps(one).encode() for one in ({"text": "a"}, {"text": "b"}, {"last": 1}))
    result = await try_raw([SSE, events, CLOSE], **STREAM)
    assert (result.reply.texts, result.n_parts) == (("ab",), 2)
    assert [(one.name, one.path, one.value, one.n) for one in result.found] == [
        ("delta", "text", '"b"', 2),
        ("done", "last", "1", 1),
    ]
    assert result.exchanges[0].body == events.decode()
    assert "Bearer ***" in result.curl


async def test_what_a_bot_answers_in_place_of_a_reply_is_told_too():
    result = await try_raw(http(b'{"oops": 1}'), request="{}", reply="a")
    assert (result.reply, result.failure.detail.place) == (None, "reply")
    assert (result.exchanges[0].status, result.exchanges[0].body) == (200, '{"oops": 1}')
    assert [(one.name, one.value, one.n) for one in result.found] == [("reply", "null", 0)]


async def test_other_protocols_are_tried_the_same_way():
    result = await try_raw(http(b'{"text": "\xe5\xa5\xbd"}'), protocol="huace/1")
    assert (result.reply.texts, result.found) == (("好",), [])
    assert result.exchanges[0].asked.startswith("POST http://127.0.0.1:")
