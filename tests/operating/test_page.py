"""The operator's page: for staff, with the facts of `status`, and honest about what it does not know."""

from datetime import timedelta

import pytest
from django.db import OperationalError, transaction
from django.urls import reverse
from django.utils import timezone

from audit.actions import record
from automatic_tasks.runs.queue import report_presence
from operating import chores, health
from operating.actions import report_process
from operating.models import ProcessReport
from operating.state import state
from operating.trail_acts import BACKED_UP
from tests.dialogues.test_actions import Talk
from tests.world import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(organizer):
    organizer.is_staff = True
    organizer.language = "en"
    organizer.save()
    return client_of(organizer)


def shown(client):
    answer = client.get(reverse("operate"))
    assert answer.status_code == 200
    return answer.content.decode()


def reported(name, at, n, kind="server"):
    error = {"part": "huace.page", "kind": "KeyError", "place": "a.py:1 f", "n": n, "last_at": at.isoformat()}
    route = {"route": "campaigns/<slug:slug>/wall/", "n": n, "total_s": 0.5 * n, "worst_s": 2.0 + n}
    report = {
        "kind": kind,
        "version": "0.1",
        "started_at": at,
        "memory_bytes": 5 << 20,
        "errors": [error],
        "routes": [route],
    }
    report_process(name=name, at=at, report=report)


def test_it_is_for_staff(client, tester, staff):
    assert client.get(reverse("operate")).status_code == 302
    assert client_of(tester).get(reverse("operate")).status_code == 404
    assert staff.get(reverse("operate")).status_code == 200


def test_it_shows_what_status_prints(staff, dialogue, admission):
    at = timezone.now()
    report_presence(worker="w", at=at)
    reported("here:a1:11", at, 1)
    reported("there:b2:22", at, 2, kind="worker")
    with transaction.atomic():
        record(
            BACKED_UP,
            by=None,
            at=at - timedelta(hours=3),
            about="huace-7.zip",
            details={"bytes": 3 << 20, "sha256": "x"},
        )
    Talk(dialogue, admission).send("k")
    page = shown(staff)
    assert "All is well" in page
    assert "3 hours ago" in page
    assert "huace-7.zip" in page
    assert "1 waits for its system" in page
    assert "KeyError" in page
    assert "/campaigns/{slug}/wall/" in page
    assert 'there <span class="muted">22</span>' in page
    assert "<td>worker</td>" in page


def test_reports_of_all_processes_are_one_list():
    at = timezone.now()
    reported("one", at - timedelta(minutes=5), 1)
    reported("two", at, 2)
    reported("three", at, 4)
    found = state(at)
    assert [one["name"] for one in found["processes"]] == ["three", "two"]
    # Errors of a process that ended stay; its pages say nothing about now.
    assert [(one["n"], one["last_at"]) for one in found["errors"]] == [(7, at)]
    assert found["pages"] == [{"route": "/campaigns/{slug}/wall/", "n": 6, "mean_ms": 500, "worst_ms": 6000}]


async def test_a_process_whose_report_begins_anew_stays_one(monkeypatch):
    names = []

    async def away(report, **named):
        monkeypatch.setattr(chores, "report_process", lambda *, name, at, report: names.append(name))
        report()
        raise OperationalError

    monkeypatch.setattr(chores, "look_again_and_again", away)
    for _ in range(2):
        with pytest.raises(OperationalError):
            await chores.keep_report_of_server()
    assert len(names) == 2
    assert len(set(names)) == 1


def test_a_report_that_nobody_asks_for_any_more_is_dropped():
    at = timezone.now()
    reported("old", at - timedelta(days=2), 1)
    reported("new", at, 1)
    assert [one["n"] for one in state(at)["errors"]] == [1]


def test_an_error_of_last_week_is_none_of_the_last_day():
    at = timezone.now()
    reported("lives", at - timedelta(days=7), 1)
    ProcessReport.objects.update(seen_at=at)
    assert state(at)["errors"] == []


def test_a_disk_that_is_gone_is_told_and_hides_nothing_else(settings, tmp_path):
    settings.VAR_DIR = tmp_path / "gone"
    found = state(timezone.now())
    assert "disk" in found["wrong"]
    assert found["disk"] == {"free_bytes": 0, "bytes": 0}


def test_what_is_wrong_stands_on_top(staff):
    page = shown(staff)
    assert "2 things need you" in page
    assert "No process reported within half a minute." in page


def test_without_a_database_it_is_told_to_the_command(monkeypatch):
    def gone(*arguments):
        raise OperationalError("gone")

    monkeypatch.setattr(health.connection, "cursor", gone)
    found = state(timezone.now())
    assert (found["ready"], found["wrong"].keys()) == (False, {"database"})
    assert "dialogues" not in found
