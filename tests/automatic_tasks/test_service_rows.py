"""How the services of a table stand: of each the latest check and fingerprint alone are read."""

from datetime import timedelta

import pytest
from django.utils import timezone

from automatic_tasks.models import Service
from automatic_tasks.services.rows import rows_of
from reading.findings import sentence

pytestmark = pytest.mark.django_db
NOW = timezone.now()
URL = "https://service.example.com/labels"


def h(hours):
    return NOW + timedelta(hours=hours)


@pytest.fixture
def services(tasks, team, other_team):
    return [Service.objects.create(task=tasks["intents"], team=one, url=URL) for one in (team, other_team)]


def check(service, at, verdict):
    found = [{"name": "labels", "verdict": verdict}]
    return service.checks.create(
        asked_at=at, state="done", verdict=verdict, protocol=service.protocol, url=URL, results=found
    )


def taken(service, at, **said):
    given = {"protocol": service.protocol, "url": URL, "answers": [["chat"] * 3]} | said
    return service.fingerprints.create(taken_at=at, **given)


def test_of_each_service_the_latest_check_and_fingerprint_count(services, campaign, django_assert_num_queries):
    one, other = services
    check(one, h(2), "fail")
    latest = check(one, h(3), "pass")
    check(one, h(1), "warn")
    taken(one, h(1))
    taken(one, h(2), differs=[0, 1])
    taken(one, h(3), answers=[], failure=sentence("refused").to_json())
    taken(other, h(1), differs=[0, 1])
    taken(other, h(2))
    with django_assert_num_queries(2):
        rows = rows_of(services, campaign, NOW)
        words = [row.check_word for row in rows]
    assert [(row.service, row.check, row.is_changed) for row in rows] == [(one, latest, True), (other, None, False)]
    assert words == ["passed", ""]


def test_what_the_checks_found_is_not_read(services, campaign):
    check(services[0], h(1), "pass")
    (row, _other) = rows_of(services, campaign, NOW)
    assert "results" in row.check.get_deferred_fields()


def test_of_two_at_the_same_moment_the_one_that_comes_first_elsewhere_too_is_shown(services, campaign):
    for _ in range(4):
        check(services[0], h(1), "pass")
    (row, _other) = rows_of(services, campaign, NOW)
    assert row.check == services[0].checks.latest_first().first()
