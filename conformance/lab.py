"""Checks one bot: what its URL says of its protocol, the first word, then one probe after the other.

What is found is told at once (`on_result`), so that somebody can watch; what broke at the first word ends the check,
because nothing after it could be told apart from that.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext_noop

from conformance.clock import Clock
from conformance.examiner import USUAL, Examiner, Limits, NoReply, TooManyCalls
from conformance.guessing import NEVER_ASKED, NOTHING_SAID, Guess, guess_protocol
from conformance.probes import PROBES, PROTOCOL, TIME
from conformance.probes.first_word import first_word
from conformance.probes.outcomes import Outcome, Probe, failed, passed, unanswered, warned
from conformance.results import UNFINISHED, Result, Verdict, verdict_of
from participants.adapters.calls import BotAddress
from participants.adapters.contract import Adapter
from participants.adapters.shown_requests import finding_without
from participants.outbound import Door

AGREES = gettext_noop("The URL's answers (%(asked)s) speak for %(protocol)s, as registered. %(detail)s")
DISAGREES = gettext_noop(
    "Registered as %(protocol)s, but the URL's answers (%(asked)s) speak for %(guess)s. %(detail)s"
)
SILENT = gettext_noop(
    "Nothing in the URL's answers (%(asked)s) speaks for a protocol; %(protocol)s was named and is tried."
)
UNASKED = gettext_noop("Its URL was asked nothing to find out; %(protocol)s was named and is tried.")
TIME_IS_UP = gettext_noop("The check was stopped after %(total_s)s s; %(n)s probes were not tried.")
NO_PLACE = gettext_noop(
    "The check was stopped: for %(wait_s)s s in all, it waited for others who were talking to the system. Probes not tried: %(n)s."
)
BROKEN_PROBE = gettext_noop("The platform could not try this (%(failure)s). The system is not to blame.")

Tell = Callable[[Result], None]


@dataclass(frozen=True, slots=True)
class Report:
    protocol: str
    results: tuple[Result, ...]

    @property
    def verdict(self) -> Verdict:
        return verdict_of(self.results)


def tells_nobody(result: Result) -> None:
    """For reports that nobody watches."""


async def check_bot(
    bot: BotAddress,
    door: Door,
    adapters: Mapping[str, Adapter],
    *,
    limits: Limits = USUAL,
    language: str = "zh",
    on_result: Tell = tells_nobody,
    guess: Guess | None = None,
    probes: Sequence[Probe] = PROBES,
) -> Report:
    """`guess` comes from a caller that has asked the URL already, to name its protocol to the participant."""
    # The door gives no more places at a bot than it declares; the largest probe asks for as many as that.
    bot = replace(bot, parallel=max(bot.parallel, limits.parallel))
    began_s = time.monotonic()
    if guess is None and bot.protocol not in NEVER_ASKED:
        guess = await guess_protocol(bot.url, door, adapters, secret=bot.secret)
    clock = Clock(limits.total_s, limits.total_wait_s, door.watch)
    check = _Check(Examiner(bot, door, adapters, limits, language, calls=clock.call), on_result)
    check.tell(PROTOCOL, agreement(bot.protocol, guess or NOTHING_SAID), began_s)
    try:
        async with clock.limit:
            if await check.first_word():
                for probe in probes:
                    await check.probe(probe)
    except TimeoutError:
        left = len(probes) - len({one.name for one in check.results} & {probe.name for probe in probes})
        if clock.stands:
            check.tell(UNFINISHED, warned(NO_PLACE, wait_s=f"{limits.total_wait_s:g}", n=left), began_s)
        else:
            check.tell(TIME, failed(TIME_IS_UP, total_s=f"{limits.total_s:g}", n=left), began_s)
    return Report(bot.protocol, tuple(check.results))


def agreement(protocol: str, guess: Guess) -> Outcome:
    asked = ", ".join(guess.asked)
    if not asked:
        return passed(UNASKED, protocol=protocol)
    if not guess.clues:
        return passed(SILENT, protocol=protocol, asked=asked)
    if protocol in guess.clues or any(_are_kin(protocol, one) for one in guess.clues):
        return passed(AGREES, protocol=protocol, asked=asked, detail=guess.clues.get(protocol, ""))
    return warned(DISAGREES, protocol=protocol, asked=asked, guess=guess.protocol, detail=guess.clues[guess.protocol])


def _are_kin(one: str, other: str) -> bool:
    """Two ways to speak the same protocol, as openai and openai-plain; a mapping and a bot that dials out may be any."""
    return one.partition("-")[0] == other.partition("-")[0] or one in {"mapping", "dial-out"}


class _Check:
    def __init__(self, examiner: Examiner, on_result: Tell) -> None:
        self.examiner, self.results = examiner, list[Result]()
        self._on_result = on_result

    async def first_word(self) -> bool:
        """Whether there is anything more to ask."""
        began_s = time.monotonic()
        try:
            stages = await first_word(self.examiner)
        except NoReply as ours:
            self.tell(UNFINISHED, unanswered(ours), began_s)
            return False
        for name, found in stages:
            self.tell(name, found, began_s)
        return self.results[-1].verdict is not Verdict.FAIL

    async def probe(self, probe: Probe) -> None:
        began_s = time.monotonic()
        try:
            found = await probe.ask(self.examiner)
        except NoReply as no_reply:
            found = unanswered(no_reply)
        except TooManyCalls:
            found = warned(BROKEN_PROBE, failure="TooManyCalls")
        self.tell(probe.name, found, began_s)

    def tell(self, name: str, found: Outcome, began_s: float) -> None:
        curl = found.curl or (self.examiner.curl(found.call) if found.call else "")
        # Every sentence goes through here: a bot may have said its secret, in an answer or an error.
        sentence = finding_without(found.sentence, self.examiner.bot.secret)
        result = Result(name, found.verdict, sentence, curl, round((time.monotonic() - began_s) * 1000))
        self.results.append(result)
        self._on_result(result)
