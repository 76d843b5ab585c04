"""Anybody's program reads the records behind a published figure, as its page shows them."""

import json

import pytest

from publication import published_records as module
from tests.publication.test_published_records import ENGLISH, nothing_read_before, published
from tests.publishing import publish_now, snapshot_of

__all__ = ["nothing_read_before"]
pytestmark = pytest.mark.django_db
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
