"""One turn with a bot on a real socket, as the platform has it."""

from contextlib import asynccontextmanager

import pytest

from participants.adapters import ADAPTERS, BotAddress, BotCall, Reply
from participants.adapters.asking import ask
from participants.failures import BotFailure
from participants.outbound import Door
from tests.fakes.raw_bots import raw_bot


def call_of(
    bot, text, *, protocol="huace/1", deadline_s=2.0, url=None, turn=3, options=None, parallel=50, key="", **named
):
    address = BotAddress(protocol, url or bot.url, secret="s3cret", options=options or {}, parallel=parallel, key=key)
    return BotCall(address, "d-1", turn, text, f"d-1:{turn}", deadline_s=deadline_s, **named)


@asynccontextmanager
async def door_to(*bots, **options):
    door = Door(frozenset(("127.0.0.1", bot.port) for bot in bots), **options)
    try:
        yield door
    finally:
        await door.close()


async def reply_to(call, *allowed, heard=None, **door_options):
    door = Door(frozenset(allowed), **door_options)
    try:
        return await ask(call, door, heard.append if heard is not None else lambda part: None, ADAPTERS)
    finally:
        await door.close()


async def talk(bot, text, **named):
    return await reply_to(call_of(bot, text, **named), ("127.0.0.1", bot.port))


async def failure_of(bot, text, **named) -> BotFailure:
    with pytest.raises(BotFailure) as failed:
        await talk(bot, text, **named)
    return failed.value


async def ask_raw(
    protocol, *answers, path="", heard=None, text="订票", **named
) -> tuple[Reply | BotFailure, list[dict]]:
    """What came of one turn with a bot that answers so, and what the bot was asked."""
    async with raw_bot(*answers) as raw:
        call = call_of(raw, text, protocol=protocol, url=raw.url + path, **named)
        try:
            return await reply_to(call, ("127.0.0.1", raw.port), heard=heard), raw.asked
        except BotFailure as failure:
            return failure, raw.asked
