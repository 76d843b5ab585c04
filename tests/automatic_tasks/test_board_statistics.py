"""Boards of runs have the same statistics as live boards, computed by the worker and stored beside them."""

import asyncio
import json
import runpy
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from automatic_tasks.actions import board_statistics as actions
from automatic_tasks.actions import (
    change_task,
    load_tasks,
    refresh_outdated_board_statistics,
    score_baselines,
    submit_file_run,
)
from automatic_tasks.actions.board_statistics import GIVEN_UP_AFTER, REST, refresh_board_statistics
from automatic_tasks.boards import statistics as board_statistics
from automatic_tasks.boards.statistics import (
    shown_statistics,
    statistics_of,
    stored_statistics,
    tau_with_development,
    tau_with_people,
)
from automatic_tasks.boards.task_boards import board
from automatic_tasks.models import BoardStatistics, Run, Score, Split
from automatic_tasks.runs.queue import note_changed_board
from automatic_tasks.runs.scores import packed
from automatic_tasks.runs.worker import WorkEnded, Worker
from automatic_tasks.task_file import read_task_file
from leaderboards.actions import refresh_leaderboard
from measures import tukey
from tests.automatic_tasks.conftest import TASKS
from tests.publication.conftest import add_records, record
from tests.scoring.conftest import content_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def scored(quality, team, good_run):
    """A team's run and the baselines, scored on both splits by the worker."""
    at = timezone.now()
    submit_file_run(task=quality, team=team, person=None, content=good_run, file_name="r.json", at=at)
    score_baselines(task=quality, person=None, at=at)
    asyncio.run(Worker().work(until_empty=True))
    quality.refresh_from_db()
    return quality


def test_the_worker_stores_statistics_of_every_split(scored):
    for split in scored.splits:
        made = stored_statistics(scored, split)
        assert (made["seed"], made["n_resamples"], made["n_permutations"]) == (1, 60, 40)
        names = {row.key for row in board(scored, split).rows}
        assert set(made["rows"]) == names
        assert len(made["pairs"]) == len(names) * (len(names) - 1) / 2
        assert BoardStatistics.objects.get(task=scored, split=split).board_version == scored.board_version
    assert json.loads(json.dumps(made)) == made


def test_the_board_says_that_its_first_statistics_are_being_computed_and_since_when(scored, organizer):
    client = Client(headers={"accept-language": "en"})
    client.force_login(organizer)
    path = reverse("task-board", args=[scored.campaign.slug, scored.key, "hidden"])

    def said():
        return " ".join(strip_tags(client.get(path).content.decode()).split())

    assert "are being computed" not in said()
    BoardStatistics.objects.all().delete()
    assert "are being computed. This page updates by itself. Recomputing since 20" in said()
    begun = datetime(2026, 5, 17, 4, 0, tzinfo=UTC)
    BoardStatistics.objects.create(task=scored, split="hidden", began_at=begun, share_done=0.375)
    assert "37% done. Started at 2026" in said()


def test_pairs_and_intervals_are_those_of_the_board(scored):
    made, shown = stored_statistics(scored, Split.HIDDEN), board(scored, Split.HIDDEN)
    ranks = {row.key: row.rank for row in shown.rows}
    for pair in made["pairs"]:
        assert ranks[pair["one"]] <= ranks[pair["other"]]
        rule = scored.ranking_rule[0].figure
        one, other = (
            next(row for row in shown.rows if row.key == pair[side]).figures[rule] for side in ("one", "other")
        )
        assert pair["tests"][rule]["difference"] == pytest.approx(one - other)
    for row in shown.rows:
        assert made["rows"][row.key]["intervals"] == {name: list(ends) for name, ends in row.intervals.items()}
        assert sum(made["rows"][row.key]["rank_probabilities"]) == pytest.approx(1)


def test_the_rankings_of_both_splits_are_compared_on_the_hidden_one_alone(scored):
    assert "development" not in stored_statistics(scored, Split.DEVELOPMENT)
    runs = list(Run.objects.filter(scores__split=Split.HIDDEN))
    hidden = {score.run_id: score for score in Score.objects.filter(split=Split.HIDDEN)}
    rule = scored.ranking_rule[0].figure
    for place, run in enumerate(runs):
        hidden[run.pk].figures = {rule: float(place)}
        Score.objects.filter(run=run, split=Split.DEVELOPMENT).update(figures={rule: float(-place)})
    found = tau_with_development(scored, runs, hidden)
    assert (found["tau"], found["n"]) == (-1.0, len(runs))


@pytest.fixture
def rated(scored, campaign, other_team, weak_run):
    """Alpha's run is better than Beta's, and people find Beta better than Alpha."""
    submit_file_run(task=scored, team=other_team, person=None, content=weak_run, file_name="w.json", at=timezone.now())
    asyncio.run(Worker().work(until_empty=True))
    refresh_outdated_board_statistics(at=timezone.now() + timedelta(minutes=30))
    done = {"Team Alpha": 1, "Team Beta": 3}
    add_records(campaign, *[record(name, n, n <= k, 2) for name, k in done.items() for n in range(1, 5)])
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    scored.refresh_from_db()
    return scored


def test_the_ranking_of_runs_is_compared_with_that_of_people_by_team(rated):
    found = tau_with_people(rated, Split.HIDDEN)
    assert (found["tau"], found["n"]) == (-1.0, 2)


def test_a_leaderboard_of_people_that_changes_is_compared_anew_and_nothing_else_is_computed(rated, monkeypatch):
    before, later = stored_statistics(rated, Split.HIDDEN), timezone.now() + timedelta(hours=1)
    assert before["people"] is None
    monkeypatch.setattr(actions, "statistics_of", None)
    assert refresh_outdated_board_statistics(at=later) == len(rated.splits)
    assert stored_statistics(rated, Split.HIDDEN) == before | {"people": tau_with_people(rated, Split.HIDDEN)}
    assert refresh_outdated_board_statistics(at=later + timedelta(hours=1)) == 0


def test_a_comparison_that_fails_is_tried_soon_and_never_puts_older_figures_back(rated, monkeypatch):
    later = timezone.now() + timedelta(hours=1)

    def fails(*_):
        raise InterruptedError

    def overtaken(task, split):
        """Another worker stores a whole computation while this one compares."""
        BoardStatistics.objects.filter(task=task, split=split).update(content={"newer": 1}, computed_at=later)
        return None

    with monkeypatch.context() as patched:
        patched.setattr(actions, "tau_with_people", fails)
        with pytest.raises(InterruptedError):
            refresh_outdated_board_statistics(at=later)
    assert BoardStatistics.objects.filter(next_at=later + REST).count() == 1
    monkeypatch.setattr(actions, "tau_with_people", overtaken)
    assert refresh_outdated_board_statistics(at=later + REST) == len(rated.splits)
    assert stored_statistics(rated, Split.HIDDEN) == {"newer": 1}


def test_how_a_board_agrees_with_people_is_for_organizers(rated):
    refresh_board_statistics(task=rated, split=Split.HIDDEN, at=timezone.now())
    assert shown_statistics(rated, Split.HIDDEN, for_teams=False)["people"]["tau"] == -1.0
    assert "people" not in shown_statistics(rated, Split.HIDDEN, for_teams=True)
    assert shown_statistics(rated, Split.HIDDEN, for_teams=True)["rows"]


def test_a_changed_board_is_computed_again_after_its_rest_by_one_worker(scored):
    now = timezone.now()
    assert refresh_outdated_board_statistics(at=now + timedelta(hours=1)) == 0
    note_changed_board(task=scored)
    assert refresh_outdated_board_statistics(at=now) == 0
    again = now + timedelta(minutes=5) + REST
    assert refresh_outdated_board_statistics(at=again) == len(scored.splits)
    assert refresh_outdated_board_statistics(at=again) == 0


def test_statistics_of_before_a_change_are_not_beside_the_runs_of_after_it(rated, organizer):
    """A run is scored again: until the statistics are drawn again, page and API say since when that is awaited."""
    client = Client(headers={"accept-language": "en"})
    client.force_login(organizer)
    path, page = (
        reverse("api-task-board", args=["small", rated.key, "hidden"]),
        reverse("task-board", args=["small", rated.key, "hidden"]),
    )
    assert "P(rank = k)" in client.get(page).content.decode()
    note_changed_board(task=rated)
    rated.refresh_from_db()
    told = client.get(path).json()
    assert (told["statistics"], told["board_version"]) == ({}, rated.board_version)
    assert told["recomputing_since"] == rated.board_changed_at.isoformat()
    assert [why["how_sure"] for why in told["why"]] == [[]] * len(told["why"])
    shown = client.get(page).content.decode()
    assert "P(rank = k)" not in shown
    assert "Recomputing since" in shown
    refresh_board_statistics(task=rated, split=Split.HIDDEN, at=timezone.now())
    assert client.get(path).json()["statistics"]["people"]["tau"] == -1.0
    # Compared with another leaderboard of people than there is by now.
    rated.campaign.stored_boards.filter(key="live").update(scores_version=7)
    assert "people" not in client.get(path).json()["statistics"]


def test_another_ranking_has_none_of_the_ranks_that_were_drawn_by_the_one_before(scored, organizer):
    version = scored.board_version
    ranking = TASKS.replace(
        'gold = "dialogue-quality/gold.json"', 'gold = "dialogue-quality/gold.json"\nranking = ["quality.S.nmd"]'
    )
    load_tasks(file=read_task_file("tasks.toml", ranking.encode()), content_of=content_of)
    scored.refresh_from_db()
    assert scored.board_version == version + 1
    assert shown_statistics(scored, Split.HIDDEN, for_teams=False) == {}


def test_who_was_interrupted_is_followed_soon_and_who_vanished_in_the_end(scored):
    note_changed_board(task=scored)
    BoardStatistics.objects.update(next_at=None)
    now = timezone.now()

    def stop(share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        refresh_outdated_board_statistics(at=now, report_progress=stop)
    assert refresh_outdated_board_statistics(at=now + REST) == len(scored.splits)
    note_changed_board(task=scored)
    BoardStatistics.objects.update(next_at=now + GIVEN_UP_AFTER)
    assert refresh_outdated_board_statistics(at=now + GIVEN_UP_AFTER) == len(scored.splits)


def test_an_older_computation_does_not_take_the_place_of_a_newer_one(scored, monkeypatch):
    BoardStatistics.objects.update(board_version=scored.board_version + 1, content={"newer": 1})
    monkeypatch.setattr(actions, "statistics_of", lambda *_: {"older": 1})
    refresh_board_statistics(task=scored, split=Split.HIDDEN, at=timezone.now())
    assert stored_statistics(scored, Split.HIDDEN) == {"newer": 1}


def test_a_run_whose_sums_are_of_another_measure_takes_no_part(scored):
    (first, *_) = Score.objects.filter(split=Split.HIDDEN).order_by("pk")
    Score.objects.filter(pk=first.pk).update(sums=packed(np.ones((2, 1)), ["another measure"]))
    made = statistics_of(scored, Split.HIDDEN)
    assert first.run.name not in made["rows"]
    assert len(made["rows"]) == len(board(scored, Split.HIDDEN).rows) - 1


def test_a_board_without_runs_has_nothing_to_say(quality):
    made = statistics_of(quality, Split.HIDDEN)
    assert (made["rows"], made["pairs"]) == ({}, [])


def test_the_worker_stops_computing_when_it_ends():
    worker = Worker()
    worker._stop_at_the_end(0.5)
    worker._has_ended.set()
    with pytest.raises(WorkEnded):
        worker._stop_at_the_end(0.5)


def test_programs_read_them_with_the_board_and_teams_only_where_they_see_unrounded_figures(
    scored, organizer, participant
):
    change_task(task=scored, changes={"board_is_open": True}, at=timezone.now())
    page = f"/api/v1/campaigns/small/tasks/{scored.key}/board/development/"
    seen = {}
    for person in (organizer, participant):
        client = Client()
        client.force_login(person)
        answer = client.get(page).json()
        seen[person] = answer["statistics"]
        assert len(answer["why"]) == len(answer["rows"]) - 1
        assert all(bool(why["how_sure"]) == (person is organizer) for why in answer["why"])
    assert seen == {organizer: stored_statistics(scored, Split.DEVELOPMENT), participant: {}}
    assert seen[organizer]["pairs"]


def test_boards_of_runs_are_tested_with_as_many_shuffles_as_the_papers():
    """NTCIR-14 has randomised Tukey HSD with B = 5,000; boards of people had so many before."""
    fresh = runpy.run_path(board_statistics.__file__)
    assert fresh["N_PERMUTATIONS"] == tukey.N_PERMUTATIONS == 5000
