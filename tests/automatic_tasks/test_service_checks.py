"""Checks of services: one at a time, by the address of then; what they find makes a service green. Run as those of bots."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from audit.models import TrailLine
from automatic_tasks.actions import register_service, withdraw_service
from automatic_tasks.checked_services import SERVICES
from automatic_tasks.models import Service, ServiceCheck
from conformance.actions import CannotCheck, ask_check, claim_check, end_check
from conformance.results import Result, Verdict
from participants.secrets import seal
from reading.findings import Finding

pytestmark = pytest.mark.django_db
NOW = timezone.now()
URL = "https://service.example.com/labels"


def found(verdict=Verdict.PASS):
    return Result("labels", verdict, Finding("", "It took %(n)s ms.", {"n": 3}))


@pytest.fixture
def service(tasks, team):
    return register_service(task=tasks["intents"], team=team, url=URL, secret="s3cret", at=NOW)


def done(service, verdict=Verdict.PASS):
    ask_check(SERVICES, system=service, by=None, at=NOW)
    check = claim_check(SERVICES, worker="w", at=NOW)
    assert end_check(SERVICES, check=check, worker="w", results=[found(verdict)], at=NOW)
    check.refresh_from_db()
    service.refresh_from_db()
    return check


def test_a_green_report_makes_the_service_green_and_a_red_one_ends_that(service):
    check = done(service, Verdict.WARN)
    assert (check.state, check.verdict, check.is_green, service.green_at) == ("done", "warn", True, NOW)
    check = done(service, Verdict.FAIL)
    assert (check.is_green, check.n_failed, service.green_at) == (False, 1, None)
    lines = TrailLine.objects.filter(act="service.checked").order_by("number")
    assert [line.details for line in lines] == [
        {"team": "Team Alpha", "verdict": "warn"},
        {"team": "Team Alpha", "verdict": "fail"},
    ]


def test_a_report_on_another_address_makes_nothing_green(service, tasks, team):
    ask_check(SERVICES, system=service, by=None, at=NOW)
    check = claim_check(SERVICES, worker="w", at=NOW)
    register_service(task=tasks["intents"], team=team, url=f"{URL}2", at=NOW)
    end_check(SERVICES, check=check, worker="w", results=[found()], at=NOW)
    service.refresh_from_db()
    assert service.green_at is None


def test_one_check_at_a_time(service):
    ask_check(SERVICES, system=service, by=None, at=NOW)
    with pytest.raises(CannotCheck, match="being checked already"):
        ask_check(SERVICES, system=service, by=None, at=NOW)
    with pytest.raises(IntegrityError), transaction.atomic():
        ServiceCheck.objects.create(service=service, asked_at=NOW, protocol="smp2018_task1", url=URL)


def test_what_cannot_be_asked_is_not_checked(service, organizer, settings):
    Service.objects.update(secret=seal("s3cret"))
    settings.SECRET_KEY = "another" * 10
    with pytest.raises(CannotCheck) as refused:
        ask_check(SERVICES, system=Service.objects.with_names().get(), by=None, at=NOW)
    assert refused.value.code == "secret_lost"
    withdraw_service(service=service, because="x", by=organizer, at=NOW)
    with pytest.raises(CannotCheck) as refused:
        ask_check(SERVICES, system=Service.objects.with_names().get(), by=None, at=NOW)
    assert refused.value.code == "withdrawn"


def test_a_service_is_checked_as_its_runs_ask_it(service):
    stored = Service.objects.with_names().get()
    subject = SERVICES.subject_of(stored)
    # Batches of 7 are those of the task's file; the deadline is its type's.
    assert (subject.protocol, subject.url, subject.secret, subject.batch) == ("smp2018_task1", URL, "s3cret", 7)
    assert SERVICES.limits_of(stored).deadline_s == 4.0
