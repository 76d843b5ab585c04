"""What a worker writes: always bound to its own name, and every state moves on. Leases are tested with their runs."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from automatic_tasks.actions import submit_file_run
from automatic_tasks.models import AutomaticTask, Comparison, Run, RunState, Score, Split, WorkerPresence
from automatic_tasks.runs.queue import (
    LEASE,
    REASONS_KEPT,
    SplitScore,
    Troubles,
    claim_run,
    fail_run,
    finish_run,
    give_back,
    give_back_unharmed,
    has_worker,
    note_changed_board,
    report_presence,
    settle_boards,
    store_comparison,
    workers_there,
)
from reading.findings import Finding
from serving.actions import end_leases

pytestmark = [pytest.mark.django_db]
NOON = timezone.now()


@pytest.fixture
def run(quality, team, good_run) -> Run:
    return submit_file_run(task=quality, team=team, person=None, content=good_run, file_name="r", at=NOON)


def claimed(run, worker="w", at=NOON) -> Run:
    taken = claim_run(worker=worker, lane="files", at=at)
    assert taken == run
    return taken


def score(figures=None) -> SplitScore:
    return SplitScore(figures or {"quality.A.nmd": 0.5}, {}, {}, b"", "1:x")


def finished(run, worker="w") -> bool:
    claimed(run, worker)
    return finish_run(run=run, worker=worker, scores={Split.HIDDEN: score()}, warnings=[], at=NOON)


def test_a_claim_takes_the_oldest_run_of_its_lane(run, quality, team, good_run):
    submit_file_run(task=quality, team=team, person=None, content=good_run, file_name="r", at=NOON + LEASE)
    assert claim_run(worker="w", lane="services", at=NOON) is None
    taken = claimed(run)
    assert (taken.state, taken.worker, taken.lease_until, taken.n_attempts) == ("running", "w", NOON + LEASE, 1)


def test_a_run_that_is_given_back_waits_again_with_the_reason_and_its_attempt(run):
    claimed(run)
    give_back(run=run, worker="w", fault="nobody", reasons=[Finding("", "is late")])
    run.refresh_from_db()
    assert (run.state, run.worker, run.lease_until, run.n_attempts) == ("queued", "", None, 1)
    assert run.message == "is late"


def test_a_run_that_is_given_back_unharmed_has_not_been_tried(run):
    give_back_unharmed(run=claimed(run), worker="w")
    run.refresh_from_db()
    assert (run.state, run.n_attempts) == ("queued", 0)


def test_only_leases_of_the_dead_are_ended(run):
    claimed(run, "dead")
    assert end_leases(Run.objects.all(), is_dead=lambda name: name == "other", at=NOON) == 0
    assert claim_run(worker="w", lane="files", at=NOON) is None
    assert end_leases(Run.objects.all(), is_dead=lambda name: name == "dead", at=NOON) == 1
    assert claim_run(worker="w", lane="files", at=NOON) == run


def test_a_failed_run_keeps_the_first_reasons(run):
    claimed(run)
    reasons = [Finding(f"line {n}", "is missing") for n in range(1, REASONS_KEPT + 9)]
    fail_run(run=run, worker="w", fault="platform", reasons=reasons, at=NOON)
    run.refresh_from_db()
    assert (run.state, run.fault, len(run.why)) == ("failed", "platform", REASONS_KEPT)
    assert str(run.why[0]) == "line 1: is missing"


def test_a_finished_run_has_its_scores_and_its_board_is_to_be_compared(run, quality):
    before = quality.board_version
    assert finished(run)
    run.refresh_from_db()
    assert (run.state, run.worker, run.reasons) == (RunState.SCORED, "", [])
    assert Score.objects.get().version == "1:x"
    quality.refresh_from_db()
    assert quality.board_version == before + 1
    assert list(AutomaticTask.objects.due_for_comparison(NOON)) == [quality]


def test_a_comparison_of_a_score_that_is_gone_is_not_stored(run, quality, team, good_run):
    finished(run)
    other = submit_file_run(task=quality, team=team, person=None, content=good_run, file_name="r", at=NOON)
    finished(other)
    one, two = Score.objects.get(run=run), Score.objects.get(run=other)
    store_comparison(one=one, other=two, p_values={"a": 0.5})
    store_comparison(one=one, other=two, p_values={"a": 0.25})
    assert Comparison.objects.get().p_values == {"a": 0.25}
    Run.objects.filter(pk=run.pk).update(state=RunState.QUEUED)
    assert finished(run)
    assert not Comparison.objects.exists()
    store_comparison(one=one, other=two, p_values={"a": 0.5})
    assert not Comparison.objects.exists()


@pytest.mark.skipif(not connection.features.has_select_for_update, reason="this database locks no rows")
def test_both_scores_are_locked_in_order_while_their_comparison_is_stored(run, quality, team, good_run):
    finished(run)
    other = submit_file_run(task=quality, team=team, person=None, content=good_run, file_name="r", at=NOON)
    finished(other)
    one, two = Score.objects.get(run=run), Score.objects.get(run=other)
    with CaptureQueriesContext(connection) as queries:
        store_comparison(one=one, other=two, p_values={"a": 0.5})
    locked = [query["sql"] for query in queries if 'FROM "automatic_tasks_score"' in query["sql"]]
    assert ["ORDER BY" in sql and sql.endswith("FOR UPDATE") for sql in locked] == [True]


def test_troubles_of_a_board_put_it_off_and_a_change_calls_for_it_at_once(quality):
    note_changed_board(task=quality)
    quality.refresh_from_db()
    settle_boards(task=quality, troubles=[Finding("hidden", "is missing")], at=NOON)
    quality.refresh_from_db()
    assert (quality.n_board_troubles, quality.board_trouble_at) == (1, NOON)
    assert not AutomaticTask.objects.due_for_comparison(NOON).exists()
    assert AutomaticTask.objects.due_for_comparison(NOON + timedelta(seconds=1)).exists()
    note_changed_board(task=quality)
    assert AutomaticTask.objects.due_for_comparison(NOON).exists()


def test_a_board_that_changed_while_it_was_compared_is_compared_again(quality):
    note_changed_board(task=quality)
    quality.refresh_from_db()
    note_changed_board(task=quality)
    settle_boards(task=quality, troubles=[], at=NOON)
    assert AutomaticTask.objects.due_for_comparison(NOON).exists()


def test_a_worker_is_there_for_two_leases_and_forgotten_after_a_day():
    report_presence(worker="w", at=NOON)
    assert has_worker(NOON + 2 * LEASE - timedelta(seconds=1))
    assert not has_worker(NOON + 2 * LEASE)
    report_presence(worker="other", at=NOON + timedelta(days=1, seconds=1))
    assert list(WorkerPresence.objects.values_list("name", flat=True)) == ["other"]


def test_troubles_of_a_worker_are_reported_with_it():
    report_presence(worker="w", at=NOON, troubles=Troubles(2, "x" * 500, NOON))
    (there,) = workers_there(NOON)
    assert (there.n_troubles, len(there.trouble), there.trouble_at) == (2, 200, NOON)
