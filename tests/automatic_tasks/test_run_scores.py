"""Stored sums and the comparison of boards: what belongs to different versions is never compared, trouble stays local."""

import asyncio
import io
import time
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone

from automatic_tasks.actions import score_again, score_all_again, score_baselines, submit_file_run
from automatic_tasks.boards.task_boards import Unranked, board, outdated_runs
from automatic_tasks.models import AutomaticTask, Comparison, Run, RunState, Score, Split
from automatic_tasks.runs import scores as run_scores
from automatic_tasks.runs.queue import note_changed_board
from automatic_tasks.runs.scores import compare_boards, packed, unpacked
from automatic_tasks.runs.worker import Worker
from scoring.task_types import TASK_TYPES
from tests.automatic_tasks.conftest import content_of

pytestmark = [pytest.mark.django_db(transaction=True)]


def unranked(made):
    return [(row.name, row.team, row.reason) for row in made.unranked]


def work() -> int:
    return asyncio.run(Worker().work(until_empty=True))


def hand_in(task, team, content) -> Run:
    return submit_file_run(task=task, team=team, person=None, content=content, file_name="r", at=timezone.now())


def narrow(run: Run) -> None:
    """Stores the run's sums as a measure with one column less would have."""
    for score in run.scores.all():
        with np.load(io.BytesIO(bytes(score.sums))) as file:
            sums = file["sums"]
        Score.objects.filter(pk=score.pk).update(sums=packed(sums[:, 1:], [str(n) for n in range(sums.shape[1] - 1)]))


def new_version(monkeypatch, name: str = "dialogue-quality") -> None:
    monkeypatch.setitem(TASK_TYPES, name, replace(TASK_TYPES[name], version=2))


def test_sums_come_back_with_their_columns_only():
    sums = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert unpacked(packed(sums, ["a", "b"]), ["a", "b"]).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert unpacked(packed(sums, ["a", "b"]), ["b", "a"]) is None
    assert unpacked(packed(sums, ["a", "b"]), ["a", "b", "c"]) is None
    with pytest.raises(ValueError, match="have no 1 columns"):
        packed(sums, ["a"])


def test_a_score_of_an_older_version_is_neither_ranked_nor_compared(
    quality, team, other_team, good_run, weak_run, monkeypatch
):
    old = hand_in(quality, team, good_run)
    work()
    new_version(monkeypatch)
    hand_in(quality, other_team, weak_run)
    work()
    made = board(quality, Split.HIDDEN)
    assert [row.name for row in made.rows] == ["Team Beta-run1"]
    assert unranked(made) == [("Team Alpha", "Team Alpha", Unranked.OUTDATED)]
    assert not Comparison.objects.exists()
    assert outdated_runs(quality) == [old]
    assert len(score_all_again(runs=outdated_runs(quality))) == 1
    assert work() == 1
    assert [row.name for row in board(quality, Split.HIDDEN).rows] == ["Team Alpha-run1", "Team Beta-run1"]
    assert Comparison.objects.count() == 2


@pytest.mark.parametrize("change", ["another default of an option", "another figure", "another split"])
def test_whatever_a_score_depends_on_makes_a_new_version(quality, change, monkeypatch):
    before, quality_type = quality.score_version, TASK_TYPES["dialogue-quality"]
    if change == "another default of an option":
        options = tuple(replace(option, default="count") for option in quality_type.options)
        monkeypatch.setitem(TASK_TYPES, "dialogue-quality", replace(quality_type, options=options))
    elif change == "another figure":
        monkeypatch.setitem(TASK_TYPES, "dialogue-quality", replace(quality_type, figures=quality_type.figures[1:]))
    else:
        quality.development_ids = quality.development_ids[1:]
    assert quality.score_version != before


def test_what_no_score_depends_on_makes_no_new_version(quality):
    before = quality.score_version
    quality.quota_total, quality.decimals, quality.noise_ratio, quality.is_open = 3, 2, 1.0, False
    quality.development_ids = quality.development_ids[::-1]
    assert quality.score_version == before


def test_a_team_whose_chosen_run_is_older_is_not_ranked_by_another_run(quality, team, good_run, monkeypatch):
    chosen = hand_in(quality, team, good_run)
    work()
    Run.objects.filter(pk=chosen.pk).update(is_chosen=True)
    new_version(monkeypatch)
    hand_in(quality, team, good_run)
    work()
    made = board(quality, Split.HIDDEN)
    assert (made.rows, unranked(made)) == ((), [("Team Alpha", "Team Alpha", Unranked.OUTDATED)])


def test_a_baseline_of_an_older_version_is_unranked_and_of_no_team(quality, monkeypatch):
    score_baselines(task=quality, person=None, at=timezone.now())
    work()
    new_version(monkeypatch)
    assert unranked(board(quality, Split.HIDDEN)) == [
        ("BL-uniform", "", Unranked.OUTDATED),
        ("BL-popularity", "", Unranked.OUTDATED),
    ]


def test_sums_of_another_width_mark_their_board_and_every_other_pair_is_compared(
    tasks, team, other_team, good_run, weak_run
):
    quality, responses = tasks["quality"], tasks["responses"]
    odd = hand_in(quality, team, good_run)
    hand_in(quality, other_team, weak_run)
    work()
    narrow(odd)
    third = type(team).objects.create(name="Team Gamma")
    hand_in(quality, third, good_run)
    for one in (team, other_team):
        hand_in(responses, one, content_of("response-generation/run.jsonl"))
    Comparison.objects.all().delete()
    assert work() == 3
    pairs = {
        frozenset(pair) for pair in Comparison.objects.values_list("one__run__team__name", "other__run__team__name")
    }
    assert pairs == {frozenset({"Team Beta", "Team Gamma"}), frozenset({"Team Alpha", "Team Beta"})}
    assert Comparison.objects.filter(one__run__task=responses).count() == 2
    quality.refresh_from_db()
    assert [str(finding) for finding in quality.board_findings] == [
        f"{split} split: the stored sums of Team Alpha-run1 are not those of the measure of today"
        for split in ("development", "hidden")
    ]
    assert quality.board_trouble_at is not None
    responses.refresh_from_db()
    assert responses.board_findings == []
    score_again(run=odd)
    work()
    quality.refresh_from_db()
    assert (quality.board_findings, quality.n_board_troubles, quality.board_trouble_at) == ([], 0, None)
    assert Comparison.objects.filter(one__run__task=quality).count() == 6


def test_an_unforeseen_error_of_one_pair_ends_no_other(quality, team, other_team, good_run, weak_run, monkeypatch):
    """Three runs are three pairs on each of two splits; the first of each split breaks."""
    for one in (team, other_team, type(team).objects.create(name="Team Gamma")):
        hand_in(quality, one, weak_run if one == team else good_run)
    stored, calls = run_scores.store_comparison, []

    def broken_at_first(*, one, other, p_values):
        calls.append(one.split)
        if calls.count(one.split) == 1:
            raise ZeroDivisionError
        stored(one=one, other=other, p_values=p_values)

    monkeypatch.setattr(run_scores, "store_comparison", broken_at_first)
    monkeypatch.setattr("automatic_tasks.runs.worker.compare_boards", lambda *_: True)
    work()
    quality.refresh_from_db()
    assert run_scores.compare_boards_of(quality, time.monotonic() + 60)
    assert sorted(Comparison.objects.values_list("one__split", flat=True)) == ["development"] * 2 + ["hidden"] * 2
    quality.refresh_from_db()
    assert [str(finding) for finding in quality.board_findings] == [
        f"{split} split: comparing ended in ZeroDivisionError" for split in ("development", "hidden")
    ]
    assert run_scores.compare_boards_of(quality, time.monotonic() + 60)
    quality.refresh_from_db()
    assert (quality.board_findings, Comparison.objects.count()) == ([], 6)


def test_a_pair_in_trouble_puts_the_board_off_also_where_the_time_is_up(
    quality, team, other_team, good_run, monkeypatch
):
    for one in (team, other_team, type(team).objects.create(name="Team Gamma")):
        hand_in(quality, one, good_run)
    monkeypatch.setattr("automatic_tasks.runs.worker.compare_boards", lambda *_: True)
    work()
    quality.refresh_from_db()
    ends_at = time.monotonic() + 60

    def broken_and_slow(**_):
        monkeypatch.setattr(run_scores.time, "monotonic", lambda: ends_at + 1)
        raise ZeroDivisionError

    monkeypatch.setattr(run_scores, "store_comparison", broken_and_slow)
    (trouble,) = run_scores.compare_board(quality, Split.HIDDEN, ends_at)
    assert str(trouble) == "hidden split: comparing ended in ZeroDivisionError"
    assert run_scores.compare_board(quality, Split.HIDDEN, ends_at) is None


def test_an_unforeseen_error_of_one_board_is_put_off_and_touches_no_other(
    tasks, team, other_team, good_run, monkeypatch
):
    quality, responses = tasks["quality"], tasks["responses"]
    for one in (team, other_team):
        hand_in(quality, one, good_run)
        hand_in(responses, one, content_of("response-generation/run.jsonl"))
    compare = run_scores.compare_board

    def broken_for_quality(task, split, ends_at):
        if task.key == "quality":
            raise ZeroDivisionError
        return compare(task, split, ends_at)

    monkeypatch.setattr(run_scores, "compare_board", broken_for_quality)
    work()
    assert Comparison.objects.filter(one__run__task=responses).count() == 2
    quality.refresh_from_db()
    assert str(quality.board_findings[0]) == "development split: comparing ended in ZeroDivisionError"
    tries = quality.n_board_troubles
    # A slow machine may take as long as the first pause.
    AutomaticTask.objects.filter(pk=quality.pk).update(compare_again_at=timezone.now() + timedelta(hours=1))
    assert compare_boards()
    quality.refresh_from_db()
    assert quality.n_board_troubles == tries, "it was tried again before its pause was over"
    pauses = []
    for _ in range(3):
        AutomaticTask.objects.filter(pk=quality.pk).update(compare_again_at=timezone.now())
        compare_boards()
        quality.refresh_from_db()
        pauses.append(quality.compare_again_at - quality.board_trouble_at)
    assert pauses == [timedelta(seconds=2 ** (tries + n)) for n in range(3)]
    monkeypatch.undo()
    note_changed_board(task=quality)
    compare_boards()
    assert Comparison.objects.filter(one__run__task=quality).count() == 2


def test_a_run_that_is_scored_again_keeps_its_score_until_the_new_one_is_there(
    quality, team, other_team, good_run, weak_run, monkeypatch
):
    run = hand_in(quality, team, good_run)
    hand_in(quality, other_team, weak_run)
    work()
    before = set(Comparison.objects.values_list("pk", flat=True))
    score_again(run=run)
    assert {row.name for row in board(quality, Split.HIDDEN).rows} == {"Team Alpha-run1", "Team Beta-run1"}
    monkeypatch.setattr("automatic_tasks.runs.worker.scores_of", lambda *_: 1 / 0)
    work()
    run.refresh_from_db()
    assert (run.state, run.fault) == (RunState.SCORED, "platform")
    assert run.scores.count() == 2
    monkeypatch.undo()
    score_again(run=run)
    work()
    run.refresh_from_db()
    assert (run.state, run.fault, run.message) == (RunState.SCORED, "nobody", "")
    assert Comparison.objects.count() == 2
    assert not before & set(Comparison.objects.values_list("pk", flat=True))


def test_scoring_again_shows_a_team_neither_more_nor_less_than_before(quality, team, good_run, weak_run):
    AutomaticTask.objects.filter(pk=quality.pk).update(min_gain=0.01)
    runs = [hand_in(quality, team, content) for content in (weak_run, good_run, good_run)]
    work()
    assert score_all_again(runs=runs) == runs
    work()
    assert [Run.objects.get(pk=run.pk).is_revealed for run in runs] == [True, True, False]
