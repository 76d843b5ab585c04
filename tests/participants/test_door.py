"""The outbound door, against bots on real sockets."""

import asyncio
import time

import pytest

from participants.adapters import ADAPTERS
from participants.adapters.asking import ask
from participants.failures import BotFailure
from participants.outbound import Door
from tests.participants.talking import call_of, failure_of


@pytest.mark.parametrize(("text", "kind"), [("!hang", "timeout_first_byte"), ("!drip", "timeout_total")])
async def test_one_deadline_stands_around_the_whole_exchange(bot, text, kind):
    started = time.monotonic()
    failure = await failure_of(bot, text, deadline_s=0.7)
    assert failure.kind == kind
    assert time.monotonic() - started < 1.5


async def test_a_name_that_does_not_resolve_is_a_dns_failure(bot):
    failure = await failure_of(bot, "x", url="http://no-such-host.invalid/", deadline_s=0.4)
    assert (failure.kind, failure.reached_bot) == ("dns", False)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8080/", "http://localhost:8080/", "http://127.1:8080/", "http://2130706433:8080/",
        "http://0x7f.1:8080/", "http://[::1]:8080/", "http://[::ffff:127.0.0.1]:8080/", "http://0.0.0.0:8080/",
        "http://10.1.2.3/", "http://192.168.1.1/", "http://172.16.0.1/", "http://169.254.169.254/latest/",
        "http://100.64.0.1/", "http://[fe80::1]/", "http://[fd00::1]/", "http://[64:ff9b::7f00:1]/",
        "http://[::7f00:1]/", "http://224.0.0.1/", "http://255.255.255.255/", "http://198.18.0.1/",
        "http://8.8.8.8:22/", "http://8.8.8.8:6379/", "http://8.8.8.8:25/", "http://user:pass@example.org/",
        "ftp://example.org/", "file:///etc/passwd", "http:///x", "http://[bad/", "gopher://127.0.0.1:70/",
    ],
)  # fmt: skip
async def test_no_address_that_is_not_public_is_connected_to(bot, url):
    failure = await failure_of(bot, "x", url=url, deadline_s=2)
    assert failure.kind == "blocked_address"


async def test_a_connection_is_kept_and_one_found_closed_is_not_used(bot):
    door = Door(frozenset({("127.0.0.1", bot.port)}))
    for text in ("a", "b", "!close"):
        try:
            await ask(call_of(bot, text), door, lambda part: None, ADAPTERS)
        except BotFailure:
            await asyncio.sleep(0.05)
    reply = await ask(call_of(bot, "c"), door, lambda part: None, ADAPTERS)
    assert reply.texts == ("收到：c",)
    await door.close()
