"""Every authentication that comes with a request is asked for a guess."""

import pytest
from django.contrib.auth import authenticate
from django.test import RequestFactory

from accounts.models import Person

pytestmark = pytest.mark.django_db


def test_only_requests_cost_guesses():
    ann = Person.objects.create_user("ann", password="a long enough one")
    request = RequestFactory().post("/login/")
    for _ in range(5):
        assert authenticate(request, username="ann", password="wrong") is None
    assert authenticate(request, username="ann", password="a long enough one") is None
    assert authenticate(username="ann", password="a long enough one") == ann
