"""The page of the meta-evaluation: what its readers see, its files, and the table that an organizer uploads."""

import csv
import io
import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.models import Person
from automatic_tasks.models import AutomaticTask
from campaigns.models import Role
from organizing.actions import refresh_meta_evaluation
from organizing.models import MetaEvaluation, MetricFile
from publication.actions.publishing import withdraw
from tests.automatic_tasks.conftest import content_of, good_run, tasks
from tests.organizing.test_meta_evaluation import SATISFACTION, TABLE, add_records, published, rated, upload
from tests.organizing.test_metrics import scored_run

__all__ = ["content_of", "good_run", "rated", "tasks"]
pytestmark = pytest.mark.django_db
PAGE = "/campaigns/rated/correlations/"
API = f"/api/v1{PAGE}"
AUDIENCE = MetaEvaluation.Audience


@pytest.fixture
def organizing(rated):
    person = Person.objects.create_user("boss", language="en")
    rated.roles.create(person=person, role=Role.ORGANIZER)
    client = Client()
    client.force_login(person)
    return client


def computed(campaign, audience=AUDIENCE.ORGANIZERS):
    return refresh_meta_evaluation(campaign=campaign, audience=audience, at=timezone.now())


def page_of(client, address=PAGE):
    answer = client.get(address, headers={"accept-language": "en"})
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_heat_map_shows_the_chosen_coefficient(rated, organizing):
    upload(rated)
    computed(rated)
    shown = page_of(organizing)
    assert 'data-shade="4"' in shown
    assert "0.80" in shown
    assert 'data-shade="3"' in page_of(organizing, f"{PAGE}?by=kendall")
    assert '<a href="?by=spearman" aria-current="true">' in page_of(organizing, f"{PAGE}?by=nonsense")
    assert "stranger" in shown


def test_a_team_with_two_systems_is_not_said_to_have_none(rated, organizing):
    (entry,) = rated.entries.filter(bot__team__name="A")
    rated.entries.create(bot=entry.bot.team.bots.create(name="second"), key="second", alias="Z9")
    upload(rated, b"system,F1\nA,1\nB,2\nC,3\nstranger,4\n")
    computed(rated)
    nobodys, several = re.findall(
        r"<p class=\"muted\">\s*(No system|Several systems) .*?:\s*(\w+)\s*</p>", page_of(organizing), re.S
    )
    assert (nobodys, several) == (("No system", "stranger"), ("Several systems", "A"))


def test_without_metrics_the_page_says_what_is_missing_and_takes_a_table(rated, organizing):
    shown = page_of(organizing)
    assert "it takes two systems" in shown
    assert 'type="file"' in shown


def test_an_upload_is_stored_and_the_page_reloads_until_it_is_computed(rated, organizing):
    answer = organizing.post(f"{PAGE}file/", {"file": SimpleUploadedFile("m.csv", TABLE)}, follow=True)
    assert "data-reload-s" in answer.content.decode()
    assert MetricFile.objects.get().name == "m.csv"
    computed(rated)
    assert "data-reload-s" not in page_of(organizing)


def test_a_table_with_problems_is_answered_with_each_of_them(rated, organizing):
    bad = SimpleUploadedFile("m.csv", b"system,F1\nA,good\nB,x\n")
    answer = organizing.post(f"{PAGE}file/", {"file": bad})
    assert answer.status_code == 422
    assert "2 problems in the file" in answer.content.decode()
    assert "must be a number, not “good”" in answer.content.decode()
    assert not MetricFile.objects.exists()
    assert organizing.post(f"{PAGE}file/", {}).status_code == 302


def test_a_table_can_be_removed(rated, organizing):
    upload(rated)
    computed(rated)
    assert "0.80" not in organizing.post(f"{PAGE}file/", {"act": "remove"}, follow=True).content.decode()


def test_the_page_asks_the_database_no_more_often_for_more_metrics(rated, organizing, django_assert_max_num_queries):
    upload(
        rated, b"system," + ",".join(f"m{n}" for n in range(40)).encode() + b"\nA" + b",1" * 40 + b"\nB" + b",2" * 40
    )
    computed(rated)
    page_of(organizing)  # notes the login
    with django_assert_max_num_queries(20):
        page_of(organizing)


def test_a_page_view_computes_nothing(rated, organizing, monkeypatch):
    upload(rated)
    computed(rated)
    monkeypatch.setattr("measures.correlation.correlations", None)
    add_records(rated, {"A": 2}, reviewer="r2")
    assert "0.80" in page_of(organizing)


def test_the_two_tables_give_the_same_figures_by_the_command(rated, organizing, tmp_path):
    upload(rated)
    computed(rated)
    for table in ("automatic", "human"):
        (tmp_path / f"{table}.csv").write_bytes(organizing.get(f"{PAGE}{table}.csv").content)
    out = io.StringIO()
    files = [str(tmp_path / "automatic.csv"), str(tmp_path / "human.csv")]
    call_command("correlate", *files, "--system", "system", "--format", "json", stdout=out)
    assert json.loads(out.getvalue()) == organizing.get(API).json()["rows"]


def test_the_correlations_come_as_csv_with_the_ends_of_intervals_in_columns(rated, organizing):
    upload(rated)
    computed(rated)
    text = organizing.get(f"{PAGE}correlations.csv").content.decode("utf-8-sig")
    first, *_ = csv.DictReader(io.StringIO(text))
    assert list(first)[:5] == ["skill", "metric", "criterion", "n", "pearson"]
    row = next(row for row in csv.DictReader(io.StringIO(text)) if row["criterion"] == "satisfaction")
    assert float(row["spearman"]) == pytest.approx(0.8)
    assert float(row["spearman_low"]) == pytest.approx(-0.4571, abs=0.0001)


def test_everybody_sees_it_once_the_leaderboard_is_published_and_nobody_before(rated, organizing):
    upload(rated)
    computed(rated)
    visitor = Client()
    assert visitor.get(PAGE).status_code == 302
    assert visitor.get(API).status_code == 404
    assert visitor.get(f"{PAGE}human.csv").status_code == 404
    published(rated)
    computed(rated, AUDIENCE.EVERYBODY)
    shown = page_of(visitor)
    assert "0.80" in shown
    assert "stranger" not in shown
    assert 'type="file"' not in shown
    assert n_rows(visitor) == n_rows(organizing) == 6


def n_rows(client):
    return len(client.get(API).json()["rows"])


def test_hidden_scores_of_a_task_show_to_everybody_once_they_are_released(campaign, tasks, organizer):
    team = campaign.entries.get().bot.team
    scored_run(tasks["quality"], team, 0.25)
    add_records(campaign, {"Other": 1})
    upload(campaign, b"system,F1\nTeam Alpha,1\nOther,2\n")
    add_records(campaign, {team.name: 1}, bot=campaign.entries.first().bot.name)
    snapshot = published(campaign)
    computed(campaign, AUDIENCE.EVERYBODY)
    address = "/campaigns/small/correlations/automatic.csv"
    assert "quality.A.nmd" not in Client().get(address).content.decode()
    assert "F1" in Client().get(address).content.decode()
    AutomaticTask.objects.update(released_at=timezone.now())
    assert "quality/hidden/quality.A.nmd" in Client().get(address).content.decode()
    # Boards of tasks name teams, so beside aliases they are left out.
    withdraw(snapshot=snapshot, because="x", by=organizer, at=timezone.now())
    published(campaign, hides_teams=True)
    # Until it is computed anew, what was computed from the withdrawn snapshot is shown to nobody.
    assert "Team Alpha" not in Client().get(address.replace("automatic", "human")).content.decode()
    computed(campaign, AUDIENCE.EVERYBODY)
    shown = Client().get(address).content.decode()
    assert "F1" in shown
    assert "quality" not in shown
    assert "Team Alpha" not in shown


def test_figures_with_more_systems_of_a_team_name_the_bot_too(rated, organizing):
    add_records(rated, {"A": 1}, bot="second")
    upload(rated, b"system,F1\nsecond,1\nB,2\n")
    computed(rated)
    text = organizing.get(f"{PAGE}automatic.csv").content.decode("utf-8-sig")
    assert [line.split(",")[1] for line in text.splitlines()[1:]] == ["B", "A / second"]


def test_development_scores_are_hidden_from_teams_on_correlations_until_the_release(campaign, tasks, participant):
    everything = [f"d{number}" for number in range(1, 7)]
    AutomaticTask.objects.filter(key="quality").update(development_ids=everything, board_is_open=True)
    quality, team = AutomaticTask.objects.get(key="quality"), campaign.entries.get().bot.team
    scored_run(quality, team, 0.25)
    add_records(campaign, {"Other": 1})
    add_records(campaign, {team.name: 1}, bot=campaign.entries.first().bot.name)
    upload(campaign, b"system,F1\nTeam Alpha,1\nOther,2\n")
    published(campaign)
    computed(campaign, AUDIENCE.EVERYBODY)
    client = Client()
    client.force_login(participant)
    address = "/campaigns/small/correlations/automatic.csv"
    # The board of that split is open to the team, but rounded and of its own runs: here all of it would stand.
    assert "quality/development" not in client.get(address).content.decode()
    AutomaticTask.objects.update(released_at=timezone.now())
    assert "quality/development/quality.A.nmd" in client.get(address).content.decode()


def test_skills_are_called_by_their_words(rated, organizing):
    for number, skill in enumerate(("booking", "own-skill"), start=1):
        rated.scenarios.create(key=str(number), position=number, skill=skill)
    add_records(rated, SATISFACTION, scenario="2", reviewer="r2")
    table = "skill,system,F1\n" + "".join(
        f"{skill},{team},{place}\n" for skill in ("booking", "own-skill") for place, team in enumerate("ABCDE")
    )
    upload(rated, table.encode())
    computed(rated)
    page = page_of(organizing)
    assert "· Booking" in page
    assert "· booking" not in page
    assert "· own-skill" in page
