"""The organizer's way: what is found, freeze, publish on a day, withdraw with a reason; each act is told."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from leaderboards.actions import refresh_leaderboard
from participants.limits import REASON_LIMIT
from publication.actions.freezing import carry_out_orders
from publication.actions.publishing import publish
from publication.models import FreezeOrder, Publication, Snapshot
from tests.publication.conftest import add_records, record
from tests.publishing import snapshot_of

pytestmark = pytest.mark.django_db
PAGE = "/campaigns/small/publication/"
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def signed_in(client, organizer):
    client.force_login(organizer)
    return client


def read(client, path=PAGE):
    return re.sub(r"\s+", " ", client.get(path, headers=ENGLISH).content.decode())


def test_what_blocks_is_said_and_the_button_is_off(dialogue, signed_in):
    page = read(signed_in)
    assert "1 dialogue is still open." in page
    assert "Must be done first:" in page
    assert re.search(r'<button class="button primary" disabled >', page)
    signed_in.post(f"{PAGE}freeze/", {"names": "teams"})
    assert not FreezeOrder.objects.exists()
    assert "nothing to publish" in read(signed_in)


def test_an_organizer_freezes_publishes_and_withdraws(scored, signed_in, organizer):
    signed_in.post(f"{PAGE}freeze/", {"names": "aliases"})
    assert "data-reload-s" in read(signed_in)
    carry_out_orders(at=timezone.now())
    snapshot = Snapshot.objects.get()
    assert (snapshot.made_by, snapshot.hides_teams) == (organizer, True)
    assert snapshot.bundle_digest[:12] in read(signed_in)
    assert "You choose when it becomes public." in read(signed_in)
    details = read(signed_in, f"{PAGE}1/")
    assert "Publish this leaderboard?" in details
    assert "Nothing: today's leaderboard has the same ranks and figures." in details
    signed_in.post(f"{PAGE}1/publish/", {"public_from": ""})
    publication = Publication.objects.get()
    assert publication.published_by == organizer
    assert "Everybody reads leaderboard 1" in read(signed_in)
    assert "Freeze again, as it is today" in read(signed_in)
    for said in ("", "x" * (REASON_LIMIT + 1)):
        answer = signed_in.post(f"{PAGE}1/withdraw/", {"because": said}, headers=ENGLISH)
        assert (answer.status_code, Publication.objects.get().withdrawn_at) == (409, None)
        assert f"Say why, in at most {REASON_LIMIT} characters." in answer.content.decode()
    signed_in.post(f"{PAGE}1/withdraw/", {"because": "a wrong rule"})
    assert "a wrong rule" in read(signed_in)
    assert "Nothing is published." in read(signed_in)


def test_the_day_of_a_publication_is_in_the_zone_of_the_campaign(scored, signed_in):
    snapshot_of(scored)
    signed_in.post(f"{PAGE}1/publish/", {"public_from": "2099-01-02T08:00"})
    # Asia/Shanghai is eight hours ahead of UTC.
    assert Publication.objects.get().public_from == datetime(2099, 1, 2, tzinfo=UTC)
    page = strip_tags(read(signed_in, "/campaigns/small/leaderboard/"))
    assert "Leaderboard 1 will be public from 2099-01-02 08:00 (UTC+08:00)" in page


@pytest.mark.parametrize("wrong", ["soon", "2099-13-01T00:00", "0001-01-01T00:00+14:00"])
def test_a_day_that_is_none_is_refused(scored, signed_in, wrong):
    snapshot_of(scored)
    status = signed_in.post(f"{PAGE}1/publish/", {"public_from": wrong}).status_code
    assert (status, Publication.objects.count()) in {(400, 0), (302, 1)}


def test_a_snapshot_that_somebody_else_published_or_withdrew_meanwhile_is_told(scored, signed_in, organizer):
    snapshot, now = snapshot_of(scored), timezone.now()
    publish(snapshot=snapshot, public_from=now + timedelta(days=1), by=organizer, at=now)
    signed_in.post(f"{PAGE}1/publish/", {"public_from": ""}, headers=ENGLISH)
    assert "published in the meantime" in read(signed_in)
    signed_in.post(f"{PAGE}1/withdraw/", {"because": "a wrong rule"})
    late = signed_in.post(f"{PAGE}1/withdraw/", {"because": "the scores of <b> are wrong"}, headers=ENGLISH)
    page = late.content.decode()
    assert (late.status_code, Publication.objects.get().withdrawn_because) == (409, "a wrong rule")
    assert "withdrawn in the meantime" in page
    # Another language leads to the page that has the form, where this answer cannot be loaded again.
    assert f'name="next" value="{PAGE}1/"' in page
    assert 'value="the scores of &lt;b&gt; are wrong"' in page
    assert 'name="because"' not in page
    assert signed_in.post(f"{PAGE}9/publish/", {"public_from": ""}).status_code == 404


def test_what_failed_is_said_until_it_is_closed(scored, signed_in):
    at = datetime(2026, 5, 17, 4, tzinfo=UTC)
    FreezeOrder.objects.create(campaign=scored, asked_at=at, next_at=at, hides_teams=False)
    assert "updates by itself. Ordered at 2026-05-17 12:00:00 (UTC+08:00)." in strip_tags(read(signed_in))
    FreezeOrder.objects.update(failure="No space left")
    page = strip_tags(read(signed_in))
    assert "No space left" in page
    assert "Ordered at 2026-05-17 12:00:00 (UTC+08:00). It waits for you" in page
    signed_in.post(f"{PAGE}forget/")
    assert "No space left" not in read(signed_in)


def test_the_details_say_what_differs_from_today(scored, signed_in):
    snapshot_of(scored)
    add_records(scored, *[record("Team Delta", n, True, 1) for n in range(1, 5)])
    refresh_leaderboard(campaign=scored, at=timezone.now())
    page = read(signed_in, f"{PAGE}1/")
    assert "New since then: Team Delta" in page
    assert "<b>1 → 2</b>" in page


def test_before_the_day_of_publication_the_form_offers_that_day_and_refuses_an_earlier_one(scored, signed_in):
    snapshot_of(scored)
    scored.publication_at = datetime(2126, 5, 17, 4, tzinfo=UTC)
    scored.save()
    assert 'value="2126-05-17T12:00:00"' in read(signed_in, f"{PAGE}1/")
    answer = signed_in.post(f"{PAGE}1/publish/", {"public_from": ""}, headers=ENGLISH, follow=True)
    assert "Results are published from 2126-05-17 12:00 (UTC+08:00)" in answer.content.decode()
    assert not Publication.objects.exists()
    signed_in.post(f"{PAGE}1/publish/", {"public_from": "2126-05-17T12:00:00"})
    assert Publication.objects.get().public_from == scored.publication_at


def test_the_api_refuses_an_earlier_day_too(scored, signed_in):
    snapshot_of(scored)
    scored.publication_at = timezone.now() + timedelta(days=1)
    scored.save()
    answer = signed_in.post("/api/v1/campaigns/small/publication/1/", {}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "not_now")
