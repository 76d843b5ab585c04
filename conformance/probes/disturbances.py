"""What a bot does with what goes wrong: an invalid request, a call that is given up, an invalid stream."""

import asyncio
from dataclasses import replace

from django.utils.translation import gettext_noop

from conformance.examiner import Examiner, NoReply, is_ours, text_of
from conformance.probes.outcomes import NOT_ASKED, Outcome, detail_of, failed, passed, unanswered, warned
from conformance.results import Verdict
from participants.adapters.calls import BotCall
from participants.adapters.shown_requests import Request, request_of, shown_request
from participants.failures import BotFailure, FailureKind
from reading.findings import Finding

STREAMED = frozenset({"openai", "ollama", "gradio"})
# Below these limits a stream cannot be told from a whole answer.
SHORT_TEXT = 20
SHORT_TIME_S = 0.3
# The pieces of a stream come over more of its time than this share.
AT_ONCE = 0.05
# By then a bot has noticed that a connection was closed.
NOTICED_AFTER_S = 0.1

REFUSED = gettext_noop("A request that breaks off is refused with status %(status)s, and the system goes on.")
TOOK_IT = gettext_noop("A request that breaks off is answered as if it were whole: its errors cannot be seen.")
BROKE = gettext_noop("A request that breaks off gets no plain refusal: %(detail)s")
DEAD_AFTER = gettext_noop("After a request that broke off, the system no longer answers: %(failure)s. %(detail)s")
NO_BODY = gettext_noop("Requests of this protocol have no body that could break off.")
RECOVERS = gettext_noop("After a call that was given up, the system answers as before.")
TOO_QUICK = gettext_noop("The system answers too quickly for a call to be given up in between.")
DEAD_AFTER_CANCEL = gettext_noop(
    "After a call that was given up, the system no longer answers: %(failure)s. %(detail)s"
)
NOT_STREAMED = gettext_noop("This protocol sends whole answers; there is no stream to check.")
STREAMS = gettext_noop("The answer came in %(n)s pieces, the first after %(first_ms)s ms.")
IN_ONE_PIECE = gettext_noop("The stream is none: the whole answer comes in one piece after %(took_ms)s ms.")
ALL_AT_ONCE = gettext_noop("The stream is none: its %(n)s pieces come all at once, after %(first_ms)s ms.")
TOO_SHORT = gettext_noop("The answer is too short to tell a stream from a whole answer.")


async def errors(examiner: Examiner) -> Outcome:
    """Sends half a request of the bot's own protocol, then a whole one."""
    call = examiner.talk().call(examiner.lines.greeting)
    request = request_of(call, examiner.adapters)
    if request is None or not request.content or not request.url.startswith("http"):
        return passed(NO_BODY)
    found = await _refused(examiner, request, _shown_half(examiner, call))
    try:
        await examiner.talk().say(examiner.lines.greeting)
    except NoReply as no_reply:
        after = unanswered(no_reply)
        return _failed_after(DEAD_AFTER, no_reply) if after.verdict is Verdict.FAIL else after
    return found


async def _refused(examiner: Examiner, request: Request, curl: str) -> Outcome:
    half = request.content[: len(request.content) // 2]
    try:
        async with examiner.line() as line, line.post(request.url, half, request.headers) as answer:
            await answer.body()
    except BotFailure as failure:
        if is_ours(failure):
            return warned(NOT_ASKED, failure=str(failure.kind))
        if failure.kind is FailureKind.HTTP_4XX:
            return passed(REFUSED, status=failure.status)
        return Outcome(Verdict.WARN, Finding("", BROKE, {"detail": detail_of(failure)}), curl=curl)
    return Outcome(Verdict.WARN, Finding("", TOOK_IT), curl=curl)


def _shown_half(examiner: Examiner, call: BotCall) -> str:
    """Half of the request as it may be shown, without a character that was cut in two: a shell could not send it."""
    shown = shown_request(call, examiner.adapters)
    if shown is None:
        return ""
    return replace(shown, content=shown.content[: len(shown.content) // 2].decode(errors="ignore").encode()).as_curl


def _failed_after(text: str, no_reply: NoReply) -> Outcome:
    failure = no_reply.failure
    return failed(text, no_reply.call, failure=str(failure.kind), detail=detail_of(failure))


async def cancelled_call(examiner: Examiner) -> Outcome:
    """Gives a call up while the bot works on it; quick bots are tried with shorter waits first."""
    was_given_up = False
    for wait_s in examiner.limits.cancel_after_s:
        was_given_up = await _give_up(examiner, wait_s) or was_given_up
    await asyncio.sleep(NOTICED_AFTER_S)
    try:
        await examiner.talk().say(examiner.lines.greeting)
    except NoReply as no_reply:
        found = unanswered(no_reply)
        return _failed_after(DEAD_AFTER_CANCEL, no_reply) if found.verdict is Verdict.FAIL else found
    return passed(RECOVERS if was_given_up else TOO_QUICK)


async def _give_up(examiner: Examiner, wait_s: float) -> bool:
    asking = asyncio.create_task(examiner.talk().say(examiner.lines.long_text(examiner.limits.long_text)))
    done, _ = await asyncio.wait({asking}, timeout=wait_s)
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    return not done


async def streaming(examiner: Examiner) -> Outcome:
    clock, came_s, talk = examiner.door.watch.time, list[float](), examiner.talk()
    began_s = clock()
    try:
        text = text_of(await talk.say(examiner.lines.tell_me_more, lambda part: came_s.append(clock() - began_s)))
    except NoReply as no_reply:
        return unanswered(no_reply)
    took_s = clock() - began_s
    bot = examiner.bot
    if not came_s and bot.protocol not in STREAMED and not bot.options.get("stream"):
        return passed(NOT_STREAMED)
    return _framing(came_s, took_s, len(text), talk.latest)


def _framing(came_s: list[float], took_s: float, n_characters: int, call: BotCall | None) -> Outcome:
    """What pieces at these moments show of an answer of that time and length."""
    if n_characters < SHORT_TEXT:
        return passed(TOO_SHORT)
    if len(came_s) < 2:
        return warned(IN_ONE_PIECE, call, took_ms=round(took_s * 1000))
    first_ms = round(came_s[0] * 1000)
    if took_s > SHORT_TIME_S and came_s[-1] - came_s[0] < AT_ONCE * took_s:
        return warned(ALL_AT_ONCE, call, n=len(came_s), first_ms=first_ms)
    return passed(STREAMS, n=len(came_s), first_ms=first_ms)
