"""The first word in the bot's protocol: what becomes of it, stage by stage, from the address to what the bot says."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from django.utils.translation import gettext_noop

from conformance.examiner import Examiner, NoReply, is_ours, text_of
from conformance.probes.outcomes import Outcome, detail_of, failed, passed, warned
from participants.failures import BotFailure, FailureKind
from reading.strict_json import NOT_UTF8

# What has to be right before the next can be.
STAGES = ("address", "reachable", "tls", "status", "charset", "json", "schema")
RIGHT = {
    "address": gettext_noop("The address may be called."),
    "reachable": gettext_noop("The name resolves, and a connection opens."),
    "status": gettext_noop("Answered with status 200, neither redirected nor compressed."),
    "charset": gettext_noop("The answer is UTF-8."),
    "json": gettext_noop("The answer can be read to its end."),
    "schema": gettext_noop("The answer has the shape of its protocol."),
}
ENCRYPTED = gettext_noop("The connection is encrypted, the certificate valid.")
SECRET_IN_CLEAR = gettext_noop("The secret travels unencrypted: anybody on the way can read it.")
NOT_ENCRYPTED = gettext_noop("The address is plain HTTP: there is no certificate to check.")
WRONG = gettext_noop("%(detail)s")
SAYS_NOTHING = gettext_noop("The system answers a greeting with an empty text.")
SAYS = gettext_noop("The system said: “%(said)s”.")
SHOWN = 60


async def first_word(examiner: Examiner) -> list[tuple[str, Outcome]]:
    """Every stage that was reached, the last of them the one that failed; what the bot said if none did.

    Errors: `NoReply` where the platform could not ask.
    """
    talk = examiner.talk()
    try:
        reply = await talk.say(examiner.lines.greeting)
    except NoReply as no_reply:
        if is_ours(no_reply.failure):
            raise
        return list(_up_to(stage_of(no_reply.failure), no_reply, examiner))
    said = text_of(reply).strip()
    found = passed(SAYS, said=said[:SHOWN]) if said else warned(SAYS_NOTHING, talk.latest)
    return [*((stage, right(stage, examiner.bot.url, examiner.bot.secret)) for stage in STAGES), ("words", found)]


def _up_to(broken: str, no_reply: NoReply, examiner: Examiner) -> Iterator[tuple[str, Outcome]]:
    for stage in STAGES:
        if stage == broken:
            failure = no_reply.failure
            yield stage, failed(WRONG, no_reply.call, detail=detail_of(failure), failure=str(failure.kind))
            return
        yield stage, right(stage, examiner.bot.url, examiner.bot.secret)


def right(stage: str, url: str, secret: str) -> Outcome:
    """The sentence of a stage at which nothing broke."""
    if stage != "tls":
        return passed(RIGHT[stage])
    if urlsplit(url).scheme in {"https", "wss"}:
        return passed(ENCRYPTED)
    return warned(SECRET_IN_CLEAR) if secret else passed(NOT_ENCRYPTED)


def stage_of(failure: BotFailure) -> str:
    """Where a call broke: how far everything was right."""
    match failure.kind:
        case FailureKind.BLOCKED_ADDRESS:
            return "address"
        case FailureKind.DNS:
            return "reachable"
        case FailureKind.CONNECT:
            return "status" if failure.reached_bot else "reachable"
        case FailureKind.TLS:
            return "tls"
        case FailureKind.BAD_JSON:
            return "charset" if failure.detail.text == NOT_UTF8 else "json"
        case FailureKind.BAD_SHAPE if failure.detail.place:
            return "schema"
        case FailureKind.EMPTY | FailureKind.TOO_LONG | FailureKind.OTHER_DIALOGUE:
            return "schema"
    return "status"
