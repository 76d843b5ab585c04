"""Checks a bot as the lab does, with loads that a test can wait for."""

import asyncio
from dataclasses import replace

from conformance.examiner import Limits
from conformance.lab import check_bot
from participants.adapters import ADAPTERS
from participants.adapters.calls import BotAddress
from participants.outbound import Door

SMALL = Limits(
    deadline_s=1.0,
    long_turns=22,
    some_parallel=3,
    parallel=8,
    slow_ms=1000,
    cancel_after_s=(0.03,),
    total_s=30.0,
)


def checked(url, protocol="huace/1", secret="", options=None, probes=None, on_result=None, **limits):
    """The report on the bot."""
    given = {"probes": probes} if probes is not None else {}
    if on_result:
        given["on_result"] = on_result

    async def check():
        door = Door(allowed_of(url))
        bot = BotAddress(protocol, url, secret, options or {})
        try:
            return await check_bot(bot, door, ADAPTERS, limits=replace(SMALL, **limits), **given)
        finally:
            await door.close()

    return asyncio.run(check())


def allowed_of(url):
    host, _, rest = url.removeprefix("http://").partition(":")
    return frozenset({(host, int(rest.partition("/")[0]))})


def verdicts(report):
    return {result.name: str(result.verdict) for result in report.results}


def of(report, name):
    return next(result for result in report.results if result.name == name)
