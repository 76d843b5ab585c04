"""Two rankings of one's choice: on the page, over the API and by command."""

import asyncio
import io
import json
from datetime import UTC, datetime

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from api.answers import encoded
from automatic_tasks.actions import submit_file_run
from automatic_tasks.runs.worker import Worker
from campaigns.models import Campaign
from leaderboards.actions import refresh_leaderboard
from organizing.rankings import Choice, ComparedAnswer, Name, Place, chosen, compare
from publication.models import Snapshot
from tests.automatic_tasks.conftest import few_draws, good_run, other_team, quality, tasks, team, weak_run
from tests.automatic_tasks.test_combined_boards import MAIN, TASKS, load
from tests.publication.conftest import add_records, record

__all__ = ["few_draws", "good_run", "other_team", "quality", "tasks", "team", "weak_run"]
PAGE, API = "/campaigns/small/rankings/", "/api/v1/campaigns/small/rankings/"


def choice(key, places, *, ranks_systems=False):
    return Choice(key, key, lambda: [Place(*place) for place in places], ranks_systems)


def test_boards_of_teams_are_compared_by_the_best_rank_of_each_team():
    people = choice("people", [("A", 1, "7"), ("B", 2, "8"), ("A", 3, "9"), ("C", 4, "10")], ranks_systems=True)
    runs = choice("runs", [("B", 1), ("A", 2), ("D", 3)])
    made = compare(Campaign(), people, runs)
    assert [(str(pair.name), pair.one, pair.other) for pair in made.pairs] == [("A", 1, 2), ("B", 2, 1)]
    assert (made.only_one, made.only_other) == ((Name("C"),), (Name("D"),))
    assert (made.tau["tau"], made.tau["n"]) == (-1.0, 2)
    told = encoded(ComparedAnswer, compare(Campaign(), runs, choice("none", [("B", 1)])))
    assert (told["n"], told["tau"], told["interval"]) == (1, None, None)


def test_the_first_two_are_compared_where_nobody_chooses():
    boards = [choice(key, []) for key in "abc"]
    assert [one.key for one in chosen(boards, "", "")] == ["a", "b"]
    assert [one.key for one in chosen(boards, "b", "")] == ["b", "a"]
    assert [one.key for one in chosen(boards, "", "a")] == ["b", "a"]
    assert [one.key for one in chosen(boards[:1], "", "")] == ["a", "a"]
    with pytest.raises(KeyError):
        chosen(boards, "a", "d")


@pytest.mark.django_db(transaction=True)
def test_any_two_boards_of_a_campaign(campaign, organizer, tester, quality, team, other_team, good_run, weak_run):
    """People find Beta better than Alpha; the runs and a frozen board say the reverse."""
    for of, content in ((team, good_run), (other_team, weak_run)):
        submit_file_run(task=quality, team=of, person=None, content=content, file_name="r.json", at=timezone.now())
    asyncio.run(Worker().work(until_empty=True))
    done = {"Team Alpha": 1, "Team Beta": 3}
    add_records(campaign, *[record(name, n, n <= k, 2) for name, k in done.items() for n in range(1, 5)])
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    load(TASKS + MAIN)
    entries = {team: campaign.entries.get(bot__name=f"{team}'s bot") for team in done}
    rows = [{"key": entries[team].alias, "rank": place} for place, team in enumerate(done, start=1)]
    Snapshot.objects.create(
        campaign=campaign, number=1, made_at=datetime(2026, 5, 1, tzinfo=UTC), hides_teams=True,
        board=json.dumps({"rows": rows}), digest="d",
    )  # fmt: skip
    client = Client(headers={"accept-language": "en"})
    client.force_login(organizer)
    told = client.get(API).json()
    keys = [board["key"] for board in told["boards"]]
    assert (keys[:2], keys[-1]) == (["leaderboard", "boards/main"], "leaderboard/1")
    assert {"tasks/quality/development", "tasks/quality/hidden"} < set(keys)
    assert (told["one"], told["other"], told["by"], told["tau"]) == ("leaderboard", "boards/main", "team", 1.0)
    for other, by in (("tasks/quality/hidden", "team"), ("leaderboard/1", "system")):
        told = client.get(API, {"one": "leaderboard", "other": other}).json()
        assert (told["by"], told["n"], told["tau"]) == (by, 2, -1.0)
    assert told["rows"][0] == {"name": "Team Beta · Team Beta's bot", "one": 1, "other": 2, "name_en": ""}
    page = client.get(PAGE, {"one": "leaderboard", "other": "leaderboard/1"}).content.decode()
    assert "<b>τ = −1.00</b>" in page
    assert 'value="leaderboard/1" selected' in page
    assert client.get(PAGE, {"one": "no"}).status_code == 404
    refused = client.get(API, {"one": "no"})
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown_board")
    assert "leaderboard/1" in refused.json()["detail"]

    out = io.StringIO()
    call_command("compare_boards", "small", "leaderboard", "leaderboard/1", stdout=out)
    assert "Kendall's tau-b −1.00" in out.getvalue()
    out = io.StringIO()
    call_command("compare_boards", "small", "leaderboard", "leaderboard/1", format="json", stdout=out)
    assert json.loads(out.getvalue())["tau"] == -1.0
    with pytest.raises(CommandError, match="There is no board 'no'"):
        call_command("compare_boards", "small", "no")
