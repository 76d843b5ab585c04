"""Asks a bot for one reply: picks the adapter, keeps one deadline over all tries, notes every try.

What reached a bot is never sent again by itself, with one exception: a complete answer with status 429 or 503 says
"not now", so the bot may be asked again, once and within the deadline. What never reached it may be sent again too.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from participants import failure_sentences as sentences
from participants.adapters.calls import BotCall, Farewell, Reply, written
from participants.adapters.contract import Adapter, Close
from participants.adapters.pictures import Keep, forgotten, with_pictures
from participants.adapters.shown_requests import failure_without
from participants.failures import BotFailure, FailureKind, Try, Wire
from participants.outbound import Door, Line
from participants.outbound.door import explain
from participants.outbound.line import OnWait, unheard
from participants.outbound.places import Told, untold
from participants.picture_lines import n_pictures
from reading.findings import sentence

# Robustness §2: a refused connection or failed look-up is tried again after these pauses, in seconds.
UNSENT_RETRY_PAUSES_S = (0.5, 2.0)
RETRY_AFTER_LIMIT_S = 10.0
WORTH_ANOTHER_TRY = {FailureKind.DNS, FailureKind.CONNECT}


def pause_before_retry(failure: BotFailure, n_unsent: int, n_asked_to_wait: int) -> float | None:
    """Seconds to wait before the next try, or None where a re-send is not allowed (robustness P5)."""
    if not failure.reached_bot and failure.kind in WORTH_ANOTHER_TRY:
        return UNSENT_RETRY_PAUSES_S[n_unsent] if n_unsent < len(UNSENT_RETRY_PAUSES_S) else None
    wait_s = failure.retry_after_s
    if wait_s is not None and n_asked_to_wait == 0 and wait_s <= RETRY_AFTER_LIMIT_S:
        return wait_s
    return None


async def ask(
    call: BotCall,
    door: Door,
    on_delta: Callable[[str], None],
    adapters: Mapping[str, Adapter],
    tries: list[Try] | None = None,
    on_place: Told = untold,
    on_wait: OnWait = unheard,
    keep: Keep = forgotten,
) -> Reply:
    """The bot's reply to `call` within `call.deadline_s` seconds of its own time over all tries, with every try.

    A turn has one place at the bot for all its tries; `on_place` hears how far it is from one, `on_wait` of every wait of
    ours, this one among them. Pictures that the reply names are fetched afterwards, in time that is not the bot's, and
    `keep` stores each. `tries` is filled as the call goes on, for callers that may cancel it. Errors: `BotFailure`, with every try as well and the bot's secret in none of it.
    """
    adapter = adapters.get(call.bot.protocol)
    if adapter is None:
        detail = sentence(sentences.NO_ADAPTER, protocol=call.bot.protocol)
        raise BotFailure(FailureKind.BAD_SHAPE, detail, reached_bot=False)
    asks, line = adapter.asks(call), door.line(call.deadline_s, on_wait)
    tries = [] if tries is None else tries
    places = door.places_at(call.bot.key or call.bot.url, call.bot.parallel)
    try:
        await places.take(line, on_place)
    except BotFailure as failure:
        tries.append(_failed_try(1, failure, 0.0, line.wire))
        failure.tries = tuple(tries)
        raise
    try:
        reply = await _asked(partial(asks, call, line, on_delta), line, tries, call.bot.secret)
    finally:
        places.give_back()
    if not reply.images:
        return reply
    n_before = n_pictures(one.text for one in call.history.said if one.role == "bot")
    return await with_pictures(reply, door, keep, n_before)


async def _asked(once: Callable[[], Awaitable[Reply]], line: Line, tries: list[Try], secret: str) -> Reply:
    while True:
        began_s = line.spent_s
        try:
            reply = await once()
            if reply.state is not None:
                written(reply.state)
        except BotFailure as failure:
            if failure.reached_bot:
                # An adapter may have found it when the answer was read and gone.
                explain(failure, line.answer, line)
            # Before anybody stores it: who reads failures need not be who knows the secret.
            failure_without(failure, secret)
            n_sent = sum(earlier.has_left for earlier in tries)
            pause_s = pause_before_retry(failure, len(tries) - n_sent, n_sent)
            tries.append(_failed_try(len(tries) + 1, failure, line.spent_s - began_s, line.wire))
            if pause_s is None or pause_s >= line.left_s:
                failure.tries, failure.latency_ms = tuple(tries), _ms(line.spent_s)
                failure.heard_ago_s = line.heard_ago_s
                raise
            await asyncio.sleep(pause_s)
        else:
            tries.append(_answered_try(len(tries) + 1, line.spent_s - began_s, line.wire))
            return replace(reply, tries=tuple(tries), latency_ms=_ms(line.spent_s))


def _failed_try(number: int, failure: BotFailure, took_s: float, wire: Wire) -> Try:
    return Try(
        number=number,
        kind=failure.kind,
        status=failure.status,
        detail=failure.detail,
        evidence=failure.evidence,
        has_left=failure.reached_bot,
        latency_ms=_ms(took_s),
        ended_at=datetime.now(UTC),
        wire=wire,
    )


def _answered_try(number: int, took_s: float, wire: Wire) -> Try:
    return Try(
        number, None, 200, None, "", has_left=True, latency_ms=_ms(took_s), ended_at=datetime.now(UTC), wire=wire
    )


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


async def say_goodbye(farewell: Farewell, door: Door, close: Close, limit_s: float) -> None:
    """Errors: `BotFailure`, and `TimeoutError` where it does not end within `limit_s` seconds of anybody's time."""
    line = door.line(limit_s)
    places = door.places_at(farewell.bot.key or farewell.bot.url, farewell.bot.parallel)
    # Around it all: what the line waits for on our side is not in its deadline.
    async with asyncio.timeout(limit_s):
        await places.take(line)
        try:
            await close(farewell, line)
        finally:
            places.give_back()
