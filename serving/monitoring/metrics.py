"""What each server process counts for Prometheus: turns, their stages, commits, sockets, places, requests, chores, errors.

An increment is all that it costs where the work is done; levels are looked at now and then. Labels are of a few words each, of outcomes and stages: never a name,
a text or an id. Several processes of one server write into files of one folder, and whichever is asked sums them up: the
supervisor names the folder before they start, since the library chooses at import how it counts.
"""

import fcntl
import logging
import os
import shutil
import struct
import tempfile
from collections import Counter as Sums
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, Summary, disable_created_metrics
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

logger = logging.getLogger("huace.metrics")

FOLDER_NAME = "PROMETHEUS_MULTIPROC_DIR"
# A bot's deadline is 60 s at most; a commit on a good disk takes a few milliseconds.
STAGE_BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
REQUEST_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

disable_created_metrics()
own = CollectorRegistry()


def _counter(name: str, text: str, *labels: str) -> Counter:
    return Counter(name, text, labels, registry=own)


def _level(name: str, text: str, *labels: str) -> Gauge:
    """Of the processes that live, together."""
    return Gauge(name, text, labels, registry=own, multiprocess_mode="livesum")


TURNS = _counter(
    "huace_turns",
    "Settled turns: the outcome is `answered` or the kind of failure, the fault whose it was.",
    "outcome",
    "fault",
)
STAGES = Histogram(
    "huace_turn_stage_seconds",
    "Stages of a turn: `store` until its words are committed, `wait` for a place at the bot, `bot` its own time, `settle` until the outcome is committed.",
    ("stage",),
    buckets=STAGE_BUCKETS,
    registry=own,
)
STORE, WAIT, BOT, SETTLE = (STAGES.labels(stage) for stage in ("store", "wait", "bot", "settle"))

COMMITS = _counter(
    "huace_commits",
    "Changes of the live side by what became of them: `stored`, `refused` by a rule, or `failed`.",
    "result",
)
STORED, REFUSED, FAILED = (COMMITS.labels(result) for result in ("stored", "refused", "failed"))
COMMIT = Histogram(
    "huace_commit_seconds",
    "Shared transactions of the live side, from their first statement to the commit.",
    buckets=STAGE_BUCKETS,
    registry=own,
)
COMMITS_WAITING = _level("huace_commits_waiting", "Changes of the live side that wait for their transaction.")

SOCKETS = _level("huace_sockets", "Open sockets by what they are for: `dialogue`, `wall`, `bot`.", "kind")
PLACES = _level("huace_places", "Calls with bots by how they stand: `taken` a place, `waiting` for one.", "state")
PLACES_TAKEN, PLACES_WAITING = PLACES.labels("taken"), PLACES.labels("waiting")

REQUESTS = Histogram(
    "huace_request_seconds",
    "Requests for pages and of the API, by the class of their answer.",
    ("kind", "status"),
    buckets=REQUEST_BUCKETS,
    registry=own,
)
JOBS = Summary(
    "huace_job_seconds", "Work in the background, by its name: each look for it counts.", ("kind",), registry=own
)
ERRORS = _counter(
    "huace_errors", "Errors in the log, by their kind and the part of the program that met them.", "kind", "part"
)
STANDSTILLS = _counter("huace_loop_standstill_seconds", "Seconds for which the event loop stood still.")


@cache
def turns_that(outcome: str, fault: str) -> Counter:
    """Asking for labels costs more than counting."""
    return TURNS.labels(outcome, fault)


class TakingTime:
    """Observes how long the block took, also where it failed. A class: a generator costs a turn three times as much."""

    __slots__ = ("_began", "_observe")

    def __init__(self, observe: Callable[[float], object]) -> None:
        self._observe = observe

    def __enter__(self) -> None:
        self._began = perf_counter()

    def __exit__(self, *error: object) -> None:
        self._observe(perf_counter() - self._began)


def counted() -> Collector | CollectorRegistry:
    """What the processes of this server counted, summed up."""
    return _OfProcesses(Path(os.environ[FOLDER_NAME])) if FOLDER_NAME in os.environ else own


class _OfProcesses(Collector):
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self) -> Iterator[Metric]:
        with _held(self._folder, fcntl.LOCK_SH):
            found = list(MultiProcessCollector(None, str(self._folder)).collect())
        yield from found


@contextmanager
def _held(folder: Path, how: int) -> Iterator[None]:
    """Readers wait while the files of an ended process are merged; else its counts would appear twice or not at all."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, how)
        yield
    finally:
        os.close(handle)


class CountedTogether:
    """The folder in which the processes of a supervisor count.

    Of one that ended, what it held no longer counts; what it counted is added to what earlier ones did, so that the files are as
    many as the processes that live, and one more of each kind.
    """

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="huace-metrics-")
        os.environ[FOLDER_NAME] = self.folder

    def ended(self, pid: int) -> None:
        """What is wrong with a file costs its counts alone: the supervisor that calls this must go on."""
        folder = Path(self.folder)
        try:
            with _held(folder, fcntl.LOCK_EX):
                mark_process_dead(pid, self.folder)
                for kind in ("counter", "histogram", "summary"):
                    _add(folder / f"{kind}_{pid}.db", folder / f"{kind}_ended.db")
        except (OSError, RuntimeError, ValueError, struct.error):
            logger.exception("The counts of process %d are lost.", pid)
            # A reader would stumble over what is left of it for ever.
            for left in folder.glob(f"*_{pid}.db"):
                left.unlink(missing_ok=True)

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _add(counted: Path, to: Path) -> None:
    """Adds the values of a file of the library's to another one, and removes the first."""
    sums: Sums[str] = Sums()
    for file in filter(Path.exists, (counted, to)):
        for key, value, *_ in MmapedDict.read_all_values_from_file(str(file)):
            sums[key] += value
    # Another ending: a draft that a kill leaves behind is not counted.
    draft = to.with_suffix(".new")
    draft.unlink(missing_ok=True)
    written = MmapedDict(str(draft))
    for key, value in sums.items():
        written.write_value(key, value, 0.0)
    written.close()
    draft.rename(to)
    counted.unlink(missing_ok=True)
