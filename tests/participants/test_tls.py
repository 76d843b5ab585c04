"""Bots behind TLS: the certificate is always verified, and what fails there has not reached the bot."""

import asyncio
import ipaddress
import ssl
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from cryptography import x509

from participants.adapters import ADAPTERS
from participants.adapters.asking import ask
from participants.failures import BotFailure
from participants.outbound import Door
from tests.fakes.authority import NOW, Authority
from tests.fakes.raw_bots import RawBot, http
from tests.participants.talking import call_of

OK = http(b'{"text": "ok"}')


@asynccontextmanager
async def bot_behind(context: ssl.SSLContext):
    bot = RawBot(([OK],))
    server = await asyncio.start_server(bot.serve, "127.0.0.1", 0, ssl=context)
    bot.port = server.sockets[0].getsockname()[1]
    try:
        yield bot
    finally:
        server.close()
        for task in bot.serving:
            task.cancel()


async def turns_with(bot: RawBot, client: ssl.SSLContext | None, host: str, n_turns: int = 1) -> list:
    door = Door(frozenset({(host, bot.port)}), ssl_context=client)
    outcomes = []
    for _ in range(n_turns):
        try:
            call = call_of(bot, "a", url=f"https://{host}:{bot.port}/", deadline_s=10.0)
            outcomes.append((await ask(call, door, lambda part: None, ADAPTERS)).texts)
        except BotFailure as failure:
            outcomes.append(failure)
    await door.close()
    return outcomes


NAMES = {
    "127.0.0.1": x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
    "localhost": x509.DNSName("localhost"),
    "elsewhere": x509.DNSName("bot.example.org"),
}


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_bot_with_a_good_certificate_answers_and_its_connection_is_kept(tmp_path, host):
    authority = Authority()
    context = authority.server_context(tmp_path, [NAMES[host]], NOW + timedelta(days=1))
    async with bot_behind(context) as bot:
        assert await turns_with(bot, authority.client_context(), host, n_turns=3) == [("ok",)] * 3
        assert bot.n_connections == 1


@pytest.mark.parametrize("wrong", ["unknown authority", "wrong name", "expired"])
async def test_a_certificate_that_does_not_hold_ends_the_call_before_anything_is_sent(tmp_path, wrong):
    authority = Authority()
    name = NAMES["elsewhere" if wrong == "wrong name" else "127.0.0.1"]
    until = NOW - timedelta(days=1) if wrong == "expired" else NOW + timedelta(days=1)
    context = authority.server_context(tmp_path, [name], until)
    client = None if wrong == "unknown authority" else authority.client_context()
    async with bot_behind(context) as bot:
        (failure,) = await turns_with(bot, client, "127.0.0.1")
    assert (failure.kind, failure.fault, failure.reached_bot) == ("tls", "bot", False)
    assert len(failure.tries) == 1
    assert bot.asked == []
