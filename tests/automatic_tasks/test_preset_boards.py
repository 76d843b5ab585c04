"""A preset's combined board is there with the task that it joins, and says by what it ranks until both scores are there."""

import asyncio
import json

import pytest
from django.utils import timezone

from automatic_tasks.actions import load_tasks, remove_task, submit_file_run
from automatic_tasks.actions.storing import what_needs
from automatic_tasks.combined.preflight import combined_findings
from automatic_tasks.dumping import file_of
from automatic_tasks.models import CombinedBoard, Run, Score
from automatic_tasks.preset_boards import preset_boards
from automatic_tasks.runs.worker import Worker
from automatic_tasks.task_file import read_task_file
from campaigns.actions import load_campaign
from campaigns.presets import PRESETS
from leaderboards.actions import import_records, refresh_leaderboard
from leaderboards.record_files import read_record_lines
from tests.automatic_tasks.conftest import content_of
from tests.automatic_tasks.test_combined_boards import client_of
from tests.conftest import spec_of

pytestmark = [pytest.mark.django_db(transaction=True)]
CAMPAIGN = """
[campaign]
slug = "service"
name = {{zh = "客服", en = "Service"}}
preset = "{preset}"
[[people]]
username = "organizer"
roles = ["organizer"]
"""
TASK = """
campaign = "service"
[[tasks]]
key = "talks"
type = "task-oriented-dialogue"
name = {zh = "客服对话", en = "Service dialogue"}
gold = "task-oriented-dialogue/gold.json"
development_share = 0.0
"""
PAGE, API = "/campaigns/service/boards/final/", "/api/v1/campaigns/service/boards/final/"
LEADERBOARD = "/campaigns/service/leaderboard/"


def loaded(preset="seretod2022"):
    campaign, _changes = load_campaign(spec=spec_of(CAMPAIGN.format(preset=preset)))
    return campaign


@pytest.fixture
def served(db):
    return loaded()


def load(text=TASK, **asked):
    return load_tasks(file=read_task_file("tasks.toml", text.encode()), content_of=content_of, **asked)


def scored_by_people(campaign, **teams):
    """Each team's success, coherence and fluency, once."""
    criteria = ("success", "coherence", "fluency")
    rows = [
        {"team": team, "scenario": "s", "reviewer": "r", "ratings": dict(zip(criteria, scores, strict=True)),
         "subtasks": [{"completed": True, "turns": 2, "cap": 20}]}
        for team, scores in teams.items()
    ]  # fmt: skip
    import_records(campaign=campaign, lines=read_record_lines([json.dumps(row).encode() for row in rows], {}))
    refresh_leaderboard(campaign=campaign, at=timezone.now())


def scored_by_the_task(campaign, team, combined):
    """A run of the team whose combined figure is that one."""
    task = campaign.automatic_tasks.get()
    run = content_of("task-oriented-dialogue/run.json")
    known = campaign.known_teams.get(name=team).team
    submit_file_run(task=task, team=known, person=None, content=run, file_name="r.json", at=timezone.now())
    asyncio.run(Worker().work(until_empty=True))
    score = Score.objects.get(run=Run.objects.get(team=known), split="hidden")
    Score.objects.filter(pk=score.pk).update(figures=score.figures | {"combined": combined})


def seen(organizer):
    """The board's answer, and its page in English."""
    client = client_of(organizer)
    return client.get(API).json(), " ".join(client.get(PAGE).content.decode().split())


def places(answer):
    return [(row["rank"], row["team"]) for row in answer["rows"]]


@pytest.fixture
def organizer(served):
    return served.roles.get(role="organizer").person


def test_the_final_ranking_is_the_average_of_both_scores_as_soon_as_both_are_there(served, organizer):
    """By hand: B has (4 + 4 + 4)/3 = 4 and 1, on average 2.5; A has (5 + 3 + 1)/3 = 3 and 2.5, on average 2.75."""
    assert load().changes == ["task talks: added with 4 items", "board final: added"]
    answer, page = seen(organizer)
    assert answer["rows"] == []
    assert "No team has a figure yet." in page

    scored_by_people(served, A=(5, 3, 1), B=(4, 4, 4))
    answer, page = seen(organizer)
    # By people's scores: success first, as the leaderboard of the preset has it.
    assert (answer["is_interim"], [key["key"] for key in answer["rule"]]) == (
        True, ["success", "coherence", "fluency"],
    )  # fmt: skip
    assert places(answer) == [(1, "A"), (2, "B")]
    assert (
        "This is not the final ranking yet: no team has all figures of Average score. For now the board ranks by Suc › Coh › Flu."
        in page
    )
    assert "Nothing yet from: Service dialogue." in page
    (finding,) = [one for one in combined_findings(CombinedBoard.objects.get()) if one.key == "interim"]
    assert not finding.blocks

    scored_by_the_task(served, "B", 1.0)
    answer, page = seen(organizer)
    assert (answer["is_interim"], places(answer)) == (False, [(1, "B")])
    assert answer["rows"][0]["figures"]["total"] == pytest.approx(2.5)
    assert [row["team"] for row in answer["unranked"]] == ["A"], "a missing score is no zero"

    scored_by_the_task(served, "A", 2.5)
    answer, page = seen(organizer)
    assert places(answer) == [(1, "A"), (2, "B")]
    assert [row["figures"]["total"] for row in answer["rows"]] == [pytest.approx(2.75), pytest.approx(2.5)]
    assert [key["key"] for key in answer["rule"]] == ["total"]
    assert "not the final ranking" not in page
    assert "interim" not in {one.key for one in combined_findings(CombinedBoard.objects.get())}


def test_automatic_scores_alone_rank_until_people_have_scored(served, organizer):
    load()
    scored_by_people(served, A=(5, 3, 1), B=(4, 4, 4))
    for team, combined in (("A", 1.0), ("B", 2.0)):
        scored_by_the_task(served, team, combined)
    served.imported_records.all().delete()
    refresh_leaderboard(campaign=served, at=timezone.now())
    answer, page = seen(organizer)
    assert (answer["is_interim"], places(answer)) == (True, [(1, "B"), (2, "A")])
    assert "For now the board ranks by Auto." in page
    assert "Nothing yet from: Leaderboard." in page


@pytest.mark.parametrize("preset", ["seretod2022", "seretod2022-0-2"])
def test_both_presets_of_the_track_average_human_and_automatic_scores_alike(db, preset):
    campaign = loaded(preset)
    load()
    (spec,) = preset_boards(campaign)
    weights = {column.figure: column.weight for column in spec.columns}
    assert weights == {"success": 1, "coherence": 1, "fluency": 1, "combined": 3}
    assert (spec.total.by, spec.ranking, spec.parts_of_total) == (
        "mean", ("total",), ("success", "coherence", "fluency", "automatic"),
    )  # fmt: skip
    assert {preset for preset, one in PRESETS.items() if one.boards} == {"seretod2022", "seretod2022-0-2"}


def test_the_leaderboard_says_that_the_final_ranking_is_another_board(served, organizer):
    assert "This board ranks people" in client_of(organizer).get(LEADERBOARD).content.decode()
    assert (
        "Final ranking (average of automatic and human scores)"
        in client_of(organizer).get(LEADERBOARD).content.decode()
    )
    other = loaded("seretod2022-0-2")
    type(other).objects.filter(pk=other.pk).update(preset="smp2018")
    assert "This board ranks people" not in client_of(organizer).get(LEADERBOARD).content.decode()


def test_a_board_of_the_preset_comes_and_goes_with_its_task_and_is_in_no_file(served):
    load()
    task = served.automatic_tasks.get()
    assert "boards" not in file_of(served)
    assert what_needs(task) == ()
    assert load(prunes=True).changes == []
    assert load("boards = []" + TASK, prunes=True).changes == [], "nor is it a file's to prune"
    remove_task(task=task, by=None, at=timezone.now())
    assert not CombinedBoard.objects.exists()


def test_a_file_that_declares_a_board_of_that_key_has_its_own(served):
    load()
    own = '[[boards]]\nkey = "final"\nname = "自定"\ncolumns = [{figure = "success"}]\nranking = ["success"]\n'
    load(TASK + own)
    board = CombinedBoard.objects.get()
    assert (board.is_of_preset, board.ranking, board.name_zh) == (False, ["success"], "自定")
    load()
    assert CombinedBoard.objects.get().ranking == ["success"], "a file that says nothing of boards leaves it"
    assert 'key = "final"' in file_of(served)


def test_a_task_file_may_have_an_interim_ranking_of_its_own(served, organizer):
    own = (
        '[[boards]]\nkey = "final"\nname = "自定"\nranking = ["auto"]\ninterim = [["success"]]\n'
        'columns = [{figure = "success"}, {figure = "combined", task = "talks", split = "hidden", key = "auto"}]\n'
    )
    load(TASK + own)
    assert 'interim = [["success"]]' in file_of(served)
    assert load(file_of(served).replace("talks-gold.json", "task-oriented-dialogue/gold.json")).changes == []
    scored_by_people(served, A=(5, 3, 1))
    assert places(seen(organizer)[0]) == [(1, "A")]
