"""Tokens over the API."""

from datetime import datetime, timedelta

from django.test import Client
from django.utils import timezone

from accounts.actions import issue_token
from accounts.models import ApiToken
from accounts.scopes import Scope

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
