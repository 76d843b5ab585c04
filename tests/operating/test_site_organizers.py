"""One organizer of the site makes another one and takes it back: never the last one, and what was open to them ends."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.actions import LastSiteOrganizer, issue_token, make_site_organizer, remove_site_organizer
from accounts.models import ApiToken, LogIn, Person
from accounts.scopes import Scope
from audit.models import TrailLine

pytestmark = pytest.mark.django_db
PAGE, API = "/operate/organizers/", "/api/v1/operate/organizers/"


@pytest.fixture
def first():
    return Person.objects.create_user("first", is_staff=True, language="en")


@pytest.fixture
def second():
    return Person.objects.create_user("second", password="a long enough one", language="en")


@pytest.fixture
def working(first):
    client = Client()
    client.force_login(first)
    return client


def test_an_account_becomes_one_and_leaves_a_line(working, second):
    assert working.post(PAGE, {"username": " second "}).status_code == 302
    assert Person.objects.get(username="second").is_staff
    line = TrailLine.objects.get(act="site.given")
    assert (line.person, line.about) == ("first", "second")
    working.post(PAGE, {"username": "second"})
    assert TrailLine.objects.filter(act="site.given").count() == 1


@pytest.mark.parametrize("name", ["", "nobody", "gone"])
def test_only_who_can_log_in_gets_it(working, name):
    Person.objects.create_user("gone", is_active=False)
    answer = working.post(PAGE, {"username": name})
    assert answer.status_code == 409
    assert "There is no such account" in answer.content.decode()


def test_the_last_one_stays(working, first):
    with pytest.raises(LastSiteOrganizer):
        remove_site_organizer(person=first, by=first, at=timezone.now())
    assert working.delete(f"{API}{first.pk}/").json()["code"] == "last_of_the_site"
    assert "the only one" in working.get(PAGE).content.decode()
    Person.objects.create_user("asleep", is_staff=True, is_active=False)
    with pytest.raises(LastSiteOrganizer):
        remove_site_organizer(person=first, by=first, at=timezone.now())


def test_log_ins_end_and_tokens_of_a_role_stay(working, second, campaign):
    make_site_organizer(username="second", by=None, at=timezone.now())
    theirs = Client()
    theirs.post("/login/", {"username": "second", "password": "a long enough one"})
    assert theirs.get(PAGE).status_code == 200
    whole = issue_token(person=second, name="whole")
    issue_token(person=second, name="narrow", scope=Scope("tester", "small"))
    program = {"HTTP_AUTHORIZATION": f"Token {whole}"}
    assert Client().get(API, **program).status_code == 200
    assert working.post(f"{PAGE}{second.pk}/remove/").status_code == 302
    assert theirs.get(PAGE).status_code == 302
    assert Client().get(API, **program).status_code == 401
    assert list(ApiToken.objects.values_list("name", flat=True)) == ["narrow"]
    assert not LogIn.objects.filter(person=second).exists()
    assert TrailLine.objects.get(act="site.taken").details == {"sessions": 1, "tokens": 1}


def test_one_may_give_it_up_oneself_where_another_stays(working, first, second):
    make_site_organizer(username="second", by=first, at=timezone.now())
    assert working.post(f"{PAGE}{first.pk}/remove/")["Location"] == "/"
    assert not Person.objects.get(pk=first.pk).is_staff


def test_programs_list_give_and_take_back(working, second):
    given = working.post(API, {"username": "second"}, content_type="application/json")
    assert (given.status_code, given.json()["username"]) == (201, "second")
    assert [one["username"] for one in working.get(API).json()["organizers"]] == ["first", "second"]
    assert working.delete(f"{API}{second.pk}/").status_code == 204
    assert working.delete(f"{API}{second.pk}/").status_code == 404


def test_an_organizer_of_a_campaign_alone_finds_nothing(client, organizer):
    client.force_login(organizer)
    assert client.get(PAGE).status_code == 404
    assert client.post(PAGE, {"username": "organizer"}).status_code == 404
    assert client.get(API).status_code == 404
