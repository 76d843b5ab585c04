"""The page of the calendar and its twin in the API: the same act by the same rule."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Person
from audit.models import TrailLine
from campaigns.models import Campaign

pytestmark = pytest.mark.django_db
PAGE, API = "/campaigns/small/calendar/", "/api/v1/campaigns/small/calendar/"
DAY = timedelta(days=1)


@pytest.fixture
def organizing(client, organizer):
    client.force_login(organizer)
    return client


def patch(client, **said):
    return client.patch(API, said, content_type="application/json")


def test_dates_are_entered_on_the_clocks_of_the_zone_and_shown_to_everybody(organizing, campaign, tester):
    Campaign.objects.update(is_announced=True)
    sent = {"testing_from": "2026-01-01T09:00", "testing_until": "2099-03-15T18:00", "time_zone": "Asia/Shanghai"}
    assert organizing.post(PAGE, sent).status_code == 302
    stored = Campaign.objects.get()
    assert stored.testing_until.isoformat() == "2099-03-15T10:00:00+00:00"
    assert TrailLine.objects.filter(act="calendar.changed").count() == 1
    organizing.force_login(tester)
    pages = ("/", "/campaigns/small/", "/campaigns/small/testing/", "/about/")
    for page in pages:
        assert "2099-03-15 18:00 (UTC+08:00)" in organizing.get(page).content.decode(), page


def test_another_time_zone_alone_is_said_too_and_so_is_no_change(organizing):
    Person.objects.update(language="en")
    answer = organizing.post(PAGE, {"time_zone": "Europe/Berlin"}, follow=True)
    assert "The time zone is changed. No date was moved." in answer.content.decode()
    assert Campaign.objects.get().time_zone == "Europe/Berlin"
    answer = organizing.post(PAGE, {"time_zone": "Europe/Berlin"}, follow=True)
    assert "Nothing was different, so nothing was changed." in answer.content.decode()


def test_what_is_wrong_stands_beside_its_field_and_what_was_typed_stays(organizing):
    page = organizing.post(PAGE, {"testing_from": "2026-02-02T09:00", "testing_until": "2026-02-01T09:00"})
    text = page.content.decode()
    assert page.status_code == 422
    assert 'value="2026-02-01T09:00"' in text
    assert text.count('aria-invalid="true"') == 1
    assert Campaign.objects.get().testing_until is None


def test_a_date_that_was_said_is_moved_with_a_reason_alone(organizing):
    organizing.post(PAGE, {"testing_until": "2098-01-01T00:00"})
    page = organizing.post(PAGE, {"testing_until": "2099-01-01T00:00"})
    assert (page.status_code, Campaign.objects.get().testing_until.year) == (422, 2097)
    moved = organizing.post(PAGE, {"testing_until": "2099-01-01T00:00", "because": "more testers"})
    assert (moved.status_code, Campaign.objects.get().testing_until.year) == (302, 2098)


def test_ending_at_once_asks_first(organizing):
    past = {"ends_at": "2026-01-01T00:00", "because": "done"}
    asked = organizing.post(PAGE, past)
    assert "is_confirmed" in asked.content.decode()
    assert Campaign.objects.get().ends_at is None
    assert organizing.post(PAGE, past | {"is_confirmed": "yes"}).status_code == 302
    over = organizing.post("/campaigns/small/calendar/", past | {"testing_until": "2025-01-01T00:00"})
    assert over.status_code == 422
    assert organizing.post(PAGE, {"ends_at": "2099-01-01T00:00", "because": "reopened"}).status_code == 302


def test_the_api_changes_what_it_names_and_nothing_else(organizing):
    until = (timezone.now() + DAY).replace(microsecond=0)
    assert patch(organizing, testing_until=until.isoformat(), time_zone="UTC").status_code == 200
    answer = patch(organizing, ends_at=(until + DAY).isoformat())
    body = answer.json()
    assert (body["testing_until"], body["now"], body["open"]["test"]) == (until.isoformat(), ["testing"], True)
    assert body["next"] == {"phase": "end", "at": (until + DAY).isoformat(), "begins": True}
    back = patch(organizing, testing_until=None, because="open to the end").json()
    assert (back["testing_until"], back["ends_at"]) == (None, (until + DAY).isoformat())


def test_the_api_names_what_is_wrong(organizing):
    now = timezone.now().replace(microsecond=0)
    assert list(patch(organizing, ends_at="soon").json()["fields"]) == ["ends_at"]
    assert list(patch(organizing, time_zone="x").json()["fields"]) == ["time_zone"]
    order = {"testing_from": now.isoformat(), "testing_until": (now - DAY).isoformat()}
    assert list(patch(organizing, **order, confirmed=True, because="x").json()["fields"]) == ["testing_until"]
    assert patch(organizing, ends_at=(now - DAY).isoformat()).json()["code"] == "unconfirmed"
    answer = patch(organizing, ends_at=(now - DAY).isoformat(), confirmed=True)
    assert list(answer.json()["fields"]) == ["because"]
    patch(organizing, ends_at=(now - DAY).isoformat(), confirmed=True, because="over")
    assert (patch(organizing, testing_until=(now - 2 * DAY).isoformat()).json()["code"]) == "not_now"


def test_everybody_in_the_campaign_reads_it_and_only_organizers_change_it(client, tester):
    client.force_login(tester)
    assert client.get(API).json()["open"]["organize"] is True
    assert patch(client, time_zone="UTC").status_code == 404
    assert client.get(PAGE).status_code == 404
