"""Checks a service of the automatic tasks, in the protocol of SMP2018-ECDT Task 1: sentences in one call, a label for each back."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_noop

from conformance.clock import Calls, Clock
from conformance.examiner import PHRASES, USUAL, Limits, is_ours
from conformance.guessing import NOTHING_SAID, Guess
from conformance.lab import Report, Tell, agreement, tells_nobody
from conformance.probes import PROTOCOL, TIME
from conformance.probes.disturbances import BROKE, REFUSED, TOOK_IT
from conformance.probes.first_word import STAGES, right, stage_of
from conformance.probes.load import QUICK, SLOW, SLOW_NOW_AND_THEN, dropped
from conformance.probes.outcomes import NO_ANSWER, NOT_ASKED, Outcome, detail_of, failed, passed, warned
from conformance.results import UNFINISHED, Result, Verdict, percentile
from participants.adapters.calls import bearer, to_json
from participants.adapters.shown_requests import HIDDEN_SECRET, Request, finding_without, without_secret
from participants.adapters.smp2018_task1 import Labels, label_sentences
from participants.failures import BotFailure, FailureKind
from participants.outbound import Door
from reading.findings import Finding

SERVICE = "smp2018_task1"
LABELLED = gettext_noop("Every sentence got its label: %(labels)s.")
DEVIATES = gettext_noop("The answer departs from the protocol: %(deviation)s.")
BATCH_IS_FINE = gettext_noop("A batch of %(n)s sentences is answered in %(took_ms)s ms.")
TIME_IS_UP_FOR_SERVICE = gettext_noop("The check was stopped after %(total_s)s s.")
WAITED_FOR_US = gettext_noop("The check was stopped: for %(wait_s)s s in all, it waited for the platform itself.")
BATCH = 100
# What a service is checked for, in the order in which it is asked.
TEXTS = ("chinese", "emoji", "long_input", "empty_input")
NAMES = (PROTOCOL, *STAGES, "labels", *TEXTS, "batch", "errors", "latency", "parallel_some")
SENTENCES = 5
CALLS_ALONE = 10
# Each waits for the one before: the first batch, four texts, a large batch, a broken request, those alone, and those at once.
CALLS_IN_A_ROW = 8 + CALLS_ALONE

Sentences = Sequence[tuple[int, str]]


@dataclass(slots=True)
class _Service:
    url: str
    door: Door
    limits: Limits
    results: list[Result]
    on_result: Tell
    calls: Calls
    secret: str = ""
    batch: int = BATCH

    async def ask(self, sentences: Sentences) -> tuple[Labels, int]:
        """The labels, and the milliseconds of the service. Errors: `BotFailure`."""
        clock = self.door.watch.time
        began_s = clock()
        deadline_s = self.limits.deadline_s
        with self.calls() as on_wait:
            labels = await label_sentences(
                self.door, self.url, sentences, deadline_s=deadline_s, secret=self.secret, on_wait=on_wait
            )
        return labels, round((clock() - began_s) * 1000)

    def curl(self, body: bytes) -> str:
        """The request as a command for a shell, the secret hidden."""
        headers = bearer(HIDDEN_SECRET if self.secret else "")
        # Half a body may end within a character.
        return Request(without_secret(self.url, self.secret), body.decode(errors="ignore").encode(), headers).as_curl

    def tell(self, name: str, found: Outcome, began_s: float, sentences: Sentences = ()) -> None:
        is_right = found.verdict is Verdict.PASS
        curl = found.curl or ("" if is_right or not sentences else self.curl(body_of(sentences)))
        # Every sentence goes through here: a service may have said its secret, in a label or an error.
        sentence = finding_without(found.sentence, self.secret)
        result = Result(name, found.verdict, sentence, curl, round((time.monotonic() - began_s) * 1000))
        self.results.append(result)
        self.on_result(result)


async def check_service(
    url: str,
    door: Door,
    *,
    secret: str = "",
    batch: int = BATCH,
    limits: Limits = USUAL,
    on_result: Tell = tells_nobody,
    guess: Guess = NOTHING_SAID,
) -> Report:
    """`batch` is how many sentences its task asks for at a time."""
    clock = Clock(limits.total_s, limits.total_wait_s, door.watch)
    service = _Service(url, door, limits, [], on_result, clock.call, secret, batch)
    service.tell(PROTOCOL, agreement(SERVICE, guess), time.monotonic())
    began_s = time.monotonic()
    try:
        async with clock.limit:
            if await _first_batch(service):
                await _texts(service)
                await _large_batch(service)
                await _broken_request(service)
                await _alone(service)
                await _parallel(service)
    except TimeoutError:
        if clock.stands:
            service.tell(UNFINISHED, warned(WAITED_FOR_US, wait_s=f"{limits.total_wait_s:g}"), began_s)
        else:
            service.tell(TIME, failed(TIME_IS_UP_FOR_SERVICE, total_s=f"{limits.total_s:g}"), began_s)
    return Report(SERVICE, tuple(service.results))


def some_sentences(n: int) -> list[tuple[int, str]]:
    lines = PHRASES["zh"]
    said = (lines.greeting, lines.wish, lines.wish_goes_on, lines.filler)
    return [(number, said[number % len(said)]) for number in range(1, n + 1)]


def body_of(sentences: Sentences) -> bytes:
    return to_json({"sentencesList": [{"id": number, "content": content} for number, content in sentences]})


async def _first_batch(service: _Service) -> bool:
    began_s, sentences = time.monotonic(), some_sentences(SENTENCES)
    broken, failure, labels = "", None, None
    try:
        labels, _took_ms = await service.ask(sentences)
    except BotFailure as failed_so:
        failure, broken = failed_so, stage_of(failed_so)
    if failure is not None and is_ours(failure):
        # Nothing was found out: such a report must not make the service green.
        service.tell(UNFINISHED, _unanswered(failure), began_s)
        return False
    for stage in STAGES:
        if stage == broken and failure is not None:
            service.tell(stage, _unanswered(failure), began_s, sentences)
            return False
        service.tell(stage, right(stage, service.url, service.secret), began_s)
    if labels is not None:
        service.tell("labels", _labelled(labels), began_s, sentences)
    return True


def _unanswered(failure: BotFailure) -> Outcome:
    if is_ours(failure):
        return warned(NOT_ASKED, failure=str(failure.kind))
    return failed(NO_ANSWER, failure=str(failure.kind), detail=detail_of(failure))


def _labelled(labels: Labels) -> Outcome:
    if labels.deviations:
        return failed(DEVIATES, deviation=labels.deviations[0])
    return passed(LABELLED, labels=", ".join(sorted(set(labels.by_id.values())))[:200])


async def _texts(service: _Service) -> None:
    lines = PHRASES["zh"]
    texts = (lines.rare, lines.emoji, lines.long_text(service.limits.long_text), "")
    for name, text in zip(TEXTS, texts, strict=True):
        began_s, sentences = time.monotonic(), [(1, text)]
        try:
            labels, _took_ms = await service.ask(sentences)
            found = _labelled(labels)
        except BotFailure as failure:
            found = _unanswered(failure)
        service.tell(name, found, began_s, sentences)


async def _large_batch(service: _Service) -> None:
    began_s, sentences = time.monotonic(), some_sentences(service.batch)
    try:
        labels, took_ms = await service.ask(sentences)
        found = _labelled(labels)
        if found.verdict is Verdict.PASS:
            found = passed(BATCH_IS_FINE, n=service.batch, took_ms=took_ms)
    except BotFailure as failure:
        found = _unanswered(failure)
    service.tell("batch", found, began_s, sentences)


async def _broken_request(service: _Service) -> None:
    began_s, whole = time.monotonic(), body_of(some_sentences(1))
    half = whole[: len(whole) // 2]
    curl = service.curl(half)
    try:
        with service.calls() as on_wait:
            line = service.door.line(service.limits.deadline_s, on_wait)
            async with line.post(service.url, half, bearer(service.secret)) as answer:
                await answer.body()
        found = Outcome(Verdict.WARN, Finding("", TOOK_IT), curl=curl)
    except BotFailure as failure:
        found = Outcome(Verdict.WARN, Finding("", BROKE, {"detail": detail_of(failure)}), curl=curl)
        if is_ours(failure):
            found = _unanswered(failure)
        elif failure.kind is FailureKind.HTTP_4XX:
            found = passed(REFUSED, status=failure.status)
    service.tell("errors", found, began_s)


async def _alone(service: _Service) -> None:
    began_s, took = time.monotonic(), list[int]()
    try:
        for _number in range(CALLS_ALONE):
            took.append((await service.ask(some_sentences(1)))[1])
        found = _timed(service.limits, took, 1)
    except BotFailure as failure:
        found = _unanswered(failure)
    service.tell("latency", found, began_s, some_sentences(1))


async def _parallel(service: _Service) -> None:
    n, began_s = service.limits.some_parallel, time.monotonic()
    took, failures = list[int](), list[BotFailure]()
    try:
        async with asyncio.TaskGroup() as group:
            for _number in range(n):
                group.create_task(_timed_call(service, took, failures))
    except ExceptionGroup as several:
        # One for all: nobody knows a group of what nobody foresaw.
        raise several.exceptions[0] from several
    if failures:
        found = dropped([(failure, None) for failure in failures], n_calls=n, n_dialogues=n)
    else:
        found = _timed(service.limits, took, n)
    service.tell("parallel_some", found, began_s, some_sentences(1))


async def _timed_call(service: _Service, took: list[int], failures: list[BotFailure]) -> None:
    try:
        took.append((await service.ask(some_sentences(1)))[1])
    except BotFailure as failure:
        failures.append(failure)


def _timed(limits: Limits, took: Sequence[int], n: int) -> Outcome:
    p50, p95 = percentile(took, 0.5), percentile(took, 0.95)
    said = {"p50": p50, "p95": p95, "n": len(took), "dialogues": n}
    if p50 > limits.slow_ms:
        return failed(SLOW, **said)
    return warned(SLOW_NOW_AND_THEN, **said) if p95 > limits.slow_ms else passed(QUICK, **said)
