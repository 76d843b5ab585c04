"""What a fingerprint is made of: a bot's answers, or a service's labels."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from threading import Event

import pytest
from django.utils import translation

from conformance import canary_calls as taking
from conformance.canary_calls import (
    CALL_FAILED,
    limit_of_bot_s,
    limit_of_service_s,
    over_after,
    take_answers,
    taken_of,
    version_of,
)
from conformance.change_detection import CANARIES, QUESTIONS, changed_questions, is_other_version
from conformance.clock import Clock
from conformance.examiner import USUAL, NoReply
from conformance.models import Fingerprint
from conformance.subjects import Subject
from participants.adapters import ADAPTERS, BotAddress
from participants.adapters.contract import Adapter
from participants.failure_sentences import STATUS
from participants.failures import BotFailure, FailureKind
from participants.outbound import Door
from reading.findings import sentence
from serving.monitoring.loop_watch import LoopWatch
from tests.conformance.checking import SMALL, allowed_of
from tests.fakes.answering import answering
from tests.fakes.defective_bots import defective_bot
from tests.fakes.defective_services import defective_service
from tests.fakes.template_service import template_service


def taken(subject):
    async def take():
        door = Door(allowed_of(subject.url))
        try:
            return await taken_of(subject, door, replace(SMALL))
        finally:
            await door.close()

    return asyncio.run(take())


def labels_of(url, batch=100):
    answers, version = taken(Subject("smp2018_task1", url, batch=batch))
    assert version == ""
    return answers


def test_a_service_is_asked_each_sentence_three_times_in_batches_of_its_task():
    with template_service({CANARIES[0]: "chat", CANARIES[11]: "joke"}) as service:
        answers = labels_of(service.url, batch=5)
    assert (answers[0], answers[11]) == (["chat"] * 3, ["joke"] * 3)
    assert [len(batch) for batch in service.asked] == [5, 5, 2] * 3


async def test_each_call_of_a_service_tells_its_clock_when_it_waits_for_us(monkeypatch):
    async def waiting(door, url, sentences, *, on_wait, **said):
        on_wait(True)
        await asyncio.sleep(30)

    monkeypatch.setattr(taking, "label_sentences", waiting)
    clock, door = Clock(30, 0.05, LoopWatch(asyncio.get_running_loop())), Door()
    with pytest.raises(TimeoutError):
        async with clock.limit:
            await taken_of(Subject("smp2018_task1", "http://127.0.0.1:9/"), door, SMALL, clock.call)
    await door.close()
    assert clock.stands


def test_a_sentence_without_a_label_has_an_empty_one():
    with defective_service("dropped-sentence") as service:
        answers = labels_of(service.url)
    assert (answers[0], answers[1]) == ([""] * 3, ["chat"] * 3)


def test_a_service_that_fails_has_no_labels():
    with defective_service("error-page") as service, pytest.raises(BotFailure):
        labels_of(service.url)


def test_a_service_that_learned_two_sentences_has_changed_and_one_that_learned_one_has_not():
    with template_service({}) as service:
        then = labels_of(service.url)
    with template_service({CANARIES[3]: "weather", CANARIES[4]: "music"}) as service:
        assert changed_questions(then, labels_of(service.url)) == [3, 4]
    with template_service({CANARIES[3]: "weather"}) as service:
        assert changed_questions(then, labels_of(service.url)) == []


def test_a_bots_answers_come_with_what_its_server_says_of_itself():
    with defective_bot() as bot:
        answers, _version = taken(Subject("huace/1", bot.url))
    assert [len(samples) for samples in answers] == [3] * 5


def version_at(protocol, url, secret=""):
    async def ask():
        door = Door(allowed_of(url))
        try:
            return await version_of(BotAddress(protocol, url, secret), door, ADAPTERS)
        finally:
            await door.close()

    return asyncio.run(ask())


def test_a_server_that_answers_late_once_is_no_other_version(monkeypatch):
    monkeypatch.setattr(taking, "GUESS_LIMIT_S", 1.0)
    is_over, versions = Event(), iter(["3.6.20", "", "3.6.20", "3.6.21"])

    def rasa(method, path):
        version = next(versions) if (method, path) == ("GET", "/version") else ""
        if not version:
            is_over.wait(10)
        return 200, {}, b'{"version": "%s", "minimum_compatible_version": "3.5.0"}' % version.encode()

    with answering(rasa) as (url, asked):
        first, late, again, later = (version_at("rasa", url) for _ in range(4))
        is_over.set()
    assert (first, late, again, later) == ("Rasa 3.6.20", "", "Rasa 3.6.20", "Rasa 3.6.21")
    assert [is_other_version(first, now) for now in (late, again, later)] == [False, False, True]
    assert asked == ["GET /version"] * 4


def test_of_a_bot_whose_protocol_tells_no_version_nothing_is_asked():
    with answering(lambda method, path: (200, {"Huace-Protocol": "huace/1"}, b"")) as (url, asked):
        assert [version_at(protocol, url) for protocol in ("huace/1", "openai", "convlab")] == [""] * 3
    assert asked == []


def test_a_version_that_repeats_the_secret_is_stored_without_it():
    told = b'{"version": "3.6 s3cret", "minimum_compatible_version": "3.5.0"}'
    with answering(lambda method, path: (200, {}, told)) as (url, _asked):
        assert version_at("rasa", url, "s3cret") == "Rasa 3.6 ***"


async def test_where_one_question_fails_the_others_are_given_up():
    fails, *others = QUESTIONS["zh"]
    given_up = []

    async def send(call, line, on_delta):
        if call.text == fails:
            await asyncio.sleep(0.02)
            raise BotFailure(FailureKind.EMPTY, sentence("nothing"))
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            given_up.append(call.text)
            raise

    door = Door()
    with pytest.raises(NoReply, match="empty: nothing"):
        await take_answers(
            BotAddress("fake", "http://bot.example/"), door, {"fake": Adapter(send)}, language="zh", limits=USUAL
        )
    await door.close()
    assert sorted(given_up) == sorted(others)


@pytest.mark.parametrize(("parallel", "n_in_a_row"), [(50, 3), (5, 3), (4, 6), (2, 9), (1, 15)])
def test_the_five_questions_of_a_bot_are_asked_together_as_far_as_it_declares(parallel, n_in_a_row):
    # 7 s for what its server says of itself, and the time of one call more.
    assert limit_of_bot_s(30, parallel) == 7 + (n_in_a_row + 1) * 30


@pytest.mark.parametrize(("batch", "n_in_a_row"), [(50, 3), (12, 3), (5, 9), (1, 36)])
def test_the_twelve_sentences_of_a_service_are_asked_in_batches(batch, n_in_a_row):
    assert limit_of_service_s(120, batch) == (n_in_a_row + 1) * 120


def test_it_is_over_when_its_time_and_that_of_the_platforms_waits_are():
    assert over_after(480) == timedelta(minutes=8 + 5 + 1)


def test_a_failed_call_is_told_as_the_console_tells_it():
    status = sentence(STATUS, status=502)
    taken = Fingerprint(failure=sentence(CALL_FAILED, failure="http_5xx", detail=status).to_json())
    with translation.override("en"):
        assert taken.failure_in_words == "server error (http_5xx): The system answered with status 502."
    with translation.override("zh-hans"):
        assert str(status) in taken.failure_in_words
        assert "answered" not in taken.failure_in_words


def test_one_that_was_taken_has_none():
    assert Fingerprint(answers=[["Hello"]]).failure_in_words == ""
