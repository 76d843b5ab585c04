"""Asks a bot for one reply: picks the adapter, keeps one deadline over all tries, notes every try.

What reached a bot is never sent again by itself, with one exception: a complete answer with status 429 or 503 says
"not now", so the bot may be asked again, once and within the deadline. What never reached it may be sent again too.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from participants.adapters.calls import Adapter, BotCall, Reply
from participants.failures import BotFailure, FailureKind, Try
from participants.outbound import Door

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
) -> Reply:
    """The bot's reply to `call` within `call.deadline_s` seconds of its own time over all tries, with every try.

    `tries` is filled as the call goes on, for callers that may cancel it. Errors: `BotFailure`, with every try as well.
    """
    adapter = adapters.get(call.bot.protocol)
    if adapter is None:
        raise BotFailure(FailureKind.BAD_SHAPE, f"No adapter speaks {call.bot.protocol!r}.", reached_bot=False)
    line = door.line(call.deadline_s)
    tries = [] if tries is None else tries
    while True:
        began_s = line.spent_s
        try:
            reply = await adapter(call, line, on_delta)
        except BotFailure as failure:
            n_sent = sum(earlier.has_left for earlier in tries)
            pause_s = pause_before_retry(failure, len(tries) - n_sent, n_sent)
            tries.append(_failed_try(len(tries) + 1, failure, line.spent_s - began_s))
            if pause_s is None or pause_s >= line.left_s:
                failure.tries, failure.latency_ms = tuple(tries), _ms(line.spent_s)
                raise
            await asyncio.sleep(pause_s)
        else:
            tries.append(_answered_try(len(tries) + 1, line.spent_s - began_s))
            return replace(reply, tries=tuple(tries), latency_ms=_ms(line.spent_s))


def _failed_try(number: int, failure: BotFailure, took_s: float) -> Try:
    return Try(
        number=number,
        kind=failure.kind,
        status=failure.status,
        detail=failure.detail,
        evidence=failure.evidence,
        has_left=failure.reached_bot,
        latency_ms=_ms(took_s),
        ended_at=datetime.now(UTC),
    )


def _answered_try(number: int, took_s: float) -> Try:
    return Try(number, None, 200, "", "", has_left=True, latency_ms=_ms(took_s), ended_at=datetime.now(UTC))


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
