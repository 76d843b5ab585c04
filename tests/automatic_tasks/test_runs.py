"""Runs from the hand-in to the score: quota, queue, leases, feedback."""

import asyncio
import json
import os
import subprocess
import sys
import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone, translation

from automatic_tasks.access import visible_scores
from automatic_tasks.actions import (
    NotAccepted,
    change_task,
    choose_run,
    keep_file,
    score_again,
    score_baselines,
    submit_file_run,
)
from automatic_tasks.actions import runs as run_actions
from automatic_tasks.boards.task_boards import UnknownFigure, Unranked, board
from automatic_tasks.models import AutomaticTask, Comparison, Run, RunState, Score, Split, StoredFile
from automatic_tasks.runs import scores as run_scores
from automatic_tasks.runs.queue import LEASE, claim_run, fail_run, finish_run, give_back, has_worker, renew_lease
from automatic_tasks.runs.quotas import Allowance, allowance_of
from automatic_tasks.runs.worker import Worker
from campaigns.models import Campaign
from reading.checking import BadFile

pytestmark = [pytest.mark.django_db(transaction=True)]


def work() -> int:
    return asyncio.run(Worker().work(until_empty=True))


def hand_in(task, team, content, at=None) -> Run:
    return submit_file_run(
        task=task, team=team, person=None, content=content, file_name="run.json", at=at or timezone.now()
    )


def test_a_run_is_scored_on_both_splits_like_on_the_command_line(quality, team, good_run):
    run = hand_in(quality, team, good_run)
    assert (run.number, run.state) == (1, RunState.QUEUED)
    assert work() == 1
    run.refresh_from_db()
    assert (run.state, run.fault, run.worker) == (RunState.SCORED, "nobody", "")
    development, hidden = (Score.objects.get(run=run, split=split) for split in Split.values)
    # Three dialogues each, so the mean of both splits is what `manage.py score` gives for all six.
    both = (development.figures["quality.A.nmd"] + hidden.figures["quality.A.nmd"]) / 2
    assert both == pytest.approx(0.06875)
    low, high = development.intervals["quality.A.nmd"]
    assert low <= development.figures["quality.A.nmd"] <= high


def test_a_bad_run_is_kept_nowhere_and_uses_no_quota(quality, team, bad_run):
    with pytest.raises(BadFile, match="must be a probability"):
        hand_in(quality, team, bad_run)
    assert not Run.objects.exists()
    assert allowance_of(quality, team, timezone.now()) == Allowance(50, 5, left=50, today=5)


def test_a_run_that_takes_too_long_fails_and_ends_its_worker(quality, team, good_run):
    """In a process of its own, since the thread that scores can only end with it."""
    run = hand_in(quality, team, good_run)
    code = (
        "import asyncio, time, django; django.setup(); from automatic_tasks.runs import worker; "
        "worker.SCORING_LIMIT_S = worker.RENEW_S = 0.3; worker.scores_of = lambda *_: time.sleep(30); "
        "asyncio.run(worker.Worker().work(until_empty=True))"
    )
    environment = os.environ | {"DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done.stderr
    run.refresh_from_db()
    assert (run.state, run.fault, run.message) == (RunState.FAILED, "team", "Scoring took longer than 0.005 minutes.")


def database_url() -> str:
    """Where the test's database is, for another process."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    return f"postgres://{database['USER']}@{database['HOST']}:{database['PORT']}/{database['NAME']}"


def test_a_run_that_no_longer_fits_changed_options_is_the_platforms_failure_and_uses_no_quota(quality, team, good_run):
    AutomaticTask.objects.filter(pk=quality.pk).update(options={"missing": "count"})
    quality.refresh_from_db()
    rows = json.loads(good_run)[1:]
    run = hand_in(quality, team, json.dumps(rows).encode())
    AutomaticTask.objects.filter(pk=quality.pk).update(options={})
    assert work() == 1
    run.refresh_from_db()
    assert (run.state, run.fault) == (RunState.FAILED, "platform")
    assert run.message == (
        "The gold or the options of the task were changed after this run was handed in, and it does not fit them any "
        "more.\ndialogue d1: is missing"
    )
    assert allowance_of(quality, team, timezone.now()) == Allowance(50, 5, left=50, today=5)


def test_an_unreadable_gold_is_the_platforms_failure_at_once(quality, team, good_run):
    run = hand_in(quality, team, good_run)
    AutomaticTask.objects.filter(pk=quality.pk).update(gold=keep_file(b"[{}]"))
    assert work() == 1
    run.refresh_from_db()
    assert (run.state, run.fault, run.n_attempts) == (RunState.FAILED, "platform", 1)
    assert run.message.startswith("The gold of the task cannot be read.\n[0].id: is missing")
    quality.refresh_from_db()
    with pytest.raises(NotAccepted) as refused:
        hand_in(quality, team, good_run)
    assert refused.value.code == "gold"
    assert allowance_of(quality, team, timezone.now()).left == 50


def test_a_file_that_was_checked_against_the_task_of_before_is_not_taken(quality, team, good_run):
    AutomaticTask.objects.filter(pk=quality.pk).update(options={"missing": "count"})
    with pytest.raises(NotAccepted) as refused:
        hand_in(quality, team, good_run)
    assert refused.value.code == "changed"
    assert not Run.objects.exists()


def test_the_same_file_is_stored_once(quality, team, good_run):
    hand_in(quality, team, good_run)
    hand_in(quality, team, good_run)
    assert StoredFile.objects.filter(pk__in=Run.objects.values("file")).count() == 1


def test_quota_of_the_day_and_in_all(quality, team, other_team, good_run):
    noon = timezone.localtime().replace(hour=12)
    for _ in range(5):
        hand_in(quality, team, good_run, at=noon)
    with pytest.raises(NotAccepted) as refused:
        hand_in(quality, team, good_run, at=noon)
    assert (refused.value.code, refused.value.values) == ("quota_day", {"limit": 5})
    hand_in(quality, other_team, good_run, at=noon)
    assert hand_in(quality, team, good_run, at=noon + timedelta(days=1)).number == 6
    quality.quota_total = 6
    quality.save()
    with pytest.raises(NotAccepted) as refused:
        hand_in(quality, team, good_run, at=noon + timedelta(days=1))
    assert refused.value.code == "quota_total"


def test_a_failure_of_the_platform_uses_no_quota(quality, team, good_run, monkeypatch):
    monkeypatch.setattr("automatic_tasks.runs.worker.scores_of", broken)
    run = hand_in(quality, team, good_run)
    assert work() == 3
    run.refresh_from_db()
    assert (run.state, run.fault) == (RunState.FAILED, "platform")
    assert "RuntimeError" in run.message
    assert allowance_of(quality, team, timezone.now()).left == 50
    monkeypatch.undo()
    score_again(run=run)
    assert work() == 1
    run.refresh_from_db()
    assert (run.state, run.message) == (RunState.SCORED, "")
    assert allowance_of(quality, team, timezone.now()).left == 49


def broken(*_):
    raise RuntimeError("the disk is full")


def test_a_run_that_is_scored_again_took_as_long_as_the_last_time_only(quality, team, good_run):
    run = hand_in(quality, team, good_run)
    work()
    Run.objects.filter(pk=run.pk).update(started_at=timezone.now() - timedelta(days=7))
    score_again(run=run)
    run.refresh_from_db()
    assert (run.started_at, run.took) == (None, None)
    work()
    run.refresh_from_db()
    assert run.took < timedelta(hours=1)


def test_fifty_at_once_at_the_limit_let_exactly_the_limit_through(quality, team, good_run):
    quality.quota_per_day, quality.quota_total = 7, 7
    quality.save()
    outcomes, barrier = [], threading.Barrier(50)

    def submit() -> None:
        barrier.wait()
        try:
            outcomes.append(hand_in(quality, team, good_run).number)
        except NotAccepted as refused:
            outcomes.append(refused.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=submit) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(number for number in outcomes if isinstance(number, int)) == [1, 2, 3, 4, 5, 6, 7]
    assert outcomes.count("quota_total") == 43
    assert Run.objects.count() == 7


def test_a_closed_task_takes_no_runs(quality, team, good_run):
    change_task(task=quality, changes={"is_open": False}, at=timezone.now())
    with translation.override("en"), pytest.raises(NotAccepted, match="is not accepting runs"):
        hand_in(quality, team, good_run)


def test_a_change_of_one_thing_undoes_nobody_elses_change(quality):
    seen_before = AutomaticTask.objects.get(pk=quality.pk)
    noon = timezone.now()
    change_task(task=quality, changes={"released": True}, at=noon)
    change_task(task=quality, changes={"board_is_open": True}, at=noon)
    change_task(task=seen_before, changes={"is_open": False}, at=noon)
    quality.refresh_from_db()
    assert (quality.is_open, quality.board_is_open, quality.released_at) == (False, True, noon)


def test_a_second_release_leaves_the_time_of_the_first(quality):
    noon = timezone.now()
    change_task(task=quality, changes={"released": True}, at=noon)
    assert change_task(task=quality, changes={"released": True}, at=noon + LEASE).released_at == noon
    assert change_task(task=quality, changes={"released": False}, at=noon).released_at is None


def test_a_misspelt_change_is_an_error(quality):
    with pytest.raises(ValueError, match="no change opened"):
        change_task(task=quality, changes={"opened": True}, at=timezone.now())


def test_a_run_that_failed_after_the_page_was_shown_cannot_be_chosen(quality, team, good_run):
    run = hand_in(quality, team, good_run)
    Run.objects.filter(pk=run.pk).update(state=RunState.FAILED)
    with pytest.raises(NotAccepted) as refused:
        choose_run(run=run)
    assert refused.value.code == "failed"


# -- the queue -----------------------------------------------------------------------------------------------------


def test_a_killed_workers_run_is_taken_up_when_its_lease_ends(quality, team, good_run):
    run, now = hand_in(quality, team, good_run), timezone.now()
    assert claim_run(worker="killed", lane="files", at=now).pk == run.pk
    assert claim_run(worker="other", lane="files", at=now) is None
    later = now + LEASE + timedelta(seconds=1)
    taken = claim_run(worker="other", lane="files", at=later)
    assert (taken.pk, taken.worker, taken.n_attempts) == (run.pk, "other", 2)
    assert not renew_lease(run=run, worker="killed", at=later)
    assert renew_lease(run=run, worker="other", at=later)


def test_a_worker_that_lost_its_lease_changes_nothing(quality, team, good_run):
    run, now = hand_in(quality, team, good_run), timezone.now()
    claim_run(worker="slow", lane="files", at=now)
    claim_run(worker="other", lane="files", at=now + 2 * LEASE)
    assert not finish_run(run=run, worker="slow", scores={}, warnings=[], at=now)
    fail_run(run=run, worker="slow", fault="team", reasons=[], at=now)
    give_back(run=run, worker="slow", fault="platform", reasons=[])
    run.refresh_from_db()
    assert (run.state, run.worker) == (RunState.RUNNING, "other")


def test_a_run_that_kills_every_worker_fails_as_the_platforms_fault(quality, team, good_run):
    run, now = hand_in(quality, team, good_run), timezone.now()
    for attempt in range(3):
        assert claim_run(worker=f"w{attempt}", lane="files", at=now + 2 * attempt * LEASE)
    assert claim_run(worker="w4", lane="files", at=now + 6 * LEASE) is None
    run.refresh_from_db()
    assert (run.state, run.fault) == (RunState.FAILED, "platform")
    assert "interrupted" in run.message


def test_threads_never_claim_the_same_run(quality, team, good_run):
    runs = {hand_in(quality, team, good_run).pk for _ in range(5)}
    claimed, barrier = [], threading.Barrier(8)

    def claim(name: str) -> None:
        barrier.wait()
        while (run := claim_run(worker=name, lane="files", at=timezone.now())) is not None:
            claimed.append(run.pk)
        connection.close()

    threads = [threading.Thread(target=claim, args=[f"w{n}"]) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(claimed) == sorted(runs)


# -- feedback and boards -------------------------------------------------------------------------------------------


def test_only_a_clear_gain_is_shown(quality, team, good_run, weak_run):
    quality.min_gain, quality.decimals = 0.01, 1
    quality.save()
    first, second, third = (
        hand_in(quality, team, weak_run),
        hand_in(quality, team, good_run),
        hand_in(quality, team, good_run),
    )
    work()
    for run in (first, second, third):
        run.refresh_from_db()
    assert [run.is_revealed for run in (first, second, third)] == [True, True, False]
    assert visible_scores(third, as_organizer=False) == {}
    shown = visible_scores(second, as_organizer=False)
    assert set(shown) == {Split.DEVELOPMENT}
    assert all(value == round(value, 1) for value in shown[Split.DEVELOPMENT].values())
    assert set(visible_scores(third, as_organizer=True)) == set(Split.values)


def test_hidden_scores_are_shown_after_the_release_only(quality, team, good_run):
    run = hand_in(quality, team, good_run)
    work()
    assert set(visible_scores(run, as_organizer=False)) == {Split.DEVELOPMENT}
    change_task(task=quality, changes={"released": True}, at=timezone.now())
    run = Run.objects.get(pk=run.pk)
    assert set(visible_scores(run, as_organizer=False)) == set(Split.values)


def test_the_board_ranks_one_run_a_team_and_the_baselines(quality, team, other_team, good_run, weak_run):
    hand_in(quality, team, weak_run)
    best = hand_in(quality, team, good_run)
    weak = hand_in(quality, other_team, weak_run)
    score_baselines(task=quality, person=None, at=timezone.now())
    assert work() == 5
    made = board(quality, Split.DEVELOPMENT)
    assert [(row.rank, row.name) for row in made.rows] == [
        (1, "Team Alpha-run2"),
        (2, "BL-popularity"),
        (3, "Team Beta-run1"),
        (4, "BL-uniform"),
    ]
    assert Comparison.objects.filter(one__split=Split.DEVELOPMENT).count() == 6
    assert not AutomaticTask.objects.with_changed_boards().exists()
    by_s = board(quality, Split.HIDDEN, by="quality.S.rsnod")
    assert [key.name for key in by_s.rule] == ["quality.S.rsnod"]
    with pytest.raises(UnknownFigure, match="luck"):
        board(quality, Split.HIDDEN, by="luck")
    choose_run(run=Run.objects.get(team=team, number=1))
    assert Run.objects.get(pk=best.pk).is_chosen is False
    assert {row.name for row in board(quality, Split.DEVELOPMENT).rows} >= {"Team Alpha-run1"}
    work()
    assert weak.pk in {pk for pair in Comparison.objects.values_list("one__run", "other__run") for pk in pair}


def test_without_a_development_split_the_chosen_run_represents_the_team_and_else_the_latest(
    quality, team, good_run, weak_run
):
    AutomaticTask.objects.filter(pk=quality.pk).update(development_ids=[])
    quality.refresh_from_db()
    first = hand_in(quality, team, good_run)
    hand_in(quality, team, weak_run)
    work()
    assert [row.name for row in board(quality, Split.HIDDEN).rows] == ["Team Alpha-run2"]
    choose_run(run=first)
    assert [row.name for row in board(quality, Split.HIDDEN).rows] == ["Team Alpha-run1"]


def test_equal_runs_share_a_rank(quality, team, other_team, good_run):
    hand_in(quality, team, good_run)
    hand_in(quality, other_team, good_run)
    work()
    assert [row.rank for row in board(quality, Split.HIDDEN).rows] == [1, 1]
    (comparison,) = Comparison.objects.filter(one__split=Split.HIDDEN)
    assert comparison.p_values["quality.A.nmd"] == 1


def test_a_team_whose_run_failed_is_listed_unranked(quality, team, good_run, monkeypatch):
    monkeypatch.setattr("automatic_tasks.runs.worker.scores_of", broken)
    hand_in(quality, team, good_run)
    work()
    (row,) = board(quality, Split.HIDDEN).unranked
    assert (row.name, row.team, row.reason) == ("Team Alpha", "Team Alpha", Unranked.FAILED)


def test_the_choice_is_fixed_by_the_release(quality, team, good_run):
    run = hand_in(quality, team, good_run)
    work()
    change_task(task=quality, changes={"released": True}, at=timezone.now())
    with translation.override("en"), pytest.raises(NotAccepted, match="released"):
        choose_run(run=run)


def test_interrupted_comparisons_are_made_up_for(quality, team, other_team, good_run, weak_run, monkeypatch):
    hand_in(quality, team, good_run)
    hand_in(quality, other_team, weak_run)
    monkeypatch.setattr("automatic_tasks.runs.worker.compare_boards", lambda: True)
    work()
    assert not Comparison.objects.exists()
    monkeypatch.undo()
    assert not run_scores.compare_boards(budget_s=-1)
    assert run_scores.compare_boards()
    assert Comparison.objects.count() == 2


def test_baselines_are_scored_once(quality):
    assert len(score_baselines(task=quality, person=None, at=timezone.now())) == 2
    assert score_baselines(task=quality, person=None, at=timezone.now()) == []


def test_the_gold_is_read_before_the_task_is_locked_for_its_baselines(quality, monkeypatch):
    gold_of = run_actions.gold_of

    def read(task):
        assert not connection.in_atomic_block
        return gold_of(task)

    monkeypatch.setattr(run_actions, "gold_of", read)
    assert len(score_baselines(task=quality, person=None, at=timezone.now())) == 2


def test_baselines_of_a_task_that_changed_meanwhile_are_not_scored(quality):
    AutomaticTask.objects.filter(pk=quality.pk).update(options={"missing": "count"})
    with pytest.raises(NotAccepted) as refused:
        score_baselines(task=quality, person=None, at=timezone.now())
    assert (refused.value.code, Run.objects.count()) == ("changed", 0)


def test_a_service_task_takes_no_files(tasks, team):
    with translation.override("en"), pytest.raises(NotAccepted, match="accepts no files"):
        hand_in(tasks["intents"], team, b'{"resultsList": []}')


def test_a_run_that_nobody_will_take_says_so(quality, team, good_run):
    assert not has_worker(timezone.now())
    hand_in(quality, team, good_run)
    work()
    assert has_worker(timezone.now())
    assert not has_worker(timezone.now() + 3 * LEASE)


def test_runs_are_taken_by_the_campaigns_dates_and_the_tasks_own_switch(quality, team, good_run):
    opens, closes = timezone.now().replace(microsecond=0), timezone.now().replace(microsecond=0) + timedelta(hours=1)
    Campaign.objects.update(registration_from=opens, publication_at=closes)
    for at, sentence in ((opens - timedelta(seconds=1), "accepted from"), (closes + timedelta(seconds=1), "until")):
        with translation.override("en"), pytest.raises(NotAccepted, match=sentence) as refused:
            hand_in(AutomaticTask.objects.get(pk=quality.pk), team, good_run, at)
        assert refused.value.code == "not_now"
        assert "(UTC+08:00)" in str(refused.value)
    hand_in(AutomaticTask.objects.get(pk=quality.pk), team, good_run, opens)
    hand_in(AutomaticTask.objects.get(pk=quality.pk), team, good_run, closes)
    AutomaticTask.objects.update(is_open=False)
    with pytest.raises(NotAccepted) as refused:
        hand_in(AutomaticTask.objects.get(pk=quality.pk), team, good_run, opens)
    assert refused.value.code == "closed"


def test_runs_of_one_moment_and_number_have_an_order(quality, team, other_team, good_run):
    """Rows that compare equal come as the database likes, which is the same way forwards and backwards on SQLite."""
    at = timezone.now()
    first, second = hand_in(quality, team, good_run, at), hand_in(quality, other_team, good_run, at)
    assert (first.number, first.submitted_at) == (second.number, second.submitted_at)
    in_order = sorted([first, second], key=lambda run: run.pk)
    assert list(Run.objects.all()) == in_order
    assert list(Run.objects.reverse()) == in_order[::-1]
