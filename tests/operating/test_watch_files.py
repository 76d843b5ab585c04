"""The dashboard and the alerts of deploy/: every metric and label in them is one that /metrics tells, and Prometheus reads them."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.utils import timezone
from prometheus_client import Histogram, Summary

from operating.metrics import Installation
from serving.monitoring import metrics

pytestmark = pytest.mark.django_db

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
ALERTS = DEPLOY / "prometheus" / "huace-alerts.yml"
DASHBOARD = json.loads((DEPLOY / "grafana" / "huace.json").read_text())
# What Prometheus itself adds to each sample, and the buckets of histograms.
LABELS_OF_PROMETHEUS = {"job", "instance", "le"}


def told() -> dict[str, set[str]]:
    """The samples that /metrics may have, by name, with the labels of each."""
    found = {}
    for one in vars(metrics).values():
        if isinstance(one, Histogram | Summary) and one._labelnames is not None:
            ends = ("_count", "_sum", "_bucket") if isinstance(one, Histogram) else ("_count", "_sum")
            found |= {one._name + end: set(one._labelnames) for end in ends}
        elif hasattr(one, "_labelnames"):
            found[one._name + ("_total" if one._type == "counter" else "")] = set(one._labelnames)
    for family in Installation(timezone.now()).collect():
        found |= {sample.name: set(sample.labels) for sample in family.samples}
    return found


def expressions():
    yield from re.findall(r"expr: (?:>\n\s+)?(.+)", ALERTS.read_text())
    for panel in DASHBOARD["panels"]:
        yield from (target["expr"] for target in panel["targets"])
    yield from re.findall(r"label_values\((.+)\)", json.dumps(DASHBOARD["templating"]))


def test_every_metric_and_label_exists():
    known = told()
    assert len(known) > 30
    wrong = []
    for expression in expressions():
        names = re.findall(r"\bhuace_\w+", expression)
        labels = set(re.findall(r'(\w+)(?:=|!=|=~|!~)"', expression))
        labels |= {one.strip() for by in re.findall(r"by \(([^)]+)\)", expression) for one in by.split(",")}
        allowed = LABELS_OF_PROMETHEUS.union(*(known.get(name, set()) for name in names))
        if set(names) - known.keys() or labels - allowed:
            wrong.append(expression)
    assert wrong == []


def test_the_check_of_metrics_sees_one_that_is_gone(monkeypatch):
    monkeypatch.delattr(metrics, "TURNS")
    with pytest.raises(AssertionError, match="huace_turns_total"):
        test_every_metric_and_label_exists()


def test_each_watched_fact_is_on_the_dashboard_or_in_an_alert():
    shown = set(re.findall(r"\bhuace_\w+?(?=_bucket|_count|_sum|\b)", " ".join(expressions())))
    names = {re.sub(r"_(count|sum|bucket)$", "", name) for name in told()}
    assert names - shown == {"huace_info"}


def test_panels_stand_side_by_side_and_each_asks_something():
    taken = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken, panel["title"]
        assert place["x"] + place["w"] <= 24
        assert panel["targets"]
        taken |= cells
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


def test_each_alert_says_what_to_do():
    text = ALERTS.read_text()
    assert text.count("- alert:") == text.count("summary:") == text.count("action:") == text.count("severity:") > 10


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool (Debian's prometheus) is not installed here")
def test_prometheus_reads_the_files(tmp_path):
    for file in (DEPLOY / "prometheus").iterdir():
        text = file.read_text().replace("/etc/prometheus/huace.token", str(tmp_path / "token"))
        (tmp_path / file.name).write_text(text)
    (tmp_path / "token").write_text("x")
    for command in (
        ["check", "config", "prometheus.yml"],
        ["check", "rules", "huace-alerts.yml"],
        ["test", "rules", "huace-alerts-test.yml"],
    ):
        done = subprocess.run(["promtool", *command], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
