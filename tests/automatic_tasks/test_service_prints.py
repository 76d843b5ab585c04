"""Fingerprints of services: when they are due, and how a changed service is told."""

from datetime import timedelta

import pytest
from django.utils import timezone

from audit.models import TrailLine
from automatic_tasks.actions import register_service, start_all_service_runs
from automatic_tasks.checked_services import SERVICES
from automatic_tasks.models import Service
from campaigns.actions import NotThatStage
from campaigns.models import Campaign
from conformance.actions import accept_change, change_of, claim_fingerprint, finish_fingerprint

pytestmark = pytest.mark.django_db
NOW = timezone.now()
URL = "https://service.example.com/labels"
THEN = [["chat"] * 3, ["flight"] * 3, ["train"] * 3]
OTHER = [["chat"] * 3, ["train"] * 3, ["flight"] * 3]


def h(hours):
    return NOW + timedelta(hours=hours)


@pytest.fixture
def service(campaign, tasks, team):
    registered = register_service(task=tasks["intents"], team=team, url=URL, at=h(-99))
    dates(frozen_at=h(-48))
    return registered


def dates(**said):
    Campaign.objects.update(**said)


def taken(at, answers=THEN):
    begun = claim_fingerprint(SERVICES, at=at)
    return begun and finish_fingerprint(SERVICES, begun=begun, answers=answers, at=at)


def test_a_campaign_that_neither_freezes_nor_admits_asks_nothing_by_itself(service):
    dates(frozen_at=None)
    assert claim_fingerprint(SERVICES, at=NOW) is None
    dates(admission="organizer")
    assert claim_fingerprint(SERVICES, at=NOW) is not None


def test_it_is_taken_once_a_day_and_when_testing_begins_until_runs_are_over(service):
    dates(testing_from=h(30), testing_until=h(40), publication_at=h(60))
    assert taken(NOW).is_reference
    assert taken(h(1)) is None
    assert taken(h(24)) is not None
    assert taken(h(29)) is None
    assert taken(h(30)) is not None
    assert taken(h(54)) is not None
    assert taken(h(90)) is None


def test_it_is_taken_when_all_services_are_called(service, tasks):
    taken(NOW)
    start_all_service_runs(task=tasks["intents"], person=None, at=h(2))
    assert taken(h(2)) is not None
    assert taken(h(3)) is None


def test_calling_all_services_begins_no_second_one_while_one_is_being_taken(service, tasks):
    begun = claim_fingerprint(SERVICES, at=NOW)
    start_all_service_runs(task=tasks["intents"], person=None, at=NOW + timedelta(minutes=1))
    assert claim_fingerprint(SERVICES, at=NOW + timedelta(minutes=2)) is None
    finish_fingerprint(SERVICES, begun=begun, answers=THEN, at=NOW + timedelta(minutes=3))
    assert claim_fingerprint(SERVICES, at=NOW + timedelta(minutes=4)) is not None


@pytest.mark.parametrize("column", ["withdrawn_at", "draft_since"])
def test_a_service_that_takes_no_part_is_not_asked(service, column):
    Service.objects.update(**{column: NOW})
    assert claim_fingerprint(SERVICES, at=NOW) is None


def test_a_changed_service_is_told_once(service):
    taken(NOW)
    assert taken(h(24), OTHER).differs == [1, 2]
    assert change_of(service) is not None
    taken(h(48), OTHER)
    (line,) = TrailLine.objects.filter(act="service.changed")
    assert (line.about, line.details) == ("intents", {"team": "Team Alpha", "sentences": 2})


def test_an_organizer_accepts_the_change(service, organizer):
    taken(NOW)
    taken(h(24), OTHER)
    accept_change(SERVICES, system=service, by=organizer, at=h(25))
    assert change_of(service) is None
    assert taken(h(48), OTHER).differs == []
    with pytest.raises(NotThatStage, match="as it did at its admission"):
        accept_change(SERVICES, system=service, by=organizer, at=h(49))


def test_two_processes_take_one(service):
    assert claim_fingerprint(SERVICES, at=NOW) is not None
    assert claim_fingerprint(SERVICES, at=NOW) is None
