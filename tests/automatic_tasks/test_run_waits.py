"""What a run waits for: since when, for whom, until when."""

from datetime import timedelta

import pytest
from django.utils import timezone

from automatic_tasks.models import Run, RunState, Score, WorkerPresence
from automatic_tasks.runs.queue import QueueSeen, RunWait

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture
def handed_in(quality, team):
    def made(number, **facts):
        at = NOW - timedelta(minutes=10 - number)
        return Run.objects.create(task=quality, team=team, number=number, submitted_at=at, **facts)

    return made


@pytest.fixture
def worker():
    return WorkerPresence.objects.create(name="w", seen_at=NOW)


def test_without_a_worker_an_organizer_has_to_start_one(handed_in, in_english):
    run = handed_in(1)
    wait = RunWait(run.submitted_at, "for an organizer", "until a worker is started")
    assert QueueSeen(NOW).wait_of(run) == wait


def test_a_run_waits_for_those_before_it_and_not_for_those_of_the_other_kind(handed_in, worker, in_english):
    handed_in(1, url="http://127.0.0.1:9/")
    second, third = handed_in(2), handed_in(3)
    queue = QueueSeen(NOW)
    assert queue.wait_of(second) == RunWait(
        second.submitted_at, "for a worker", "until a worker is free: it is the next"
    )
    assert queue.wait_of(third).until == "until a worker is free: 1 run is before it"


def test_what_runs_waits_for_its_worker_until_that_is_lost(handed_in, worker, in_english):
    lease = {"state": RunState.RUNNING, "started_at": NOW, "worker": "w"}
    runs = handed_in(1, lease_until=NOW + timedelta(seconds=1), **lease)
    lost = handed_in(2, lease_until=NOW - timedelta(seconds=1), **lease)
    queue = QueueSeen(NOW)
    assert (queue.wait_of(runs).since, queue.wait_of(runs).who) == (NOW, "for its worker")
    assert queue.wait_of(lost).until == "until a worker is free: it is the next"


def test_nothing_tells_since_when_a_run_waits_to_be_scored_again(handed_in, worker):
    run = handed_in(1)
    Score.objects.create(run=run, split="development", figures={}, version="1", sums=b"")
    assert QueueSeen(NOW).wait_of(run).since is None


def test_what_is_over_waits_for_nothing(handed_in):
    assert QueueSeen(NOW).wait_of(handed_in(1, state=RunState.SCORED)) is None


def test_the_queue_is_read_once(handed_in, worker, django_assert_num_queries):
    runs = [handed_in(number) for number in (1, 2, 3)]
    queue = QueueSeen(NOW)
    read = list(Run.objects.with_scores().filter(pk__in=[run.pk for run in runs]))
    with django_assert_num_queries(2):
        assert all(queue.wait_of(run) for run in read)
