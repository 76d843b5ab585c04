"""What is done with automatic tasks and runs leaves one line of the trail each, however many runs an act concerns."""

import pytest
from django.test import Client
from django.utils import timezone

from automatic_tasks.actions import (
    NotAccepted,
    change_task,
    choose_run,
    load_tasks,
    publish_figures,
    register_service,
    score_again,
    score_all_again,
    score_baselines,
    start_all_service_runs,
    start_service_run,
    submit_file_run,
)
from automatic_tasks.models import Run, RunState, Split
from automatic_tasks.task_file import read_task_file
from scoring.published_tables import PublishedRow
from tests.automatic_tasks.conftest import TASKS
from tests.scoring.conftest import content_of
from tests.trail import lines_of

pytestmark = pytest.mark.django_db
NOW = timezone.now()
URL = "http://service.example.com:21628/smp2018_ecdt"


def said(lines):
    return [(line.act, line.person, line.about) for line in lines]


def hand_in(task, team, person, content):
    return submit_file_run(task=task, team=team, person=person, content=content, file_name="run.json", at=NOW)


def test_a_file_of_tasks_is_one_line_and_none_where_it_says_nothing_new(campaign, organizer):
    file = read_task_file("tasks.toml", TASKS.encode())
    with lines_of() as lines:
        load_tasks(file=file, content_of=content_of, by=organizer)
        load_tasks(file=file, content_of=content_of, by=organizer)
    assert said(lines) == [("tasks.loaded", "organizer", "")]
    assert len(lines[0].details["changes"]) == 3


@pytest.mark.parametrize(
    ("changes", "act"),
    [
        ({"is_open": False}, "task.closed"), ({"board_is_open": True}, "task.board_shown"),
        ({"released": True}, "task.released"), ({"is_open": False, "released": True}, "task.changed"),
    ],
)  # fmt: skip
def test_each_change_of_a_task_has_its_name_and_a_second_click_none(quality, organizer, changes, act):
    with lines_of() as lines:
        change_task(task=quality, changes=changes, at=NOW, by=organizer)
        change_task(task=quality, changes=changes, at=NOW, by=organizer)
    assert said(lines) == [(act, "organizer", "quality")]
    assert lines[0].details == changes


def test_a_run_that_is_handed_in_chosen_and_scored_again(quality, team, participant, organizer, good_run):
    with lines_of() as lines:
        run = hand_in(quality, team, participant, good_run)
        choose_run(run=run, by=participant)
        Run.objects.update(state=RunState.SCORED)
        score_again(run=run, by=organizer)
    assert said(lines) == [
        ("run.handed_in", "participant", "Team Alpha-run1"),
        ("run.chosen", "participant", "Team Alpha-run1"),
        ("run.scored_again", "organizer", "Team Alpha-run1"),
    ]
    assert lines[0].details == {"task": "quality", "run": str(run.pk), "file": "run.json"}


def test_a_refused_run_leaves_no_line(quality, team, participant, good_run):
    change_task(task=quality, changes={"is_open": False}, at=NOW)
    quality.refresh_from_db()
    with lines_of() as lines, pytest.raises(NotAccepted):
        hand_in(quality, team, participant, good_run)
    assert lines == []


def test_all_services_are_called_by_one_act(tasks, team, other_team, organizer):
    for one in (team, other_team):
        register_service(task=tasks["intents"], team=one, url=URL)
    with lines_of() as lines:
        started, _ = start_all_service_runs(task=tasks["intents"], person=organizer, at=NOW)
        again, left_out = start_all_service_runs(task=tasks["intents"], person=organizer, at=NOW)
    assert (len(started), again, len(left_out)) == (2, [], 2)
    assert said(lines) == [("services.called", "organizer", "intents")]
    assert lines[0].details == {"teams": ["Team Alpha", "Team Beta"]}


def test_one_service_is_registered_and_called_by_its_team(tasks, team, participant):
    with lines_of() as lines:
        service = register_service(task=tasks["intents"], team=team, url=URL, by=participant)
        register_service(task=tasks["intents"], team=team, url=URL, by=participant)
        start_service_run(service=service, person=participant, at=NOW)
    assert said(lines) == [
        ("service.registered", "participant", "intents"), ("run.handed_in", "participant", "Team Alpha-run1"),
    ]  # fmt: skip


def test_baselines_and_runs_that_are_scored_again_are_one_line(quality, organizer):
    with lines_of() as lines:
        n = len(score_baselines(task=quality, person=organizer, at=NOW))
        score_baselines(task=quality, person=organizer, at=NOW)
        Run.objects.update(state=RunState.SCORED)
        score_all_again(runs=Run.objects.all(), by=organizer)
        score_all_again(runs=Run.objects.all(), by=organizer)
    assert said(lines) == [
        ("baselines.started", "organizer", "quality"), ("runs.scored_again", "organizer", "quality"),
    ]  # fmt: skip
    assert n > 1
    assert len(lines[0].details["baselines"]) == lines[1].details["n"] == n


def test_printed_figures_are_one_line(quality):
    rows = [PublishedRow("System A", {"quality.A.nmd": 0.1}), PublishedRow("System B", {"quality.A.nmd": 0.2})]
    with lines_of() as lines:
        publish_figures(task=quality, split=Split.HIDDEN, rows=rows, source="Table 5")
    assert said(lines) == [("figures.imported", "", "quality")]
    assert lines[0].details == {"split": "hidden", "systems": 2, "source": "Table 5"}


def test_a_download_of_a_run_is_a_line_unless_it_is_ones_own_teams(quality, team, participant, organizer, good_run):
    run = hand_in(quality, team, participant, good_run)
    clients = [Client(), Client()]
    for client, person in zip(clients, (participant, organizer), strict=True):
        client.force_login(person)
    with lines_of() as lines:
        for client in clients:
            assert client.get(f"/campaigns/small/runs/{run.pk}/file/").status_code == 200
    assert said(lines) == [("run.downloaded", "organizer", "Team Alpha-run1")]
