"""An organizer resets the second factor of somebody who lost it."""

import pytest
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.models import Person
from audit.models import TrailLine
from campaigns.actions import load_campaign
from tests.conftest import SMALL_CAMPAIGN, spec_of


@pytest.fixture
def client(organizer):
    organizer.language = "en"
    organizer.save()
    client = Client()
    client.force_login(organizer)
    return client


@pytest.fixture
def factor(tester):
    return TOTPDevice.objects.create(user=tester, confirmed=True)


def page(person):
    return f"/campaigns/small/people/{person.pk}/second-factor/"


def test_it_is_reset_with_a_reason_and_one_line(client, tester, factor):
    wrong = client.post(page(tester), {"because": " "}).content.decode()
    assert "Say why" in wrong
    assert TOTPDevice.objects.exists()
    client.post(page(tester), {"because": "lost telephone"})
    assert not TOTPDevice.objects.exists()
    line = TrailLine.objects.get(act="second_factor.reset")
    assert (line.person, line.about, line.campaign, line.because) == ("organizer", "tester", "small", "lost telephone")


def test_the_box_is_there_for_who_has_one(client, tester, organizer, factor):
    boxes = [
        'id="factor-name"' in client.get(f"/campaigns/small/people/{person.pk}/").content.decode()
        for person in (tester, organizer)
    ]
    assert boxes == [True, False]


def test_nobody_resets_it_for_people_who_take_part_elsewhere_or_not_at_all(client, tester, factor, outsider):
    TOTPDevice.objects.create(user=outsider, confirmed=True)
    assert client.post(page(outsider), {"because": "x"}).status_code == 404
    load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace('"small"', '"other"')))
    Person.objects.get(username="organizer").campaign_roles.filter(campaign__slug="other").delete()
    assert client.post(page(tester), {"because": "x"}).status_code == 404
    assert TOTPDevice.objects.count() == 2
