"""A service of the automatic tasks is checked in the protocol of SMP2018 Task 1."""

import asyncio
from dataclasses import replace
from itertools import count

import pytest
from aiohttp import web

from conformance import label_services
from conformance.guessing import Guess
from conformance.label_services import check_service
from conformance.results import is_finished, is_green
from conformance.subjects import Subject, checked_subject
from participants.adapters.smp2018_task1 import Labels
from participants.failures import BotFailure, FailureKind
from participants.outbound import Door, Line
from reading.findings import sentence
from tests.conformance.checking import SMALL, allowed_of, of, verdicts
from tests.fakes.defective_services import DEFECTS, defective_service
from tests.fakes.template_service import template_service


def checked(url, secret="", batch=100, **limits):
    async def check():
        door = Door(allowed_of(url))
        try:
            subject = Subject("smp2018_task1", url, secret, batch=batch)
            return await checked_subject(subject, door, limits=replace(SMALL, **limits), guess=Guess())
        finally:
            await door.close()

    return asyncio.run(check())


def test_a_proper_service_passes_but_for_what_it_makes_of_broken_requests():
    with template_service({}) as service:
        report = checked(service.url)
    wrong = {name: verdict for name, verdict in verdicts(report).items() if verdict != "pass"}
    assert wrong == {"errors": "warn"}
    assert [result.name for result in report.results] == list(label_services.NAMES)


@pytest.mark.parametrize(
    ("answers", "name", "word"),
    [
        ([{"id": 2, "result": "a"}], "labels", "was answered before, so it counts as wrong|has no answer"),
        ([{"id": 99, "result": "a"}], "labels", "no sentence of this batch has that id"),
        ({"id": 1}, "schema", "resultsList"),
        (web.Response(status=500, text="<html>"), "status", "http_5xx"),
        (web.Response(status=200, text="<html>"), "json", "bad_json"),
    ],
)
def test_a_wrong_answer_is_found_and_can_be_asked_for_again(answers, name, word):
    with template_service({}, lambda number, sentences: answers) as service:
        report = checked(service.url)
    found = of(report, name)
    assert found.verdict == "fail"
    assert any(one in found.sentence.in_english for one in word.split("|"))
    assert found.curl.startswith(f"curl -sS -X POST {service.url}")


def test_a_service_that_breaks_down_at_a_large_batch_is_found():
    too_many = web.Response
    with template_service({}, lambda number, said: too_many(status=500) if len(said) > 50 else None) as service:
        report = checked(service.url)
    assert of(report, "batch").verdict == "fail"
    assert of(report, "parallel_some").verdict == "pass"


@pytest.mark.parametrize("defect", DEFECTS)
def test_each_defect_is_found_by_its_probe(defect):
    with defective_service(defect) as service:
        report = checked(service.url)
    assert of(report, DEFECTS[defect][1]).verdict == "fail"


def test_the_batch_is_as_large_as_that_of_the_task():
    with template_service({}) as service:
        report = checked(service.url, batch=7)
    assert of(report, "batch").sentence.values["n"] == 7
    assert max(map(len, service.asked)) == 7


def test_the_secret_is_sent_with_every_call_and_stands_in_no_report():
    secret = "s3cret-of-the-service"

    def echo(number, sentences):
        return [{"id": row["id"], "result": f"a {secret}"} for row in sentences]

    with template_service({}, echo, secret=secret) as service:
        report = checked(service.url, secret)
        refused = checked(service.url, secret="another-secret")
    assert set(service.said) == {f"Bearer {secret}", "Bearer another-secret"}
    assert of(report, "labels").verdict == "pass"
    assert of(refused, "status").verdict == "fail"
    for one in (*report.results, *refused.results):
        assert secret not in one.sentence.in_english + one.curl
        assert "another-secret" not in one.sentence.in_english + one.curl
    assert "Authorization: Bearer ***" in of(refused, "status").curl


@pytest.mark.parametrize(
    ("scheme", "secret", "verdict", "word"),
    [
        ("https", "s3cret", "pass", "certificate valid"),
        ("http", "", "pass", "plain HTTP"),
        ("http", "s3cret", "warn", "travels unencrypted"),
    ],
)
async def test_it_is_said_whether_the_secret_travels_encrypted(monkeypatch, scheme, secret, verdict, word):
    async def right(door, url, sentences, **said):
        return Labels({number: "a" for number, _content in sentences}, ())

    monkeypatch.setattr(label_services, "label_sentences", right)
    door = Door()
    found = of(await check_service(f"{scheme}://127.0.0.1:9/", door, secret=secret, limits=SMALL), "tls")
    await door.close()
    assert found.verdict == verdict
    assert word in found.sentence.in_english


def test_a_service_that_takes_too_long_is_given_up_and_fails():
    def slow(number, sentences):
        return asyncio.sleep(0.1)

    with template_service({}, slow) as service:
        report = checked(service.url, total_s=0.25)
    assert of(report, "time").verdict == "fail"
    assert report.verdict == "fail"


@pytest.mark.parametrize("is_waiting", [True, False])
def test_waits_of_the_platforms_own_are_not_the_services_time(monkeypatch, is_waiting):
    """They have a limit of their own: such a report says nothing about the service."""

    async def hanging(door, url, sentences, *, on_wait, **said):
        on_wait(is_waiting)
        await asyncio.sleep(30)

    monkeypatch.setattr(label_services, "label_sentences", hanging)
    limits = {"total_s": 30.0, "total_wait_s": 0.05} if is_waiting else {"total_s": 0.05, "total_wait_s": 30.0}
    report = checked("http://127.0.0.1:9/", **limits)
    assert [result.name for result in report.results if result.verdict != "pass"] == [
        "unfinished" if is_waiting else "time"
    ]
    assert is_finished(report.results) is not is_waiting


def test_a_key_in_the_address_stands_in_no_report():
    secret = "s3cret-of-the-service"
    with template_service({}, lambda number, said: web.Response(status=500)) as service:
        report = checked(f"{service.url}?key={secret}", secret)
    assert f"{service.url}?key=***" in of(report, "status").curl
    assert secret not in of(report, "status").curl


# Of a whole check: one batch, four texts, one large batch, ten calls alone; the calls at once come after them.
CALLS_BEFORE_THOSE_AT_ONCE = 16


def checked_with_failures(monkeypatch, *failures):
    """A check of a service whose calls at once fail so, as many as are given, and of which all others are answered."""
    made = count(1 - CALLS_BEFORE_THOSE_AT_ONCE)

    async def answered(door, url, sentences, **said):
        number = next(made)
        if 0 < number <= len(failures):
            raise failures[number - 1]
        return Labels({number: "chat" for number, _ in sentences}, ())

    monkeypatch.setattr(label_services, "label_sentences", answered)
    report = checked("http://127.0.0.1:9/")
    # With the broken request, and those at once, which wait for each other no longer than for one.
    assert CALLS_BEFORE_THOSE_AT_ONCE + 2 == label_services.CALLS_IN_A_ROW
    assert next(made) - 1 == SMALL.some_parallel
    return report


INTERRUPTED = BotFailure(FailureKind.INTERRUPTED, sentence("The platform restarts."))
DOWN = BotFailure(FailureKind.HTTP_5XX, sentence("down"))


def test_calls_at_once_that_the_platform_could_not_make_are_no_fault_of_the_service(monkeypatch):
    report = checked_with_failures(monkeypatch, INTERRUPTED, INTERRUPTED)
    assert of(report, "parallel_some").verdict == "warn"
    assert of(report, "parallel_some").sentence.in_english.startswith("Not made: 2 of 3 calls")
    assert is_green(report.verdict)


def test_a_call_that_the_service_dropped_counts_beside_those_of_the_platform(monkeypatch):
    report = checked_with_failures(monkeypatch, INTERRUPTED, DOWN)
    assert of(report, "parallel_some").verdict == "fail"
    assert of(report, "parallel_some").sentence.in_english.startswith("Failed: 1 of 3 calls")
    assert "http_5xx" in of(report, "parallel_some").sentence.in_english


def test_what_nobody_foresaw_in_a_call_at_once_is_no_verdict(monkeypatch):
    with pytest.raises(ZeroDivisionError):
        checked_with_failures(monkeypatch, ZeroDivisionError())


def test_a_broken_request_that_the_platform_could_not_send_says_so(monkeypatch):
    def refused(*given, **said):
        raise INTERRUPTED

    monkeypatch.setattr(Line, "post", refused)
    found = of(checked_with_failures(monkeypatch), "errors")
    assert (found.verdict, found.sentence.values) == ("warn", {"failure": "interrupted"})


def test_a_check_that_the_platform_could_not_make_is_no_green_report(monkeypatch):
    async def interrupted(*given, **said):
        raise BotFailure(FailureKind.INTERRUPTED, sentence("The platform restarts."))

    monkeypatch.setattr(label_services, "label_sentences", interrupted)
    report = checked("http://127.0.0.1:9/")
    assert not is_finished(report.results)
    assert [result.name for result in report.results] == ["protocol", "unfinished"]
