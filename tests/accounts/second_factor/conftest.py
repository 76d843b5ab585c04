import time

import pytest
from django.test import Client
from django_otp.oath import TOTP

from accounts.models import Person
from accounts.second_factor.actions import begin_set_up, finish_set_up

PASSWORD = "a long enough one"


@pytest.fixture(autouse=True)
def fast_hasher(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def ann(db, fast_hasher):
    return Person.objects.create_user("ann", password=PASSWORD, language="en")


def code_of(device, *, steps=0):
    """What the app shows now, or that many half minutes later."""
    app = TOTP(device.bin_key)
    app.time = time.time() + 30 * steps
    return f"{app.token():06d}"


@pytest.fixture
def factor(ann):
    """The app of ann, and her backup codes."""
    device = begin_set_up(person=ann)
    turned_on = finish_set_up(person=ann, code=code_of(device, steps=-1))
    assert len(turned_on.codes) == 10
    return device, turned_on.codes


def password_step(client=None, **more):
    client = client or Client()
    return client, client.post("/login/", {"username": "ann", "password": PASSWORD} | more)
