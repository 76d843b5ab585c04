"""The page of the board of pairs: live for organizers, frozen for everybody, and what it says where strengths cannot be told."""

import json
import re

import pytest
from django.utils import timezone

from pairs.actions.boards import refresh_pair_board
from pairs.actions.importing import import_battles
from pairs.board.battle_files import read_battles
from publication.actions.freezing import freeze
from publication.models import Snapshot
from publication.preflight import Facts, findings_of

pytestmark = pytest.mark.django_db
WINS = [("a", "b", 6), ("b", "a", 3), ("b", "c", 5), ("c", "b", 3), ("a", "c", 4), ("c", "a", 2)]


@pytest.fixture
def voted(campaign, organizer):
    rows = [
        {
            "question_id": f"{first}{second}{n}",
            "model_a": first,
            "model_b": second,
            "winner": "model_a",
            "judge": f"j{n}",
        }
        for first, second, n_wins in WINS
        for n in range(n_wins)
    ]
    rows.append(rows[0] | {"question_id": "tied", "winner": "tie (bothbad)"})
    battles = read_battles("a.json", json.dumps(rows).encode(), "people")
    import_battles(campaign=campaign, battles=battles, by=organizer, at=timezone.now())
    refresh_pair_board(campaign=campaign, at=timezone.now())
    return campaign


def page(client, campaign):
    return client.get(f"/campaigns/{campaign.slug}/leaderboard/pairs/", headers={"Accept-Language": "en"})


def test_the_organizer_sees_strengths_wins_and_the_plan(voted, organizer, client):
    client.force_login(organizer)
    shown = page(client, voted).content.decode()
    assert "Head to head" in shown
    assert "24 votes count." in shown
    assert re.search(r"<dt>Both are bad</dt>\s+<dd>1 \(4.2%\)</dd>", shown)
    assert "with 80% power" in shown
    assert "texts of these answers are not known" in shown


def test_nobody_else_sees_it_before_publication(voted, tester, client):
    assert page(client, voted).status_code == 302
    client.force_login(tester)
    assert page(client, voted).status_code == 404


def test_everybody_sees_what_was_frozen_with_the_leaderboard(voted, organizer, client, tmp_path, settings):
    settings.VAR_DIR = tmp_path
    snapshot = freeze(campaign=voted, hides_teams=False, by=organizer, at=timezone.now())
    document = json.loads(Snapshot.objects.get(pk=snapshot.pk).board)
    assert document["pairs"]["n_votes"] == 24
    snapshot.publications.create(public_from=timezone.now(), published_at=timezone.now())
    shown = page(client, voted)
    assert shown.status_code == 200
    assert "only organizers" not in shown.content.decode()
    numbered = client.get(f"/campaigns/{voted.slug}/leaderboard/{snapshot.number}/pairs/")
    assert numbered.status_code == 200
    told = client.get(f"/api/v1/campaigns/{voted.slug}/leaderboard/pairs/").json()
    assert told["systems"][0]["rank"] == 1
    assert told["snapshot"]["number"] == snapshot.number


def test_a_frozen_board_has_its_tables_and_figures_as_files(voted, organizer, client, tmp_path, settings):
    settings.VAR_DIR = tmp_path
    freeze(campaign=voted, hides_teams=False, by=organizer, at=timezone.now())
    client.force_login(organizer)
    frozen = f"/campaigns/{voted.slug}/leaderboard/1"
    shown = client.get(f"{frozen}/paper/?in=en").content.decode()
    # Without scored dialogues the strengths are the table to copy.
    assert r"Rank &amp; Team &amp; System &amp; Strength $\uparrow$ &amp; n" in shown
    files = {name: client.get(f"{frozen}/files/pairs-{name}?in=en") for name in (
        "strengths.csv", "strengths.tex", "strengths.md", "strengths.svg", "duels.csv", "differences.csv"
    )}  # fmt: skip
    assert {name: answer.status_code for name, answer in files.items()} == dict.fromkeys(files, 200)
    assert all(f"/files/pairs-{name}?in=en" in shown for name in files)
    told = {name: answer.content.decode().removeprefix("\ufeff").splitlines() for name, answer in files.items()}
    assert told["strengths.csv"][0] == "Rank,Team,System,Strength ↑,Strength ↑ 95%,n"
    assert [line.split(",")[2] for line in told["strengths.csv"][1:]] == ["a", "b", "c"]
    # By hand: a beat b six times and lost three, of ten votes with one for neither.
    assert told["duels.csv"][1] == "1 Team Alpha,–,6–1–3,4–0–2"
    assert len(told["differences.csv"]) == 4


def test_a_campaign_of_pairs_alone_can_be_frozen():
    assert not any(one.key == "empty" for one in findings_of(Facts(n_ranked=0, n_compared=2)))
    assert any(one.key == "empty" for one in findings_of(Facts(n_ranked=0)))


def test_a_board_held_by_a_penalty_says_so(campaign, organizer, client):
    rows = [{"question_id": n, "model_a": "a", "model_b": "b", "winner": "model_a", "judge": "j"} for n in range(3)]
    battles = read_battles("a.json", json.dumps(rows).encode(), "people")
    import_battles(campaign=campaign, battles=battles, by=organizer, at=timezone.now())
    refresh_pair_board(campaign=campaign, at=timezone.now())
    client.force_login(organizer)
    assert "weak penalty (0.01)" in page(client, campaign).content.decode()


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet", "xlsx"])
def test_votes_are_exported_in_every_format(voted, organizer, client, format):
    client.force_login(organizer)
    answer = client.get(f"/campaigns/{voted.slug}/export/pairs.{format}")
    assert answer.status_code == 200
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert len(content) > 500
