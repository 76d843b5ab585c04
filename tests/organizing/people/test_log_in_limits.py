"""An organizer lets the campaign's people log in from a network that guessed too often."""

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import LogInTry, Person
from audit.models import TrailLine

PAGE = "/campaigns/small/people/log-in-limit/"
API = "/api/v1/campaigns/small/people/log-in-limit/"
PASSWORD = "a long enough one"


@pytest.fixture(autouse=True)
def fast_hasher(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def log_in(username, password=PASSWORD):
    """From a browser that was never logged in, in the one network of the room."""
    return Client().post("/login/", {"username": username, "password": password}).status_code


@pytest.fixture
def guessed(tester, outsider):
    """One hundred wrong passwords came from the room."""
    for person in (tester, outsider):
        person.set_password(PASSWORD)
        person.save()
    at = timezone.now()
    LogInTry.objects.bulk_create(LogInTry(name=f"name {n}", network="127.0.0.1", at=at) for n in range(100))
    assert (log_in("tester"), log_in("outsider")) == (429, 429)


def by_page(organizer):
    client = Client()
    client.force_login(organizer)
    return client.post(PAGE).status_code


def by_api(organizer):
    client = APIClient()
    client.force_authenticate(organizer)
    return client.delete(API).status_code


@pytest.mark.parametrize(("lift", "status"), [(by_page, 302), (by_api, 200)])
def test_the_campaigns_people_get_in_and_others_of_the_room_do_not(guessed, organizer, lift, status):
    assert lift(organizer) == status
    assert (log_in("tester"), log_in("outsider")) == (302, 429)
    line = TrailLine.objects.get(act="login.network_limit_lifted")
    n_people = Person.objects.filter(campaign_roles__campaign__slug="small").distinct().count()
    assert (line.person, line.campaign, line.about, line.details["n"]) == ("organizer", "small", "", n_people)
    assert "127.0.0.1" not in str(line.details)


@pytest.mark.parametrize("lift", [by_page, by_api])
def test_only_organizers_of_the_campaign_lift_it(guessed, tester, outsider, lift):
    assert [lift(tester), lift(outsider)] in ([403, 403], [404, 404])
    assert log_in("tester") == 429


def test_the_page_of_people_offers_it_and_the_log_in_page_says_whom_to_ask(guessed, organizer):
    client = Client(headers={"accept-language": "en"})
    refused = client.post("/login/", {"username": "tester", "password": PASSWORD}).content.decode()
    assert "an organizer of your campaign can let you in at once" in refused
    client.force_login(organizer)
    assert f'action="{PAGE}"' in client.get("/campaigns/small/people/").content.decode()
