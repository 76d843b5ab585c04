"""A forgotten password, for programs."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.passwords import mailing
from accounts.passwords.actions import make_password_link

pytestmark = pytest.mark.django_db
NEW = "a new and longer one"


def post(path, **body):
    client = Client(headers={"accept-language": "en"})
    return client.post(f"/api/v1/password/{path}/", body, content_type="application/json")


def test_a_link_sets_the_password_once(tester):
    token = make_password_link(person=tester, by=None, at=timezone.now())
    weak = post("set", token=token, password="1")
    assert (weak.status_code, list(weak.json()["fields"])) == (400, ["password"])
    assert post("set", token=token, password=NEW).json() == {"person": "tester"}
    tester.refresh_from_db()
    assert tester.check_password(NEW)
    again = post("set", token=token, password=NEW)
    assert (again.status_code, again.json()["code"]) == (410, "used")
    assert post("set", token="made-up", password=NEW).status_code == 404
    assert post("set", token=1, password=[]).status_code == 400


def test_the_answer_is_the_same_for_known_and_unknown_names(tester, settings, monkeypatch):
    assert post("forgotten", asked="tester").json()["code"] == "no_mail"
    settings.HAS_MAIL, settings.SITE_URL = True, "https://huace.example.org"
    ordered = []
    monkeypatch.setattr(mailing, "in_background", ordered.append)
    answers = [post("forgotten", asked=asked) for asked in ("tester", "nobody")]
    assert [(one.status_code, one.json()) for one in answers] == [(202, {"ordered": True})] * 2
    assert len(ordered) == 2
    assert post("forgotten", asked="").status_code == 400
