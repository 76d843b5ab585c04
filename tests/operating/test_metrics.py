"""/metrics: who may read it, what it tells of the installation, and what it tells without a database."""

from datetime import timedelta
from ipaddress import ip_network

import pytest
from django.db import OperationalError, transaction
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from audit.actions import record
from automatic_tasks.runs.queue import report_presence
from campaigns.models import Campaign
from leaderboards.models import StoredBoard
from operating import health
from operating.actions import report_process
from operating.trail_acts import BACKED_UP
from serving.monitoring import metrics
from tests.dialogues.test_actions import Talk

pytestmark = pytest.mark.django_db
TOKEN = "a-token-that-opens-the-figures"
NETWORK = (ip_network("10.1.0.0/16"),)


@pytest.fixture(autouse=True)
def _each_request_looks(monkeypatch):
    monkeypatch.setattr(health, "_kept", None)
    monkeypatch.setattr(health, "KEPT_S", 0)


def read(client, settings):
    settings.METRICS_TOKEN = TOKEN
    answer = client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.content.decode())
    return {(one.name, *sorted(one.labels.values())): one.value for family in families for one in family.samples}


def test_without_a_setting_nobody_reads_it(client):
    answer = client.get("/metrics", headers={"authorization": "Bearer "})
    assert answer.status_code == 404
    assert b"HUACE_METRICS_TOKEN" in answer.content


@pytest.mark.parametrize("shown", ["", "Bearer ", "Bearer wrong", f"Token {TOKEN}", "Bearer é"])
def test_another_token_opens_nothing(client, settings, shown):
    settings.METRICS_TOKEN = TOKEN
    answer = client.get("/metrics", headers={"authorization": shown})
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("n_proxies", "headers", "address", "status"),
    [
        (0, {}, "10.1.2.3", 200),
        (0, {}, "10.2.2.3", 401),
        # Behind a proxy that no setting names, everybody comes from where the proxy stands.
        (0, {"x-forwarded-for": "8.8.8.8"}, "10.1.2.3", 401),
        (1, {"x-forwarded-for": "10.1.2.3"}, "127.0.0.1", 200),
        (1, {"x-forwarded-for": "10.1.2.3, 8.8.8.8"}, "10.1.2.3", 401),
        # A Unix socket has no address.
        (0, {}, "", 401),
    ],
)
def test_a_watcher_is_known_by_its_address(client, settings, n_proxies, headers, address, status):
    settings.METRICS_FROM, settings.TRUSTED_PROXIES = NETWORK, n_proxies
    assert client.get("/metrics", headers=headers, REMOTE_ADDR=address).status_code == status


def test_it_tells_how_the_installation_stands(client, settings, dialogue, admission):
    at = timezone.now()
    report_presence(worker="w", at=at)
    report = {"version": "1", "started_at": at, "memory_bytes": 1}
    report_process(name="p", at=at, report=report)
    report_process(name="gone", at=at - timedelta(minutes=1), report=report)
    with transaction.atomic():
        record(BACKED_UP, by=None, at=at, about="huace.zip", details={"bytes": 7, "sha256": "x"})
    Talk(dialogue, admission).send("k")
    Campaign.objects.update(scores_version=2)
    StoredBoard.objects.create(
        campaign=Campaign.objects.get(), key="live", scores_version=1, computed_at=at - timedelta(hours=1)
    )
    told = read(client, settings)
    assert told[("huace_ready",)] == 1
    assert told[("huace_processes",)] == told[("huace_workers",)] == told[("huace_dialogues_open",)] == 1
    assert told[("huace_waiting", "turns")] == 1
    assert told[("huace_boards_outdated",)] == 1
    assert told[("huace_boards_oldest_seconds",)] >= 3600
    assert told[("huace_backup_timestamp_seconds",)] == pytest.approx(at.timestamp())
    assert told[("huace_backup_bytes",)] == 7
    assert told[("huace_wrong", "backup")] == told[("huace_wrong", "worker")] == 0
    assert told[("huace_database_bytes",)] > 0


def test_without_a_database_it_says_so_and_what_was_counted(client, settings, monkeypatch):
    before = read(client, settings).get(("huace_turns_total", "answered", "nobody"), 0)
    metrics.TURNS.labels("answered", "nobody").inc()

    def gone(*arguments):
        raise OperationalError("gone")

    monkeypatch.setattr(health.connection, "cursor", gone)
    told = read(client, settings)
    assert told[("huace_ready",)] == 0
    assert told[("huace_wrong", "database")] == 1
    assert told[("huace_turns_total", "answered", "nobody")] == before + 1
    assert ("huace_dialogues_open",) not in told


def test_an_old_backup_is_wrong_and_dated(client, settings):
    with transaction.atomic():
        at = timezone.now() - timedelta(hours=25)
        record(BACKED_UP, by=None, at=at, about="huace.zip", details={"bytes": 7, "sha256": "x"})
    assert read(client, settings)[("huace_wrong", "backup")] == 1
