"""What tokens can be narrowed to."""

import re
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone, translation

from accounts.actions import issue_token
from accounts.models import ApiToken
from accounts.scopes import WHOLE, Scope
from campaigns.token_pages import DAYS, TokenForm, offered_days, scope_in_words, scopes_of, value_of


def test_each_campaign_is_offered_whole_and_by_role(campaign, tester, outsider):
    campaign.roles.create(person=tester, role="organizer")
    offered = [scope for scope, _ in scopes_of(tester)]
    assert offered == [WHOLE, Scope(campaign="small"), Scope("organizer", "small"), Scope("tester", "small")]
    assert [scope for scope, _ in scopes_of(outsider)] == [WHOLE]


def test_a_form_gives_what_was_chosen(campaign, tester):
    form = TokenForm(tester, {"name": "x", "scope": value_of(Scope("tester", "small")), "days": "90"})
    assert form.is_valid(), form.errors
    assert (form.chosen().scope, form.chosen().lasts.days) == (Scope("tester", "small"), 90)


def test_the_site_says_how_long_a_token_lasts_at_most(settings):
    assert offered_days() == list(DAYS)
    settings.TOKEN_DAYS_AT_MOST = 40
    assert offered_days() == [7, 30]
    settings.TOKEN_DAYS_AT_MOST = 3
    assert offered_days() == [3]


def test_a_scope_in_words():
    with translation.override("en"):
        assert scope_in_words(WHOLE, "") == "everything I can do"
        assert scope_in_words(Scope("tester", "small"), "Small") == "Small: tester"
        assert scope_in_words(Scope(campaign="gone"), "") == "gone: all my roles"
        assert scope_in_words(Scope(role="tester"), "") == "tester"


pytestmark = pytest.mark.django_db
NEW = {"name": "tournament", "scope": "small/tester", "days": "7"}


def client_of(person) -> Client:
    person.language = "en"
    person.save()
    client = Client()
    client.force_login(person)
    return client


def test_a_token_is_shown_once_and_works(tester):
    client = client_of(tester)
    page = client.post("/account/tokens/new/", NEW).content.decode()
    token = re.search(r'id="issued">([^<]+)<', page)[1]
    again = client.get("/account/tokens/").content.decode()
    assert token not in again
    assert token[:8] in again
    assert "never" in again
    assert "Small: tester" in again
    assert Client().get("/api/v1/assignments/", headers={"Authorization": f"Token {token}"}).status_code == 200
    assert "never" not in client.get("/account/tokens/").content.decode()


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "x" * 61},
        {"scope": "small/organizer"},
        {"scope": "other/"},
        {"days": "3660"},
        {"days": ""},
    ],
)
def test_a_wrong_wish_makes_none_and_says_why_and_what_was_typed_stays(tester, wrong):
    page = client_of(tester).post("/account/tokens/new/", NEW | wrong).content.decode()
    assert 'class="wrong"' in page
    assert not ApiToken.objects.exists()
    assert wrong.get("name", "tournament") in page


def test_a_revoked_token_is_refused(tester):
    token = issue_token(person=tester)
    key = ApiToken.objects.get().token_key
    client_of(tester).post("/account/tokens/revoke/", {"token_key": key})
    assert Client().get("/api/v1/assignments/", headers={"Authorization": f"Token {token}"}).status_code == 401


def test_nobody_sees_or_revokes_the_token_of_another(tester, outsider):
    issue_token(person=tester)
    key = ApiToken.objects.get().token_key
    client = client_of(outsider)
    assert key not in client.get("/account/tokens/").content.decode()
    assert client.post("/account/tokens/revoke/", {"token_key": key}).status_code == 404
    assert ApiToken.objects.count() == 1


URL = "/api/v1/account/tokens/"


def by(token):
    return {"headers": {"Authorization": f"Token {token}"}, "content_type": "application/json"}


def test_a_program_makes_a_narrower_token_lists_and_revokes_it(campaign, tester):
    whole = issue_token(person=tester, name="whole")
    answer = Client().post(URL, {"name": "narrow", "campaign": "small", "role": "tester", "days": 7}, **by(whole))
    assert answer.status_code == 201
    narrow = answer.json()["token"]
    listed = Client().get(URL, **by(whole)).json()
    assert [(row["name"], row["campaign"], row["role"]) for row in listed] == [
        ("narrow", "small", "tester"),
        ("whole", "", ""),
    ]
    assert narrow not in str(listed)
    assert Client().delete(f"{URL}{listed[0]['token_key']}/", **by(whole)).status_code == 204
    assert Client().get("/api/v1/assignments/", **by(narrow)).status_code == 401


def test_a_narrow_token_neither_sees_nor_makes_tokens(campaign, tester):
    narrow = issue_token(person=tester, scope=Scope("tester", "small"))
    assert Client().get(URL, **by(narrow)).status_code == 403
    assert Client().post(URL, {"name": "x"}, **by(narrow)).status_code == 403
    assert Client().delete(f"{URL}{narrow[:15]}/", **by(narrow)).status_code == 403
    assert Client().get("/api/v1/account/sessions/", **by(narrow)).status_code == 403


def test_no_token_makes_one_that_outlives_it(campaign, tester):
    short = issue_token(person=tester, lasts=timedelta(hours=2))
    made = Client().post(URL, {"name": "x", "days": 300}, **by(short)).json()
    stored = ApiToken.objects.get(token_key=made["token"][:15])
    assert stored.expiry <= timezone.now() + timedelta(hours=2)
    assert datetime.fromisoformat(made["expires"]) == stored.expiry


def test_a_role_that_one_does_not_hold_is_refused(campaign, tester):
    whole = issue_token(person=tester)
    for wanted in ({"role": "organizer", "campaign": "small"}, {"campaign": "nowhere"}, {"days": 0}, {"name": ""}):
        assert Client().post(URL, {"name": "x"} | wanted, **by(whole)).status_code == 400


def test_nobody_revokes_the_token_of_another(campaign, tester, outsider):
    issue_token(person=tester)
    key = ApiToken.objects.get().token_key
    assert Client().delete(f"{URL}{key}/", **by(issue_token(person=outsider))).status_code == 404
