"""The same over the API."""

import pytest
from django_otp.plugins.otp_totp.models import TOTPDevice
from rest_framework.test import APIClient

from audit.models import TrailLine


@pytest.fixture
def url(tester):
    TOTPDevice.objects.create(user=tester, confirmed=True)
    return f"/api/v1/campaigns/small/people/{tester.pk}/second-factor/"


def client_of(person):
    client = APIClient()
    client.force_authenticate(person)
    return client


def test_it_is_reset_with_a_reason_once(organizer, url):
    client = client_of(organizer)
    assert client.delete(url, {}, format="json").status_code == 400
    assert client.delete(url, {"because": "lost"}, format="json").status_code == 204
    assert client.delete(url, {"because": "lost"}, format="json").status_code == 404
    assert TrailLine.objects.get(act="second_factor.reset").because == "lost"


def test_testers_reset_nothing(tester, url):
    assert client_of(tester).delete(url, {"because": "x"}, format="json").status_code == 404
    assert TOTPDevice.objects.exists()
