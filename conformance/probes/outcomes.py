"""What a probe comes to before it has a name and a time."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop

from conformance.examiner import Examiner, NoReply, is_ours
from conformance.results import Verdict
from participants.adapters.calls import BotCall
from participants.failures import BotFailure
from reading.findings import Finding
from reading.storable import finding_as_logged

NOT_ASKED = gettext_noop("The platform could not ask (%(failure)s): try again. The system is not to blame.")
NO_ANSWER = gettext_noop("No answer: %(failure)s. %(detail)s")


@dataclass(frozen=True, slots=True)
class Outcome:
    """`call` is the one that failed, `curl` a command where it was no call of a turn."""

    verdict: Verdict
    sentence: Finding
    call: BotCall | None = None
    curl: str = ""


Ask = Callable[[Examiner], Awaitable[Outcome]]


@dataclass(frozen=True, slots=True)
class Probe:
    name: str
    ask: Ask


def passed(text: str, **values: Any) -> Outcome:
    return Outcome(Verdict.PASS, Finding("", text, values))


def warned(text: str, call: BotCall | None = None, /, **values: Any) -> Outcome:
    return Outcome(Verdict.WARN, Finding("", text, values), call)


def failed(text: str, call: BotCall | None = None, /, **values: Any) -> Outcome:
    return Outcome(Verdict.FAIL, Finding("", text, values), call)


def unanswered(no_reply: NoReply) -> Outcome:
    """A call without a reply: the bot's failure, unless it was ours."""
    failure = no_reply.failure
    if is_ours(failure):
        return warned(NOT_ASKED, no_reply.call, failure=str(failure.kind))
    return failed(NO_ANSWER, no_reply.call, failure=str(failure.kind), detail=detail_of(failure))


def detail_of(failure: BotFailure) -> Finding:
    return finding_as_logged(failure.detail, 300)
