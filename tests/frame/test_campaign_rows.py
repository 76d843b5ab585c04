"""Whose campaigns a list holds, and in which order."""

import pytest
from django.utils import translation

from accounts.scopes import Scope
from campaigns.actions import load_campaign
from campaigns.models import Role
from frame.campaign_rows import own_rows, public_rows
from tests.conftest import SMALL_CAMPAIGN, spec_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def newer(campaign):
    made, _ = load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace('"small"', '"newer"')))
    return made


def test_ones_own_are_there_once_with_every_role_the_newest_first(campaign, newer, tester):
    campaign.roles.create(person=tester, role=Role.REVIEWER)
    rows = own_rows(tester)
    assert [row.campaign.slug for row in rows] == ["newer", "small"]
    assert [[one.role for one in row.held] for row in rows] == [["tester"], ["reviewer", "tester"]]
    with translation.override("en"):
        assert rows[1].roles == ["reviewer", "tester"]
    assert rows[0].steps


def test_a_narrowed_credential_finds_what_it_is_for(campaign, newer, tester):
    tester.scope = Scope("tester", "small")
    assert [row.campaign.slug for row in own_rows(tester)] == ["small"]
    tester.scope = Scope("organizer", "small")
    assert own_rows(tester) == []


def test_only_public_ones_are_public(campaign, newer):
    assert public_rows() == []
    campaign.is_announced = True
    campaign.save()
    assert [row.campaign.slug for row in public_rows()] == ["small"]
