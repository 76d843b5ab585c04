"""Our budgets, where django-axes asks for them."""

import pytest
from axes.handlers.proxy import AxesProxyHandler
from axes.utils import reset
from django.contrib.auth import authenticate
from django.test import RequestFactory

from accounts.log_in.handler import GuessHandler, guess_of
from accounts.models import LogInTry, Person

pytestmark = pytest.mark.django_db


def test_django_axes_asks_our_budgets():
    request = RequestFactory().post("/login/", REMOTE_ADDR="192.0.2.7")
    answers = [AxesProxyHandler.is_allowed(request, {"username": "ann"}) for _ in range(7)]
    assert isinstance(AxesProxyHandler.get_implementation(), GuessHandler)
    assert answers == [True] * 5 + [False] * 2


def test_its_commands_reset_what_we_count():
    for name, address in (("ann", "192.0.2.7"), ("bob", "192.0.2.8")):
        request = RequestFactory().post("/login/", REMOTE_ADDR=address)
        GuessHandler().is_locked(request, {"username": name})
    assert reset(username="ann") == 1
    assert reset(ip="192.0.2.8") == 1
    assert not LogInTry.objects.exists()


def test_a_made_up_header_is_no_other_network():
    plain = RequestFactory().post("/", REMOTE_ADDR="192.0.2.7")
    made_up = RequestFactory().post("/", REMOTE_ADDR="192.0.2.7", headers={"X-Forwarded-For": "203.0.113.1"})
    assert guess_of(plain, "ann") == guess_of(made_up, "ann")


def test_only_requests_cost_guesses():
    ann = Person.objects.create_user("ann", password="a long enough one")
    request = RequestFactory().post("/login/")
    for _ in range(5):
        assert authenticate(request, username="ann", password="wrong") is None
    assert authenticate(request, username="ann", password="a long enough one") is None
    assert authenticate(username="ann", password="a long enough one") == ann
