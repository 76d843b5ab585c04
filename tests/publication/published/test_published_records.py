"""A visitor clicks a published figure: the records of the frozen bundle, whose mean is the figure, and nobody's name."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.utils import timezone

from leaderboards.models import ImportedRecord
from publication.actions.freezing import freeze
from publication.actions.publishing import publish
from publication.published import published_records as module
from publication.published.published_records import Damaged, TooLarge, published_records
from tests.publication.conftest import TEAMS, add_records, record
from tests.publishing import path_of, publish_now, snapshot_of

pytestmark = pytest.mark.django_db
PAGE = "/campaigns/small/leaderboard/1/"
ENGLISH = {"accept-language": "en"}


@pytest.fixture(autouse=True)
def nothing_read_before():
    module._read.cache_clear()


def published(campaign, organizer, **changed):
    snapshot = freeze(campaign=campaign, hides_teams=changed.get("hides_teams", False), by=organizer, at=timezone.now())
    publish(snapshot=snapshot, public_from=timezone.now(), by=organizer, at=timezone.now())
    return snapshot


def test_the_mean_of_the_listed_records_is_the_published_figure(scored, organizer):
    snapshot = published(scored, organizer)
    rows = json.loads(snapshot.board)["rows"]
    assert len(rows) == 2
    for row in rows:
        for figure, value in row["figures"].items():
            listed = [one.value for one in published_records(snapshot.bundle_digest, figure, row["key"])]
            assert len(listed) == row["n_records"] == 4
            assert sum(listed) / 4 == value, (row["key"], figure)
    assert len(published_records(snapshot.bundle_digest, "completion")) == 8


def test_every_figure_of_the_public_page_leads_a_visitor_to_its_records(scored, organizer, client):
    published(scored, organizer)
    page = client.get(PAGE, headers=ENGLISH).content.decode()
    links = re.findall(r'<td class="number figure"[^>]*>\s*<a href="([^"]+)" rel="nofollow">([^<]+)</a>', page)
    assert len(links) == 10, "two systems with five figures each"
    for address, shown in links:
        answer = client.get(address, headers=ENGLISH)
        assert answer.status_code == 200
        values = re.findall(r"<b>([−\d.]+)</b></td>", answer.content.decode().split("<tbody>")[1])
        assert sum(float(one.replace("−", "-")) for one in values) / 4 == pytest.approx(float(shown.replace("−", "-")))


def test_who_scored_and_who_tested_is_told_nobody(scored, organizer, client):
    add_records(scored, record("Team Beta", 5, True, 1) | {"reviewer": "canary-reviewer"})
    published(scored, organizer)
    for address in (f"{PAGE}records/completion/", f"{PAGE}records/completion/?page=1"):
        page = client.get(address, headers=ENGLISH).content.decode()
        assert "s5" in page
        assert "canary" not in page
        assert "person-" not in page


def test_under_aliases_the_records_tell_no_team(scored, organizer, client):
    published(scored, organizer, hides_teams=True)
    page = client.get(f"{PAGE}records/completion/", headers=ENGLISH).content.decode()
    assert "<h1> C Completion </h1>" in " ".join(page.split())
    assert "Team" not in page
    for entry in scored.entries.filter(bot__team__name__in=TEAMS):
        assert entry.alias in page


def test_later_records_are_not_among_those_of_an_older_board(scored, organizer, client):
    published(scored, organizer)
    assert ">s9<" not in client.get(f"{PAGE}records/completion/").content.decode()
    add_records(scored, record("Team Beta", 9, True, 1))
    assert ImportedRecord.objects.count() == 9
    assert ">s9<" not in client.get(f"{PAGE}records/completion/").content.decode()


def test_what_the_document_does_not_have_is_404(scored, organizer, client):
    published(scored, organizer)
    for path in ("records/luck/", "records/completion/?bot=nobody"):
        assert client.get(PAGE + path).status_code == 404
    assert client.get("/campaigns/small/leaderboard/2/records/completion/").url.startswith("/login/")


def test_a_list_that_would_take_long_is_left_to_the_bundle(scored, organizer, client, monkeypatch):
    snapshot = published(scored, organizer)
    monkeypatch.setattr(module, "LIMIT_BYTES", 100)
    with pytest.raises(TooLarge):
        published_records(snapshot.bundle_digest, "completion")
    page = client.get(f"{PAGE}records/completion/", headers=ENGLISH).content.decode()
    assert "The records are too many to be listed here." in page


def test_without_a_bundle_no_figure_leads_anywhere(scored, client):
    publish_now(scored)
    assert "/records/" not in client.get(PAGE).content.decode()
    assert client.get(f"{PAGE}records/completion/").status_code == 404


def test_a_bundle_is_read_once_for_all_its_figures_and_by_one_thread(scored, organizer):
    snapshot, barrier = published(scored, organizer), Barrier(4)

    def read(figure):
        barrier.wait()
        return len(published_records(snapshot.bundle_digest, figure))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(read, ["completion", "mean_turns", "satisfaction", "fluency"])) == [8] * 4
    assert module._read.cache_info().misses == 1


def test_a_damaged_bundle_is_said_to_be_damaged_and_logged(scored, organizer, client, caplog):
    snapshot = published(scored, organizer)
    path = path_of(snapshot.bundle_digest)
    content = path.read_bytes()
    path.chmod(0o600)
    # Zeros within the packed records are no block of deflate: zlib's own error.
    start = content.index(b"records.jsonl") + len(b"records.jsonl")
    path.write_bytes(content[:start] + bytes(40) + content[start + 40 :])
    with pytest.raises(Damaged):
        published_records(snapshot.bundle_digest, "completion")
    page = client.get(f"{PAGE}records/completion/", headers=ENGLISH)
    assert page.status_code == 200
    assert "cannot be read" in page.content.decode()
    assert "too many" not in page.content.decode()
    assert snapshot.bundle_digest in caplog.text


def test_only_records_with_a_value_are_counted_for_the_mean(scored, organizer, client):
    lacking = record("Team Beta", 5, True, 2)
    del lacking["ratings"]["fluency"]
    add_records(scored, lacking)
    snapshot = published(scored, organizer)
    (row,) = (row for row in json.loads(snapshot.board)["rows"] if row["n_records"] == 5)

    def told(figure):
        page = client.get(f"{PAGE}records/{figure}/", {"bot": row["key"]}, headers=ENGLISH).content.decode()
        return re.search(r"The figure is the mean over (\d+) records?\.", page)[1]

    assert (told("completion"), told("fluency")) == ("5", "4")


__all__ = ["nothing_read_before"]
RECORDS = "/api/v1/campaigns/small/leaderboard/1/records/"


def test_the_mean_of_the_records_of_a_bot_is_its_published_figure(scored, organizer, client):
    snapshot = published(scored, organizer)
    for row in json.loads(snapshot.board)["rows"]:
        listed = client.get(f"{RECORDS}satisfaction/", {"bot": row["key"]}).json()
        assert {one["bot"] for one in listed} == {row["key"]}
        assert sum(one["value"] for one in listed) / 4 == row["figures"]["satisfaction"]
    answer = client.get(f"{RECORDS}satisfaction/?per_page=3")
    assert (answer.headers["X-Total-Count"], len(answer.json())) == ("8", 3)
    assert answer.json()[0].keys() == {"bot", "dialogue", "scenario", "subtasks", "value", "weight"}


def test_what_the_document_or_the_bundle_does_not_have_is_404(scored, organizer, client):
    published(scored, organizer)
    for path in ("luck/", "completion/?bot=nobody"):
        assert client.get(RECORDS + path).status_code == 404
    publish_now(scored)
    assert client.get(RECORDS.replace("/1/", "/2/") + "completion/").status_code == 404


def test_before_its_day_a_snapshot_is_the_organizers_alone(scored, organizer, client):
    snapshot_of(scored, has_bundle=True)
    assert client.get(f"{RECORDS}completion/").status_code == 404
    client.force_login(organizer)
    # The fixture's bundle is one byte, which is said to who may read it.
    assert client.get(f"{RECORDS}completion/").status_code == 409


def test_a_list_that_would_take_long_is_refused_with_the_reason(scored, organizer, client, monkeypatch):
    published(scored, organizer)
    monkeypatch.setattr(module, "LIMIT_BYTES", 100)
    answer = client.get(f"{RECORDS}completion/", headers=ENGLISH)
    assert (answer.status_code, answer.json()["code"]) == (409, "not_shown")
    assert answer.json()["detail"].startswith("The records are too many to be listed here.")
