"""Asks a bot for one reply: picks the adapter, keeps one deadline over all tries, re-sends only what never arrived."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace

from participants.adapters.calls import Adapter, BotCall, Reply
from participants.failures import BotFailure, FailureKind
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


async def ask(call: BotCall, door: Door, on_delta: Callable[[str], None], adapters: Mapping[str, Adapter]) -> Reply:
    """The bot's reply to `call` within `call.deadline_s` seconds over all tries. Errors: `BotFailure`."""
    adapter = adapters.get(call.bot.protocol)
    if adapter is None:
        raise BotFailure(FailureKind.BAD_SHAPE, f"No adapter speaks {call.bot.protocol!r}.", reached_bot=False)
    clock = asyncio.get_running_loop().time
    ends_at = clock() + call.deadline_s
    n_unsent = n_asked_to_wait = 0
    while True:
        try:
            return await adapter(replace(call, deadline_s=max(0.001, ends_at - clock())), door, on_delta)
        except BotFailure as failure:
            pause_s = pause_before_retry(failure, n_unsent, n_asked_to_wait)
            if pause_s is None or clock() + pause_s >= ends_at:
                raise
            n_unsent += not failure.reached_bot
            n_asked_to_wait += failure.reached_bot
            await asyncio.sleep(pause_s)
