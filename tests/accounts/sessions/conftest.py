import pytest
from django.test import Client

from accounts.models import Person

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"


@pytest.fixture
def ann(db):
    return Person.objects.create_user("ann", password="a long enough one", language="en")


@pytest.fixture
def browser(ann):
    """Makes a browser in which ann is logged in, and has opened a page."""

    def made(person=ann, agent=FIREFOX, address="192.0.2.1"):
        client = Client(headers={"User-Agent": agent}, REMOTE_ADDR=address)
        client.force_login(person)
        client.get("/")
        return client

    return made
