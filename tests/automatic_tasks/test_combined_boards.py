"""Combined boards as they are loaded, shown and kept from those who do not see all of their parts."""

import asyncio
import csv
import io
import re
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.utils import timezone

from automatic_tasks.actions import change_task, load_tasks, submit_file_run
from automatic_tasks.models import CombinedBoard, Run, Score
from automatic_tasks.runs.worker import Worker
from automatic_tasks.task_file import read_task_file
from leaderboards.actions import refresh_leaderboard
from participants.models import Team
from publication.actions.freezing import freeze
from publication.actions.publishing import publish
from reading.checking import BadFile
from tests.automatic_tasks.conftest import TASKS, content_of
from tests.publication.conftest import add_records, bundles, record

__all__ = ["bundles"]
pytestmark = [pytest.mark.django_db(transaction=True)]
PAGE, API = "/campaigns/small/boards/main/", "/api/v1/campaigns/small/boards/main/"
NMD = '{figure = "quality.A.nmd", task = "quality", split = "hidden", key = "nmd"}'
MAIN = f"""
[[boards]]
key = "main"
name = {{zh = "总排名", en = "Main ranking"}}
ranking = ["completion", "nmd"]
columns = [{{figure = "completion"}}, {{figure = "fluency"}}, {NMD}]
"""


def load(text, **asked):
    return load_all(text, **asked).changes


def load_all(text, **asked):
    return load_tasks(file=read_task_file("tasks.toml", text.encode()), content_of=content_of, **asked)


def problems_of(text):
    with pytest.raises(BadFile) as bad:
        load(text)
    return [str(problem) for problem in bad.value.problems]


@pytest.fixture
def played(campaign, quality, team, other_team, good_run, weak_run, bundles):
    """Alpha and Beta have runs and complete 3 of 4 dialogues, Gamma completes 1 and has no run."""
    for of, content in ((team, good_run), (other_team, weak_run)):
        submit_file_run(task=quality, team=of, person=None, content=content, file_name="r.json", at=timezone.now())
    asyncio.run(Worker().work(until_empty=True))
    teams = {"Team Alpha": 3, "Team Beta": 3, "Team Gamma": 1}
    add_records(campaign, *[record(name, n, n <= done, 2) for name, done in teams.items() for n in range(1, 5)])
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    load(TASKS + MAIN)
    return campaign


def test_the_agreement_of_the_panel_stands_beside_the_columns_of_people(played, organizer):
    rows = {"criteria": {"fluency": {"alpha": 0.37}}}
    version = played.stored_boards.get(key="live").scores_version
    played.stored_boards.create(key="agreement", rows=rows, scores_version=version)
    client = Client()
    client.force_login(organizer)
    assert client.get(PAGE).content.decode().count("α 0.37") == 1
    told = {column["key"]: column.get("agreement") for column in client.get(API).json()["columns"]}
    assert told == {"completion": None, "fluency": 0.37, "nmd": None}


def test_boards_of_teams_and_runs_call_a_team_by_its_english_name(played, quality, team, organizer):
    Team.objects.filter(pk=team.pk).update(name_en="Alpha Labs")
    run, client = Run.objects.get(team=team), client_of(organizer)
    task = f"/campaigns/small/tasks/{quality.key}/"
    for address in (PAGE, f"{task}board/hidden/", f"/campaigns/small/runs/{run.pk}/", f"{task}organize/"):
        for language, is_english in (("en", True), ("zh-hans", False)):
            # Addresses and forms know teams and runs by their own names.
            page = re.sub(r'(href|value)="[^"]*"', "", client_of(organizer, language).get(address).content.decode())
            assert ("Alpha Labs" in page, "Team Alpha" in page) == (is_english, not is_english), address
    # A run goes by its team's English name, too, on pages alone.
    assert "Alpha Labs-run1" in client.get(f"{task}board/hidden/").content.decode()
    for address in (API, f"/api/v1{task}board/hidden/"):
        rows = client.get(address).json()["rows"]
        assert ("Team Alpha", "Alpha Labs") in {(row["team"], row["team_en"]) for row in rows}
    for address in (f"{PAGE}?format=csv", f"{task}board/hidden/?format=csv"):
        table = list(csv.DictReader(io.StringIO(client.get(address).content.decode("utf-8-sig"))))
        assert list(table[0])[-1] == "team_en"
        assert {row["team_en"] for row in table if row["team"] == "Team Alpha"} == {"Alpha Labs"}


def figures_of_runs():
    return {score.run.team.name: score.figures["quality.A.nmd"] for score in Score.objects.filter(split="hidden")}


def client_of(person=None, language="en"):
    client = Client(headers={"accept-language": language})
    if person is not None:
        client.force_login(person)
        client.cookies["django_language"] = language
    return client


def seen_by(person=None):
    return client_of(person).get(API).status_code == 200


def release(quality):
    change_task(task=quality, changes={"released": True}, at=timezone.now())


def publish_people(campaign, organizer, *, hides_teams=False):
    snapshot = freeze(campaign=campaign, hides_teams=hides_teams, by=organizer, at=timezone.now())
    return publish(snapshot=snapshot, public_from=timezone.now(), by=organizer, at=timezone.now())


def test_a_board_is_loaded_once_changed_and_removed(tasks):
    assert load(TASKS + MAIN) == ["board main: added"]
    assert load(TASKS + MAIN) == []
    assert load(TASKS + MAIN.replace('["completion", "nmd"]', '["nmd"]')) == ["board main: ranking changed"]
    left = ["left alone: board main, no longer in the file"]
    for silent in (TASKS, "boards = []" + TASKS):
        loaded = load_all(silent)
        assert (loaded.changes, loaded.left_alone) == ([], left), "no board vanishes by silence"
    assert load(TASKS, prunes=True) == [], "a file that says nothing of boards leaves them"
    assert load("boards = []" + TASKS, prunes=True) == ["board main removed"]
    assert not CombinedBoard.objects.exists()


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"completion"', '"luck"', "[[boards]] 1 columns[1] figure: “luck” is not a figure; there are completion, mean_turns"),
        ('"quality.A.nmd"', '"bleu"', "[[boards]] 1 columns[3] figure: “bleu” is not a figure"),
        ('task = "quality"', 'task = "no"', "[[boards]] 1 columns[3] task: the campaign has no task “no”; there are intents"),
        ('task = "quality"', 'task = "intents"', "[[boards]] 1 columns[3] figure: “quality.A.nmd” is not a figure"),
        ('ranking = ["completion", "nmd"]', 'ranking = ["total"]\ntotal = {by = "sum"}', "[[boards]] 1 total: adds up figures of"),
    ],
)  # fmt: skip
def test_a_figure_that_there_is_not_is_named_with_its_place(tasks, old, new, problem):
    assert old in MAIN
    text = (
        MAIN.replace(f"{{figure = {old}}}", f"{{figure = {new}, key = {old}}}")
        if "luck" in new
        else MAIN.replace(old, new)
    )
    (found,) = problems_of(TASKS + text)
    assert found.startswith(problem)
    assert not CombinedBoard.objects.exists()


def test_a_split_that_the_task_has_not_is_named(tasks):
    intents = '{figure = "f1", task = "intents", split = "development", key = "nmd"}'
    (found,) = problems_of(TASKS + MAIN.replace(NMD, intents))
    assert found == "[[boards]] 1 columns[3] split: the task has no such split"


def test_the_page_joins_people_and_tasks_by_team(played, organizer):
    nmd = figures_of_runs()
    assert nmd["Team Alpha"] < nmd["Team Beta"], "lower is better"
    answer = client_of(organizer).get(API).json()
    assert [(row["rank"], row["team"]) for row in answer["rows"]] == [(1, "Team Alpha"), (2, "Team Beta")]
    assert answer["rows"][0]["figures"] == {"completion": 0.75, "fluency": 1.0, "nmd": nmd["Team Alpha"]}
    (gamma,) = answer["unranked"]
    assert (gamma["team"], gamma["reason"]) == ("Team Gamma", "Quality: absent")
    assert answer["columns"][2] == {
        "key": "nmd", "better": "lower", "task": "quality", "split": "hidden", "figure": "quality.A.nmd", "weight": 1.0,
    }  # fmt: skip
    page = client_of(organizer).get(PAGE).content.decode()
    for said in ("Main ranking", "Team Alpha", "0.750", "Quality: does not take part", "Compared in the order"):
        assert said in page
    assert (
        'href="/campaigns/small/boards/main/"' in client_of(organizer).get("/campaigns/small/tasks/").content.decode()
    )
    assert (
        'href="/campaigns/small/boards/main/"'
        in client_of(organizer).get("/campaigns/small/leaderboard/").content.decode()
    )


def test_the_table_for_spreadsheets_has_every_team(played, organizer):
    answer = client_of(organizer).get(f"{PAGE}?format=csv")
    assert "small-main.csv" in answer.headers["Content-Disposition"]
    head, *rows = csv.reader(io.StringIO(answer.content.decode().removeprefix("\ufeff")))
    assert head[:5] == ["rank", "team", "completion", "fluency", "nmd"]
    assert head[5:11] == [f"{name}_{end}" for name in head[2:5] for end in ("low", "high")]
    assert head[11:] == ["rank_low", "rank_high", "n_records", "n_failed", "n_turns", "reason", "team_en"]
    assert [row[:2] for row in rows] == [["1", "Team Alpha"], ["2", "Team Beta"], ["", "Team Gamma"]]
    assert (rows[0][11:], rows[2][13]) == (["", "", "4", "", "", "", ""], "4"), (
        "nothing is drawn yet, and nobody failed a turn"
    )
    assert rows[2][-2] == "Quality: absent"


def test_a_total_is_shown_with_its_formula(played, organizer):
    rule = 'ranking = ["total"]\ntotal = {by = "mean", of = ["completion", "fluency"], name = {zh = "均分", en = "Average"}}'
    load(TASKS + MAIN.replace('ranking = ["completion", "nmd"]', rule).replace('"fluency"}', '"fluency", weight = 3}'))
    answer = client_of(organizer).get(API).json()
    # (0.75 + 3 · 1) / 4, (0.75 + 3 · 1) / 4, (0.25 + 3 · 1) / 4
    assert [(row["rank"], row["figures"]["total"]) for row in answer["rows"]] == [(1, 0.9375), (1, 0.9375), (3, 0.8125)]
    assert answer["columns"][-1] == {"key": "total", "better": "higher", "by": "mean", "of": ["completion", "fluency"]}
    assert "Average = (C + 3 × F) / 4" in client_of(organizer).get(PAGE).content.decode()


def test_only_organizers_see_it_before_all_of_its_parts_are_out(played, quality, organizer, participant, outsider):
    everybody = (organizer, participant, outsider, None)
    assert [seen_by(person) for person in everybody] == [True, False, False, False]
    release(quality)
    assert [seen_by(person) for person in everybody] == [True, False, False, False]
    publish_people(played, organizer)
    assert [seen_by(person) for person in everybody] == [True, True, True, True]
    assert client_of().get(PAGE).status_code == 200


def test_published_people_alone_do_not_open_it(played, organizer, participant):
    publish_people(played, organizer)
    assert [seen_by(person) for person in (organizer, participant, None)] == [True, False, False]
    assert client_of().get(PAGE).headers["Location"].startswith("/login/")
    assert "boards/main" not in client_of().get("/campaigns/small/leaderboard/").content.decode()


def test_everybody_reads_figures_of_people_as_they_were_published(played, quality, organizer):
    release(quality)
    publish_people(played, organizer)
    add_records(played, *[record("Team Alpha", n, False, 2) for n in range(5, 9)])
    refresh_leaderboard(campaign=played, at=timezone.now())
    figures = [client_of(person).get(API).json()["rows"] for person in (organizer, None)]
    assert [[row["team"] for row in rows] for rows in figures] == [
        ["Team Beta", "Team Alpha"],
        ["Team Alpha", "Team Beta"],
    ]
    assert figures[1][0]["figures"]["completion"] == 0.75


def test_where_aliases_are_published_nobody_reads_teams_here(played, quality, organizer, participant):
    release(quality)
    publish_people(played, organizer, hides_teams=True)
    assert [seen_by(person) for person in (organizer, participant, None)] == [True, False, False]


def test_a_board_of_tasks_alone_is_open_to_teams_as_its_tasks_are(played, quality, participant):
    load(
        TASKS
        + MAIN.replace('["completion", "nmd"]', '["nmd"]').replace(
            '{figure = "completion"}, {figure = "fluency"}, ', ""
        )
    )
    assert not seen_by(participant)
    release(quality)
    assert seen_by(participant)
    assert "boards/main" in client_of(participant).get("/campaigns/small/tasks/").content.decode()


def test_a_column_whose_figure_is_gone_leaves_nobody_ranked(played, organizer):
    board = CombinedBoard.objects.get()
    board.columns[0]["figure"] = "gone"
    board.save()
    answer = client_of(organizer).get(API).json()
    assert answer["rows"] == []
    assert answer["unranked"][0]["reason"] == "Leaderboard: no figure"


def test_each_figure_leads_to_what_it_is_made_of_as_far_as_the_reader_may_see_it(played, quality, organizer):
    release(quality)
    entry, run = played.entries.get(bot__name="Team Alpha's bot"), quality.runs.get(team__name="Team Alpha")
    page = client_of(organizer).get(PAGE).content.decode()
    assert f'"/campaigns/small/leaderboard/records/{entry.pk}/fluency/"' in page
    items = f"/campaigns/small/runs/{run.pk}/items/hidden/?figure=quality.A.nmd"
    assert f'"{items}"' in page
    assert client_of(organizer).get(items).status_code == 200
    publish_people(played, organizer)
    page = client_of().get(PAGE).content.decode()
    records = f"/campaigns/small/leaderboard/1/records/fluency/?{urlencode({'bot': entry.key})}"
    assert f'"{records}"' in page
    assert client_of().get(records).status_code == 200
    assert "/items/" not in page
    assert "/leaderboard/records/" not in page
