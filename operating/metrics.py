"""`/metrics` for Prometheus: what the processes of this server counted, and how the installation stands.

The second part is of the whole installation: each server of several tells the same, so watchers take the maximum over them.
"""

import hmac
from collections.abc import Iterator
from datetime import datetime
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from prometheus_client import CollectorRegistry, Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from accounts.log_in.guesses import address_of
from operating.health import CHECKS, looked_lately
from operating.models import ProcessReport
from operating.state import state
from serving.monitoring.metrics import counted

CLOSED = "Set HUACE_METRICS_TOKEN or HUACE_METRICS_FROM to open this page to a program that watches.\n"
NOT_FOR_YOU = "This page is for programs that show the token of HUACE_METRICS_TOKEN or come from HUACE_METRICS_FROM.\n"


def metrics(request: HttpRequest) -> HttpResponse:
    """404 where no setting opens it, 401 without access to it."""
    if not settings.METRICS_TOKEN and not settings.METRICS_FROM:
        return HttpResponse(CLOSED, status=404, content_type="text/plain")
    if not (shows_token(request) or comes_from_watcher(request)):
        refused = HttpResponse(NOT_FOR_YOU, status=401, content_type="text/plain")
        refused.headers["WWW-Authenticate"] = "Bearer"
        return refused
    registry = CollectorRegistry()
    registry.register(counted())
    registry.register(Installation(timezone.now()))
    encode, content_type = choose_encoder(request.headers.get("Accept", ""))
    return HttpResponse(encode(registry), content_type=content_type)


def shows_token(request: HttpRequest) -> bool:
    scheme, _, shown = request.headers.get("Authorization", "").partition(" ")
    is_right = hmac.compare_digest(shown.strip().encode(), settings.METRICS_TOKEN.encode())
    return bool(settings.METRICS_TOKEN) and scheme.lower() == "bearer" and is_right


def comes_from_watcher(request: HttpRequest) -> bool:
    """By the address of the connection. Behind a proxy that no setting names, everybody has the proxy's: then nobody is let in so."""
    if not settings.TRUSTED_PROXIES and "X-Forwarded-For" in request.headers:
        return False
    address = address_of(request)
    return bool(address) and any(ip_address(address) in network for network in settings.METRICS_FROM)


class Installation(Collector):
    """The facts of `status` as gauges. Without a database only that it is gone."""

    def __init__(self, at: datetime) -> None:
        self._at = at

    def collect(self) -> Iterator[Metric]:
        found = state(self._at, looked_lately)
        yield _gauge("huace_ready", "Whether people can talk and score here.", int(found["ready"]))
        yield _by("huace_wrong", "1 for what is wrong, by the names of /readyz.", "check", {
            name: int(name in found["wrong"]) for name in (*CHECKS, "backup")
        })  # fmt: skip
        if "database" in found:
            yield from _gauges_of(found, self._at)


def _gauges_of(facts: dict[str, Any], at: datetime) -> Iterator[Metric]:
    versions, backup, waiting = facts["versions"], facts["backup"], facts["waiting"]
    info = GaugeMetricFamily("huace_info", "The versions that run.", labels=("version", "python", "database"))
    info.add_metric((versions["huace"], versions["python"], facts["database"]["kind"]), 1)
    yield info
    yield _gauge("huace_database_bytes", "The size of the database.", facts["database"]["bytes"])
    yield _gauge("huace_disk_free_bytes", "What is free on the disk of HUACE_HOME.", facts["disk"]["free_bytes"])
    yield _gauge("huace_disk_bytes", "The size of that disk.", facts["disk"]["bytes"])
    servers = [one for one in facts["processes"] if one["kind"] == ProcessReport.Kind.SERVER]
    yield _gauge("huace_processes", "Server processes that reported within half a minute.", len(servers))
    yield _gauge("huace_workers", "Workers that are there.", len(facts["workers"]))
    yield _gauge("huace_dialogues_open", "Open dialogues.", facts["dialogues"]["open"])
    yield _by("huace_waiting", "What waits in each queue.", "queue", {
        name: one["n"] for name, one in waiting.items()
    })  # fmt: skip
    yield _by("huace_waiting_oldest_seconds", "For how long the first of each queue has waited.", "queue", {
        name: (at - one["since"]).total_seconds() if one["since"] else 0 for name, one in waiting.items()
    })  # fmt: skip
    yield _gauge(
        "huace_boards_outdated", "Live leaderboards that lag behind their scores.", facts["boards"]["outdated"]
    )
    yield _gauge("huace_boards_oldest_seconds", "The age of the oldest of their figures.", facts["boards"]["oldest_s"])
    made_at = backup["at"].timestamp() if backup else 0
    yield _gauge("huace_backup_timestamp_seconds", "When the last backup was made; 0 without any.", made_at)
    yield _gauge("huace_backup_bytes", "The size of the last backup.", backup["bytes"] if backup else 0)


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value=value)


def _by(name: str, text: str, label: str, values: dict[str, float]) -> Metric:
    family = GaugeMetricFamily(name, text, labels=(label,))
    for key, value in values.items():
        family.add_metric((key,), value)
    return family
