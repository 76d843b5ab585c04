"""The items behind a figure of a run: their sums make the figure, and only organizers read them."""

import re

import pytest
from django.utils import timezone

from automatic_tasks.actions import submit_file_run
from automatic_tasks.boards.task_boards import board
from automatic_tasks.models import Score, Split
from automatic_tasks.runs.gold_files import gold_of, split_of
from automatic_tasks.runs.scores import RunItems
from tests.automatic_tasks.test_pages import client_of, scored

pytestmark = [pytest.mark.django_db(transaction=True)]
NMD = "quality.A.nmd"


def test_the_mean_of_the_items_is_the_figure_of_the_run(quality, team, good_run):
    run = scored(quality, team, good_run)
    for split in quality.splits:
        score = run.scores.get(split=split)
        items = RunItems(run, score, NMD)
        listed = items[0 : len(items)]
        assert [one.name for one in listed] == list(split_of(quality, gold_of(quality), split).items)
        assert sum(one.alone for one in listed) / len(listed) == pytest.approx(score.figures[NMD])
        assert all(one.sums["n_dialogues"] == 1 for one in listed)


def test_each_figure_of_the_organizers_board_leads_to_its_items_and_no_teams_does(quality, team, organizer, good_run):
    run = scored(quality, team, good_run)
    page = client_of(organizer).get("/campaigns/small/tasks/quality/board/hidden/").content.decode()
    links = re.findall(r'<a href="(/campaigns/small/runs/[^"]+/items/hidden/\?figure=[^"]+)"[^>]*>([−\d.]+)</a>', page)
    assert len(links) == len(run.scores.get(split="hidden").figures)
    answer = client_of(organizer).get(links[0][0]).content.decode()
    values = [float(one) for one in re.findall(r"<b>([\d.]+)</b>", answer)]
    assert sum(values) / len(values) == pytest.approx(float(links[0][1]), abs=1e-4)
    (row,) = board(quality, Split.HIDDEN, for_teams=True).rows
    assert (row.page, row.links) == ("", {})


def test_the_items_are_for_organizers_alone(quality, team, participant, organizer, good_run):
    run = scored(quality, team, good_run)
    address = f"/campaigns/small/runs/{run.pk}/items/development/"
    assert client_of(organizer).get(address).status_code == 200
    assert client_of(participant).get(address).status_code == 404
    for wrong in (address.replace("development", "nowhere"), f"{address}?figure=luck"):
        assert client_of(organizer).get(wrong).status_code == 404


def test_a_run_without_a_score_or_with_other_sums_says_so(quality, team, organizer, good_run):
    run = submit_file_run(
        task=quality, team=team, person=None, content=good_run, file_name="run.json", at=timezone.now()
    )
    address = f"/campaigns/small/runs/{run.pk}/items/hidden/"
    assert "has no score on this split yet" in client_of(organizer).get(address).content.decode()
    done = scored(quality, team, good_run)
    donor = done.scores.get(split="development").sums
    Score.objects.filter(run=done, split="hidden").update(sums=donor)
    n = {split: len(split_of(quality, gold_of(quality), split).items) for split in quality.splits}
    if n["hidden"] != n["development"]:
        page = client_of(organizer).get(f"/campaigns/small/runs/{done.pk}/items/hidden/").content.decode()
        assert "Score the run again to see its items." in page
