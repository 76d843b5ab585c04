"""Asks a bot the canary questions, or a service the canary sentences, for a fingerprint, and says how long that may take.

A fingerprint may take as long as all of its calls may, one after the other. Only the time of the bot, or service, counts: while all calls
wait for something of ours the clock stands (clock.py), and these waits have a limit of their own. So a system that answers each call in
time is never given up.
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from math import ceil

from django.utils.translation import gettext_noop

from conformance.change_detection import CANARIES, QUESTIONS, SAMPLES
from conformance.clock import Calls, unclocked
from conformance.examiner import USUAL, Examiner, Limits, text_of
from conformance.guessing import GUESS_LIMIT_S, answers_to
from conformance.label_services import SERVICE
from conformance.subjects import Subject
from participants.adapters import ADAPTERS
from participants.adapters.calls import BotAddress
from participants.adapters.contract import Adapter, finds_no_version
from participants.adapters.shown_requests import without_secret
from participants.adapters.smp2018_task1 import label_sentences
from participants.outbound import Door

# Why a fingerprint was not taken.
HELD_UP = gettext_noop(
    "The platform gave up: it waited too long for others who were talking to the system, or for itself."
)
NOT_IN_TIME = gettext_noop("Not all was answered within %(seconds)s s.")
SECRET_LOST = gettext_noop("The secret cannot be read.")
CALL_FAILED = gettext_noop("%(failure)s: %(detail)s")
# The part of an answer that is stored.
ANSWER_LIMIT = 1000


async def taken_of(
    subject: Subject, door: Door, limits: Limits, calls: Calls = unclocked
) -> tuple[list[list[str]], str]:
    """The answers and the version of what the subject is; `calls` goes around each call.

    Errors: `NoReply`, or `BotFailure` of a service.
    """
    if subject.protocol == SERVICE:
        return await take_labels(subject, door, limits, calls), ""
    bot = subject.bot(limits)
    version = await version_of(bot, door, ADAPTERS)
    answers = await take_answers(bot, door, ADAPTERS, language=subject.language, limits=limits, calls=calls)
    return answers, version


async def take_labels(subject: Subject, door: Door, limits: Limits, calls: Calls = unclocked) -> list[list[str]]:
    """The labels per canary sentence, in batches as a run asks them; a sentence without a label has an empty one.

    Errors: `BotFailure`.
    """
    numbered = list(enumerate(CANARIES, start=1))
    samples = list[dict[int, str]]()
    for _ in range(SAMPLES):
        by_id = dict[int, str]()
        samples.append(by_id)
        for start in range(0, len(numbered), subject.batch):
            part = numbered[start : start + subject.batch]
            with calls() as on_wait:
                labelled = await label_sentences(
                    door, subject.url, part, deadline_s=limits.deadline_s, secret=subject.secret, on_wait=on_wait
                )
            by_id |= labelled.by_id
    return [[by_id.get(number, "") for by_id in samples] for number, _ in numbered]


async def take_answers(
    bot: BotAddress,
    door: Door,
    adapters: Mapping[str, Adapter],
    *,
    language: str = "zh",
    limits: Limits,
    calls: Calls = unclocked,
) -> list[list[str]]:
    """The samples per question, each in a dialogue of its own; the questions of a sample at the same time.

    Errors: `NoReply` where one is not answered: a bot that fails has no fingerprint.
    """
    examiner = Examiner(bot, door, adapters, limits, language, calls=calls)
    questions = QUESTIONS.get(language, QUESTIONS["en"])
    samples = [await _sample(examiner, questions) for _ in range(SAMPLES)]
    return [list(answers) for answers in zip(*samples, strict=True)]


async def _sample(examiner: Examiner, questions: Sequence[str]) -> list[str]:
    """One answer to each. Where one fails the others are given up: nobody reads them, and they have places at the bot."""
    try:
        async with asyncio.TaskGroup() as group:
            asked = [group.create_task(_answer(examiner, question)) for question in questions]
    except ExceptionGroup as several:
        raise several.exceptions[0] from several
    return [answer.result() for answer in asked]


async def _answer(examiner: Examiner, question: str) -> str:
    said = text_of(await examiner.talk().say(question))
    return without_secret(said, examiner.bot.secret)[:ANSWER_LIMIT]


async def version_of(bot: BotAddress, door: Door, adapters: Mapping[str, Adapter]) -> str:
    """What the server calls its version, read by the bot's adapter; empty where it does not say, or not in time."""
    adapter = adapters[bot.protocol]
    if adapter.version_in is finds_no_version:
        return ""
    heard = await answers_to(adapter.questions, bot.url, door, bot.secret, GUESS_LIMIT_S)
    return without_secret(adapter.version_in(heard), bot.secret)


N_QUESTIONS = max(map(len, QUESTIONS.values()))
# Between the last moment of one that takes longest and the next try: two processes must not ask at the same time.
MARGIN = timedelta(minutes=1)


def limit_of_bot_s(deadline_s: float, parallel: int) -> float:
    """For what its server says of itself, and all samples; the questions of one are asked together, as far as the bot declares."""
    n_in_a_row = SAMPLES * ceil(N_QUESTIONS / min(parallel, N_QUESTIONS))
    return GUESS_LIMIT_S + _time_for(n_in_a_row, deadline_s)


def limit_of_service_s(deadline_s: float, batch: int) -> float:
    """For all samples, each in batches."""
    return _time_for(SAMPLES * ceil(len(CANARIES) / batch), deadline_s)


def _time_for(n_in_a_row: int, deadline_s: float) -> float:
    # One call more: the platform's own work between the calls has to fit in, too.
    return (n_in_a_row + 1) * deadline_s


def over_after(limit_s: float) -> timedelta:
    """When one that has this limit is certainly over, however long it waited for us."""
    return timedelta(seconds=limit_s + USUAL.total_wait_s) + MARGIN
