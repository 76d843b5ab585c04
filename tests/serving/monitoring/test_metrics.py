"""What processes of one server count together, also those that ended."""

import subprocess
import sys
from pathlib import Path

import pytest

from serving.monitoring.metrics import FOLDER_NAME, CountedTogether, counted
from tests.test_house import ROOT

COUNT = """
from serving.monitoring import metrics
metrics.turns_that("answered", "nobody").inc(2)
metrics.turns_that("a, \\"kind\\"", "bot").inc()
metrics.STORE.observe(0.003)
metrics.STORE.observe(7)
metrics.JOBS.labels("look").observe(0.5)
metrics.SOCKETS.labels("wall").set(3)
import os
print(os.getpid())
os._exit(9)
"""


def process_that_counts():
    done = subprocess.run([sys.executable, "-c", COUNT], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 9, done.stderr
    return int(done.stdout)


def sums():
    return {
        (one.name, *sorted(one.labels.values())): one.value for family in counted().collect() for one in family.samples
    }


@pytest.fixture
def together(monkeypatch):
    monkeypatch.setenv(FOLDER_NAME, "")
    together = CountedTogether()
    yield together
    together.close()


def files_of(together):
    return sorted(path.name for path in Path(together.folder).iterdir())


def test_what_ended_processes_counted_stays_and_their_files_go(together):
    ended = [process_that_counts() for _ in range(3)]
    living = process_that_counts()
    before = sums()
    assert before[("huace_turns_total", "answered", "nobody")] == 8
    assert before[("huace_sockets", "wall")] == 12
    for pid in ended:
        together.ended(pid)
    assert sums() == before | {("huace_sockets", "wall"): 3}
    kinds = ("counter", "histogram", "summary")
    assert files_of(together) == sorted(
        [f"gauge_livesum_{living}.db", *(f"{kind}_{whose}.db" for kind in kinds for whose in ("ended", living))]
    )
    assert before[("huace_turn_stage_seconds_count", "store")] == 8
    assert before[("huace_job_seconds_sum", "look")] == 2


def test_a_process_that_counted_nothing_ends_as_well(together):
    together.ended(4711)
    assert sums() == {}


def test_a_file_that_a_kill_left_without_content_costs_its_counts_alone(together):
    living = process_that_counts()
    before = sums()
    (Path(together.folder) / "counter_4711.db").touch()
    together.ended(4711)
    assert (sums(), "counter_4711.db" in files_of(together)) == (before, False)
    together.ended(living)
