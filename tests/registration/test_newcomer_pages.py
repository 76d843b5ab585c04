"""Somebody without an account applies: the account and the application in one form, or neither."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client, RequestFactory
from django.utils import timezone, translation

from accounts.models import Person
from audit.models import TrailLine
from registration import newcomer_form as newcomer_rate
from registration.models import Application
from registration.newcomer_form import DAY_S, TooManyNewcomers, check_rate
from tests.registration.conftest import FORM

pytestmark = pytest.mark.django_db
PAGE = "/campaigns/small/apply/"
API = "/api/v1/campaigns/small/application/newcomer/"
PASSWORD = "a long and good one"
ACCOUNT = {"username": "captain", "display_name": "队长", "email": "captain@example.org"}
TYPED = FORM | ACCOUNT | {"members": "wang\nli@example.org", "password1": PASSWORD, "password2": PASSWORD}
SENT = FORM | ACCOUNT | {"password": PASSWORD}


@pytest.fixture
def visitor():
    return Client(headers={"accept-language": "en"})


def sent(client, body):
    return client.post(API, body, content_type="application/json")


def test_a_visitor_applies_is_logged_in_and_reads_that_it_waits(open_campaign, visitor):
    shown = visitor.get(PAGE).content.decode()
    assert "Your account" in shown
    assert f"/login/?next={PAGE}" in shown
    answer = visitor.post(PAGE, TYPED)
    assert (answer.status_code, answer.headers["Location"]) == (302, PAGE)
    stored = Application.objects.get()
    assert (stored.applicant.username, stored.name_en, stored.members) == ("captain", "Polaris", FORM["members"])
    assert stored.applicant.check_password(PASSWORD)
    assert stored.applicant.came_by == Person.CameBy.APPLICATION
    assert not stored.applicant.campaign_roles.exists()
    shown = visitor.get(PAGE).content.decode()
    assert "waiting" in shown
    assert "Your account" not in shown
    assert [line.act for line in TrailLine.objects.filter(person="captain")] == ["team.applied", "login.done"]


def test_errors_of_both_halves_stand_by_their_fields_what_was_typed_stays_and_nothing_is_stored(open_campaign, visitor):
    wrong = TYPED | {"affiliation": " ", "username": "tester", "password2": "another one"}
    answer = visitor.post(PAGE, wrong)
    shown = answer.content.decode()
    assert answer.status_code == 422
    assert 'value="北辰队"' in shown
    assert 'value="captain@example.org"' in shown
    # Two, for whether somebody has the name is told to nobody whose form would make no account.
    assert shown.count('role="alert"') - shown.count('role="alert" hidden') == 2
    assert PASSWORD not in shown
    assert not Person.objects.filter(username="captain").exists()
    assert not Application.objects.exists()


def test_a_name_that_somebody_has_is_told_of_only_where_an_account_would_have_been_made(open_campaign, visitor):
    taken = {"username": "Tester"}
    assert "has this name already" in visitor.post(PAGE, TYPED | taken).content.decode()
    answer = sent(visitor, SENT | taken)
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["username"])
    wrong = sent(visitor, SENT | taken | {"email": "none", "affiliation": "", "password": "1"})
    assert (wrong.status_code, set(wrong.json()["fields"])) == (422, {"email", "password", "affiliation"})
    assert "has this name already" not in visitor.post(PAGE, TYPED | taken | {"email": "none"}).content.decode()
    open_campaign.registration_until = timezone.now() - timedelta(hours=1)
    open_campaign.save()
    for name in ("tester", "nobody"):
        assert visitor.post(PAGE, TYPED | {"username": name, "email": "none"}).status_code == 409
        assert sent(visitor, SENT | {"username": name, "email": "none"}).status_code == 409
    assert Person.objects.filter(username__iexact="tester").count() == 1


def test_where_none_are_taken_a_visitor_finds_no_page_and_a_closed_registration_makes_no_account(
    open_campaign, visitor
):
    open_campaign.registration_until = timezone.now() - timedelta(hours=1)
    open_campaign.save()
    assert visitor.post(PAGE, TYPED).status_code == 409
    assert sent(visitor, SENT).status_code == 409
    open_campaign.takes_applications = False
    open_campaign.save()
    assert (
        visitor.get(PAGE).status_code == visitor.post(PAGE, TYPED).status_code == sent(visitor, SENT).status_code == 404
    )
    assert not Person.objects.filter(username="captain").exists()


def test_a_program_applies_in_the_same_way(open_campaign, visitor):
    answer = sent(visitor, SENT)
    assert (answer.status_code, answer.json()["state"]) == (201, "waiting")
    assert Application.objects.get().applicant.check_password(PASSWORD)
    assert sent(visitor, SENT).status_code == 422
    assert sent(visitor, SENT | {"username": "other", "affiliation": ""}).status_code == 422
    assert Application.objects.count() == 1


def test_many_from_one_address_wait_on_the_page_and_over_the_api(open_campaign, visitor, monkeypatch):
    monkeypatch.setattr(newcomer_rate, "TRIES_PER_WINDOW", 1)
    visitor.post(PAGE, TYPED | {"affiliation": ""})
    refused = visitor.post(PAGE, TYPED)
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 300
    assert "Too many tries from this address. Try again in" in refused.content.decode()
    assert 'value="captain"' in refused.content.decode()
    assert sent(visitor, SENT).status_code == 429
    assert not Person.objects.filter(username="captain").exists()


def why_refused():
    with pytest.raises(TooManyNewcomers) as refused:
        check_rate(RequestFactory().post("/"))
    return refused.value


def test_a_day_has_its_own_budget_of_which_refused_tries_take_nothing(monkeypatch, settings):
    monkeypatch.setattr(newcomer_rate, "TRIES_PER_DAY", 2)
    monkeypatch.setattr(newcomer_rate, "TRIES_PER_WINDOW", 1)
    taken = []
    count = newcomer_rate.take
    monkeypatch.setattr(
        newcomer_rate, "take", lambda kind, *rest, **named: taken.append(kind) or count(kind, *rest, **named)
    )
    cache.clear()
    check_rate(RequestFactory().post("/"))
    assert why_refused().after_s <= 300
    assert taken == ["newcomers", "newcomers-a-day", "newcomers"]
    monkeypatch.setattr(newcomer_rate, "TRIES_PER_WINDOW", 100)
    check_rate(RequestFactory().post("/"))
    assert 0 < why_refused().after_s <= DAY_S


def test_the_wait_is_told_in_minutes_or_hours():
    with translation.override("en"):
        assert str(TooManyNewcomers(61)) == "Too many tries from this address. Try again in 2 minutes."
        assert str(TooManyNewcomers(DAY_S)) == "Too many tries from this address. Try again in 24 hours."
