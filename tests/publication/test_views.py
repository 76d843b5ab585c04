"""What a visitor reads and downloads, and from when on; nothing on it tells a team where aliases stand."""

import hashlib
import json
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns.models import Campaign, Entry
from leaderboards.actions import refresh_leaderboard, refresh_statistics
from leaderboards.models import StoredBoard
from participants.models import Team
from publication.actions.publishing import publish, withdraw
from tests.publication.conftest import add_records, record
from tests.publishing import publish_now, snapshot_of
from verification.program import program, program_digest

pytestmark = pytest.mark.django_db
BOARD = "/campaigns/small/leaderboard/"
PAGE, CSV, JSON, BUNDLE = (BOARD + name for name in ("1/", "1/leaderboard.csv", "1/leaderboard.json", "1/bundle.zip"))
API = "/api/v1/campaigns/small/leaderboard/"
ENGLISH = {"accept-language": "en"}
CHINESE = {"accept-language": "zh-hans"}


def text_of(answer):
    return re.sub(r"\s+", " ", answer.content.decode())


def body(answer):
    return b"".join(answer.streaming_content)


def test_a_visitor_reads_the_rule_the_table_and_how_to_cite_and_check_it(scored, client):
    snapshot = publish_now(scored, has_bundle=True)
    page = text_of(client.get(BOARD, headers=ENGLISH))
    for told in (
        "Team Beta", "0.750", "3.75", "Systems are ranked by C Completion (higher is better).", snapshot.digest,
        "no scored dialogue yet", "Leaderboard 1, frozen", "http://testserver/campaigns/small/leaderboard/1/",
        "python3 huace-verify.pyz bundle.zip \\ --digest", program_digest(), "http://testserver/huace-verify.pyz",
    ):  # fmt: skip
        assert told in page, told
    chinese = text_of(client.get(BOARD, headers=CHINESE))
    assert "小评测" in chinese
    assert "Team Beta" in chinese


def test_the_files_are_what_the_page_says(scored, client):
    snapshot = publish_now(scored, has_bundle=True)
    answer = client.get(JSON)
    content = body(answer)
    assert hashlib.sha256(content).hexdigest() == snapshot.digest
    assert answer["Content-Length"] == str(len(content))
    assert answer["Content-Disposition"] == 'attachment; filename="small-1-leaderboard.json"'
    table = body(client.get(CSV)).decode("utf-8-sig").splitlines()
    assert table[0].startswith("rank,team,bot,n_records,completion,mean_turns,")
    assert table[1].startswith("1,Team Beta,Team Beta's bot,4,0.75,3.75,")
    bundle = client.get(BUNDLE)
    assert (body(bundle), bundle["Content-Disposition"]) == (b"x", 'attachment; filename="small-1-bundle.zip"')


def test_the_verifier_stands_beside_the_bundle_for_everybody(client):
    answer = client.get("/huace-verify.pyz")
    assert answer.content == program()
    assert hashlib.sha256(answer.content).hexdigest() == program_digest()
    assert answer["Content-Disposition"] == 'attachment; filename="huace-verify.pyz"'


def test_a_program_may_ask_what_it_would_get(scored, client):
    publish_now(scored, has_bundle=True)
    for path in (PAGE, CSV, JSON, BUNDLE):
        assert client.head(path).status_code == 200, path


def test_the_api_gives_the_published_figures_and_says_which(scored, client):
    snapshot = publish_now(scored)
    answer = client.get(API).json()
    assert answer["rows"][0].items() >= {
        "rank": 1, "team": "Team Beta", "bot": "Team Beta's bot", "n_records": 4, "completion": 0.75, "mean_turns": 3.75,
        "satisfaction": 0.5, "fluency": 1.0, "guidance": 0.0,
    }.items()  # fmt: skip
    assert answer["snapshot"]["number"] == 1
    assert answer["snapshot"]["sha256"] == snapshot.digest


def test_scores_that_change_later_change_nothing_of_it_and_the_organizer_sees_that(scored, client, organizer):
    publish_now(scored)
    before = client.get(PAGE, headers=ENGLISH).content, body(client.get(JSON)), client.get(API).json()
    Team.objects.filter(name="Team Beta").update(name="Renamed")
    add_records(scored, *[record("Team Gamma", n, True, 1) for n in range(5, 20)])
    refresh_leaderboard(campaign=scored, at=timezone.now())

    def plain(page):
        return re.sub(rb'value="[^"]*"', b"", page)

    after = client.get(PAGE, headers=ENGLISH).content, body(client.get(JSON)), client.get(API).json()
    assert plain(after[0]) == plain(before[0])
    assert after[1:] == before[1:]
    client.force_login(organizer)
    page = text_of(client.get(BOARD, headers=ENGLISH))
    assert "Everybody else reads leaderboard 1, as it was frozen." in page
    assert "2 rows of today's differ from it." in page
    assert "Renamed" in page


@pytest.mark.parametrize("path", [BOARD, PAGE, CSV, JSON, BUNDLE])
def test_under_an_embargo_organizers_read_what_nobody_else_finds(scored, client, tester, organizer, path):
    snapshot = snapshot_of(scored, has_bundle=True)
    now = timezone.now()
    publish(snapshot=snapshot, public_from=now + timedelta(days=1), by=organizer, at=now)
    assert client.get(path).url.startswith("/login/")
    assert client.get(API).status_code == 404
    client.force_login(tester)
    assert client.get(path).status_code == 404
    client.force_login(organizer)
    assert client.get(path).status_code == 200
    assert "Only organizers see this page until" in text_of(client.get(PAGE, headers=ENGLISH))


def test_a_withdrawn_leaderboard_is_at_none_of_its_addresses(scored, client, organizer):
    snapshot = publish_now(scored, has_bundle=True)
    withdraw(snapshot=snapshot, because="a wrong rule", by=organizer, at=timezone.now())
    for path in (BOARD, PAGE, CSV, JSON, BUNDLE):
        assert client.get(path).url.startswith("/login/")
    assert client.get(API).status_code == 404


def test_an_older_leaderboard_keeps_its_address_beside_a_newer_one(scored, client):
    publish_now(scored)
    add_records(scored, *[record("Team Gamma", n, True, 1) for n in range(5, 20)])
    refresh_leaderboard(campaign=scored, at=timezone.now())
    publish_now(scored)
    assert "Leaderboard 2, frozen" in text_of(client.get(BOARD, headers=ENGLISH))
    assert "Leaderboard 1, frozen" in text_of(client.get(PAGE, headers=ENGLISH))
    assert json.loads(body(client.get(JSON)))["number"] == 1


def test_with_aliases_nothing_that_a_visitor_gets_tells_a_team(scored, client):
    Entry.objects.filter(bot__team__name="Team Beta").update(key="canary-key")
    publish_now(scored, hides_teams=True, has_bundle=True)
    for path in (BOARD, PAGE, CSV, JSON, BUNDLE, API):
        answer = client.get(path)
        content = body(answer) if answer.streaming else answer.content
        assert answer.status_code == 200
        for secret in (b"Team Beta", b"Team Gamma", b"Team Alpha", b"canary", b"'s bot"):
            assert secret not in content, path
        assert "Team" not in str(answer.headers)
    assert scored.entries.first().alias.encode() in client.get(BOARD).content


def test_a_snapshot_without_a_bundle_offers_none(scored, client):
    publish_now(scored)
    assert "bundle.zip" not in text_of(client.get(PAGE))
    assert client.get(BUNDLE).status_code == 404


def test_a_visitor_reads_the_agreement_and_the_chances_of_ranks_and_asks_for_the_pairs(scored, client, few_are_enough):
    StoredBoard.objects.create(campaign=scored, key="agreement", rows={"criteria": {"fluency": {"alpha": 0.613}}})
    Campaign.objects.update(reviewed_by="panel")
    refresh_statistics(campaign=scored, at=timezone.now())
    publish_now(scored)
    page = text_of(client.get(BOARD, headers=ENGLISH))
    assert "α 0.61" in page
    assert "P(rank = k)" in page
    assert "C alone" in page
    assert "Effect size: the difference" not in page
    asked = text_of(client.get(f"{BOARD}?pairs=completion", headers=ENGLISH))
    assert re.search(r"by <b>C</b>: randomised Tukey HSD, 5,?000 shuffles, seed 1", asked)
    assert "+0.500" in asked


def test_a_visitor_takes_the_table_and_the_figure_for_a_paper(scored, client, few_are_enough):
    refresh_statistics(campaign=scored, at=timezone.now())
    publish_now(scored)
    page = client.get(f"{BOARD}1/paper/?in=en", headers=ENGLISH).content.decode()
    assert "\\begin{tabular}" in page
    assert "@misc{small-leaderboard-1" in page
    chinese = client.get(f"{BOARD}1/paper/?in=zh-hans", headers=ENGLISH).content.decode()
    assert ("名次" in chinese, "Rank" in page, "<h1>Cite and reuse" in chinese) == (True, True, True)
    files = {
        "ranks.svg": "image/svg+xml",
        "ranks.tex": "application/x-tex; charset=utf-8",
        "leaderboard.md": "text/markdown; charset=utf-8",
    }
    for name, content_type in files.items():
        taken = client.get(f"{BOARD}1/files/{name}?in=en", headers=ENGLISH)
        assert (taken.status_code, taken["Content-Type"]) == (200, content_type)
        assert "small, leaderboard 1" in taken.content.decode().replace("Small", "small")
    for name in ("chances.tex", "rankings.md", "pairs-completion.csv"):
        assert client.get(f"{BOARD}1/files/{name}").status_code == 200, name
    assert client.get(f"{BOARD}1/files/leaderboard.csv?in=zh-hans").content.decode().startswith("\ufeff名次,")
    for nothing in ("leaderboard.svg", "ranks.exe", "nothing.svg"):
        assert client.get(f"{BOARD}1/files/{nothing}").status_code == 404
    for page in ("paper/", "figures/", "files/ranks.svg"):
        assert client.get(f"{BOARD}2/{page}").status_code == 302
