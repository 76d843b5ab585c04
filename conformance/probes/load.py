"""How quick a bot is: in one dialogue, in some at a time, and in as many as its team declared."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext_noop

from conformance.examiner import PARALLEL_LIMIT, Examiner, NoReply, is_ours, text_of
from conformance.probes.outcomes import Outcome, detail_of, failed, passed, warned
from conformance.results import Verdict, percentile
from participants.adapters.calls import BotCall
from participants.failures import BotFailure

QUICK = gettext_noop("p50 %(p50)s ms, p95 %(p95)s ms (answers: %(n)s, dialogues at once: %(dialogues)s).")
SLOW_NOW_AND_THEN = gettext_noop(
    "Slow now and then: p50 %(p50)s ms, p95 %(p95)s ms (answers: %(n)s, dialogues at once: %(dialogues)s)."
)
SLOW = gettext_noop("Too slow: p50 %(p50)s ms, p95 %(p95)s ms (answers: %(n)s, dialogues at once: %(dialogues)s).")
NOT_MEASURED = gettext_noop("No answer came, so there is no time to report.")
DROPPED = gettext_noop(
    "Failed: %(n)s of %(calls)s calls (dialogues at once: %(dialogues)s), the first one: %(failure)s. %(detail)s"
)
OURS = gettext_noop(
    "Not made: %(n)s of %(calls)s calls (dialogues at once: %(dialogues)s); the system is not to blame."
)
NOT_ALL = gettext_noop(
    "Quick enough with %(dialogues)s dialogues at once (p50 %(p50)s ms, p95 %(p95)s ms), the most that a check has; declared are %(declared)s, which were not tried."
)
STILL_APART = gettext_noop("With %(dialogues)s dialogues at once, each got its own answers.")
MIXED_UP = gettext_noop("With %(dialogues)s dialogues at once, %(n)s got what was said in another.")


@dataclass(slots=True)
class Loaded:
    """What came of some dialogues at once."""

    n_dialogues: int
    latencies_ms: list[int] = field(default_factory=list)
    unanswered: list[NoReply] = field(default_factory=list)
    mixed_up: list[BotCall] = field(default_factory=list)

    @property
    def n_calls(self) -> int:
        return len(self.latencies_ms) + len(self.unanswered)


async def alone(examiner: Examiner) -> Outcome:
    return timed(examiner, examiner.latencies_ms, 1)


async def some_parallel(examiner: Examiner) -> Outcome:
    return _judged(examiner, await _load(examiner, examiner.limits.some_parallel))


async def declared_parallel(examiner: Examiner) -> Outcome:
    declared = examiner.limits.parallel
    loaded = await _load(examiner, min(declared, PARALLEL_LIMIT))
    examiner.mixed_up_under_load = loaded.mixed_up
    found = _judged(examiner, loaded)
    if declared > loaded.n_dialogues and found.verdict is Verdict.PASS:
        return warned(NOT_ALL, declared=declared, **found.sentence.values)
    return found


async def apart_under_load(examiner: Examiner) -> Outcome:
    """What the dialogues of the probe before heard."""
    n, mixed_up = min(examiner.limits.parallel, PARALLEL_LIMIT), examiner.mixed_up_under_load
    if mixed_up:
        return failed(MIXED_UP, mixed_up[0], dialogues=n, n=len(mixed_up))
    return passed(STILL_APART, dialogues=n)


async def _load(examiner: Examiner, n: int) -> Loaded:
    loaded, names = Loaded(n), examiner.names(n)
    try:
        async with asyncio.TaskGroup() as group:
            for name in names:
                group.create_task(_dialogue(examiner, name, names, loaded))
    except ExceptionGroup as several:
        # One for all: who asks for the probe knows `TooManyCalls`, and no group of them.
        raise several.exceptions[0] from several
    return loaded


async def _dialogue(examiner: Examiner, name: str, names: Sequence[str], loaded: Loaded) -> None:
    """Says its own name and asks for it; the name of any other dialogue is one too many."""
    talk, lines = examiner.talk(), examiner.lines
    for text in (lines.my_name_is(name), lines.ask_name):
        try:
            reply = await talk.say(text)
        except NoReply as no_reply:
            loaded.unanswered.append(no_reply)
            return
        loaded.latencies_ms.append(reply.latency_ms)
        said = text_of(reply)
        if talk.latest and any(other in said for other in names if other != name):
            loaded.mixed_up.append(talk.latest)
            return


def _judged(examiner: Examiner, loaded: Loaded) -> Outcome:
    if loaded.unanswered:
        lost = [(one.failure, one.call) for one in loaded.unanswered]
        return dropped(lost, n_calls=loaded.n_calls, n_dialogues=loaded.n_dialogues)
    return timed(examiner, loaded.latencies_ms, loaded.n_dialogues)


def dropped(lost: Sequence[tuple[BotFailure, BotCall | None]], *, n_calls: int, n_dialogues: int) -> Outcome:
    """Of calls without an answer, those that the bot failed; that the platform did not make them, where it failed none."""
    theirs = [(failure, call) for failure, call in lost if not is_ours(failure)]
    said = {"calls": n_calls, "dialogues": n_dialogues}
    if not theirs:
        return warned(OURS, lost[0][1], n=len(lost), **said)
    failure, call = theirs[0]
    return failed(DROPPED, call, n=len(theirs), failure=str(failure.kind), detail=detail_of(failure), **said)


def timed(examiner: Examiner, latencies_ms: Sequence[int], n_dialogues: int) -> Outcome:
    if not latencies_ms:
        return warned(NOT_MEASURED)
    p50, p95 = percentile(latencies_ms, 0.5), percentile(latencies_ms, 0.95)
    said = {"p50": p50, "p95": p95, "n": len(latencies_ms), "dialogues": n_dialogues}
    if p50 > examiner.limits.slow_ms:
        return failed(SLOW, examiner.talk().call(examiner.lines.greeting), **said)
    if p95 > examiner.limits.slow_ms:
        return warned(SLOW_NOW_AND_THEN, examiner.talk().call(examiner.lines.greeting), **said)
    return passed(QUICK, **said)
