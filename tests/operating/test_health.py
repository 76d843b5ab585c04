"""Watchers hear whether the process lives and whether the site can serve, and nothing that is not for everybody."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import OperationalError
from django.utils import timezone, translation

from automatic_tasks.runs.queue import report_presence
from operating import health
from serving.models import ProcessBeat

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _each_request_looks(monkeypatch):
    monkeypatch.setattr(health, "_kept", None)
    monkeypatch.setattr(health, "KEPT_S", 0)
    with translation.override("en"):
        yield


def test_a_process_that_lives_says_so(client):
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")


def test_a_site_without_a_worker_is_ready_and_says_what_waits(client):
    assert client.get("/readyz").json() == {"ready": True, "wrong": {"worker": "none is there: runs wait"}}
    report_presence(worker="w", at=timezone.now())
    assert client.get("/readyz").json() == {"ready": True, "wrong": {}}


def test_a_site_that_cannot_serve_is_not_ready(client, monkeypatch, settings, tmp_path):
    def gone(*arguments):
        raise OperationalError("gone")

    monkeypatch.setattr(health.connection, "cursor", gone)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    wrong = answer.json()["wrong"]
    assert wrong == {"database": "does not answer"}
    monkeypatch.undo()
    settings.VAR_DIR = tmp_path / "gone"
    assert health.looked()[1].keys() >= {"disk", "storage"}
    monkeypatch.setattr(health.shutil, "disk_usage", lambda path: type("Usage", (), {"free": 5 << 20}))
    assert health.disk() == "5 MiB are free, fewer than 200"


def test_nobody_makes_a_process_look_more_than_once_a_second(client, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(health, "KEPT_S", 1000)
    client.get("/readyz")
    with django_assert_num_queries(0):
        assert client.get("/readyz").status_code == 200


def test_a_look_that_takes_long_serves_those_who_waited_for_it(monkeypatch):
    clock, n_looks = [100.0], []

    def looked():
        clock[0] += 20
        n_looks.append(1)
        return True, {}

    monkeypatch.setattr(health, "KEPT_S", 1.0)
    monkeypatch.setattr(health, "looked", looked)
    monkeypatch.setattr(health, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    for _ in range(3):
        health.looked_lately()
    assert len(n_looks) == 1


def test_a_proxy_asks_by_whatever_name_and_by_get_alone(client):
    assert client.get("/readyz", headers={"host": "10.0.0.5:8000"}).status_code == 200
    assert client.post("/healthz").status_code == 405


def test_a_clock_apart_from_the_databases_is_told(monkeypatch):
    monkeypatch.setattr(health, "shares_database", lambda: True)
    monkeypatch.setattr(health, "clock_apart", lambda: timedelta(seconds=9))
    assert health.clock() == "is 9 s apart from the database's"


def test_redis_that_does_not_answer_keeps_nobody_away(client, settings, monkeypatch):
    def gone(*arguments, **named):
        raise ConnectionError

    settings.REDIS_URL = "redis://127.0.0.1:9"
    monkeypatch.setattr(health.cache, "set", gone)
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["wrong"]["redis"] == "does not answer: limits hold on each machine for itself"


def test_machines_that_cannot_work_beside_each_other_are_told_without_their_names(client, monkeypatch):
    monkeypatch.setattr("serving.machines.shares_database", lambda: True)
    monkeypatch.setattr("serving.machines.clock_apart", lambda: timedelta(0))
    other = ProcessBeat(name="secret-host-1:a:1", place="secret-host-1", version="0.0.9", has_redis=False)
    monkeypatch.setattr(health, "others_there", lambda: [other, other])
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert "no Redis" in answer.json()["wrong"]["machines"]
    assert "another version" in answer.json()["wrong"]["machines"]
    assert "secret-host" not in answer.content.decode()
