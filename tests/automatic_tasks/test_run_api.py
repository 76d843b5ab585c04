"""A program reads what a run is made of: its file, its calls, the items behind a figure, and an example of the format."""

import pytest
from django.utils import timezone

from automatic_tasks.actions import keep_file, submit_file_run
from automatic_tasks.models import AutomaticTask, ServicePlan
from automatic_tasks.runs.files import example_file
from automatic_tasks.runs.gold_files import gold_of, split_of
from tests.automatic_tasks.test_pages import client_of, scored
from tests.automatic_tasks.test_services import LABELS, own_machine, started, template_service, work

__all__ = ["own_machine"]
pytestmark = [pytest.mark.django_db(transaction=True)]
API = "/api/v1/campaigns/small/"
NMD = "quality.A.nmd"


def test_the_items_of_a_figure_have_it_for_their_mean(quality, team, organizer, good_run):
    run, client = scored(quality, team, good_run), client_of(organizer)
    for split in quality.splits:
        items = client.get(f"{API}runs/{run.pk}/items/{split}/", {"figure": NMD}).json()
        assert [one["item"] for one in items] == list(split_of(quality, gold_of(quality), split).items)
        assert sum(one["figure"] for one in items) / len(items) == pytest.approx(
            run.scores.get(split=split).figures[NMD]
        )
        assert all(one["sums"]["n_dialogues"] == 1 for one in items)


def test_items_are_for_organizers_and_of_figures_that_there_are(quality, team, organizer, participant, good_run):
    run = submit_file_run(
        task=quality, team=team, person=None, content=good_run, file_name="run.json", at=timezone.now()
    )
    address = f"{API}runs/{run.pk}/items/hidden/"
    assert client_of(organizer).get(address).json() == []
    assert client_of(participant).get(address).status_code == 404
    for wrong in (address.replace("hidden", "nowhere"), f"{address}?figure=luck"):
        assert client_of(organizer).get(wrong).status_code == 404


def test_the_file_of_a_run_comes_byte_for_byte_whatever_is_accepted(quality, team, participant, good_run):
    run = submit_file_run(
        task=quality, team=team, person=None, content=good_run, file_name="run.json", at=timezone.now()
    )
    answer = client_of(participant).get(f"{API}runs/{run.pk}/file/", headers={"accept": "application/octet-stream"})
    assert (answer.status_code, answer.getvalue()) == (200, good_run)
    example = client_of(participant).get(f"{API}tasks/quality/example/", headers={"accept": "image/png"})
    assert example.getvalue() == example_file("dialogue-quality").content
    assert client_of(participant).get(f"{API}tasks/nothing/example/").status_code == 404


def test_the_calls_to_a_service_and_its_answers_as_a_file(tasks, team, settings, organizer, participant):
    with template_service(LABELS) as service:
        run = started(tasks["intents"], team, service)
        work(settings, service)
    batches = client_of(participant).get(f"{API}runs/{run.pk}/batches/").json()
    assert [one["number"] for one in batches] == [1, 2, 3, 4, 5, 6]
    assert [one["n_labels"] for one in batches] == [7, 7, 7, 7, 7, 1]
    assert {(one["failure"], one["n_calls"], len(one["problems"])) for one in batches} == {("", 1, 0)}
    assert client_of(participant).get(f"{API}runs/{run.pk}/file/").status_code == 404
    assert b"resultsList" in client_of(organizer).get(f"{API}runs/{run.pk}/file/").getvalue()


def test_answers_that_cannot_be_told_apart_any_more_are_refused_with_the_reason(tasks, team, settings, organizer):
    with template_service(LABELS) as service:
        run = started(tasks["intents"], team, service)
        work(settings, service)
    bad = keep_file(b'{"text": "a"}')
    AutomaticTask.objects.filter(pk=run.task_id).update(noise=bad)
    ServicePlan.objects.filter(run=run).update(noise=bad)
    answer = client_of(organizer).get(f"{API}runs/{run.pk}/file/")
    assert (answer.status_code, answer.json()["code"]) == (409, "gold_changed")
    assert answer.json()["detail"].startswith("The noise of the task cannot be read.")
