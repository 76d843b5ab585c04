"""Which roles a request holds: those of its person that its credential covers."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import Http404

from accounts.scopes import Scope
from campaigns.access import campaign_for, has_role, roles_of
from campaigns.actions import load_campaign
from campaigns.models import CampaignRole
from tests.conftest import SMALL_CAMPAIGN, spec_of


@pytest.fixture
def other(campaign):
    return load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace('"small"', '"other"')))[0]


@pytest.fixture
def both(campaign, other, tester):
    """Organizes and tests in both campaigns."""
    for each in (campaign, other):
        each.roles.create(person=tester, role="organizer")
    return tester


def test_who_is_not_logged_in_has_no_role(campaign):
    assert roles_of(AnonymousUser(), campaign) == frozenset()
    assert not has_role(AnonymousUser(), campaign, "tester")


def test_a_login_has_every_role_of_its_person(both, campaign, other):
    assert roles_of(both, campaign) == roles_of(both, other) == {"tester", "organizer"}


def test_a_token_of_one_campaign_has_none_in_another(both, campaign, other):
    both.scope = Scope(campaign="small")
    assert roles_of(both, campaign) == {"tester", "organizer"}
    assert roles_of(both, other) == frozenset()
    with pytest.raises(Http404):
        campaign_for(both, "other", "tester")


def test_a_token_of_a_tester_organizes_nothing(both, campaign, other):
    both.scope = Scope("tester", "small")
    assert roles_of(both, campaign) == {"tester"}
    assert not has_role(both, campaign, "organizer")
    assert not has_role(both, other, "tester")


def test_a_scope_never_gives_a_role_that_its_person_lost(both, campaign):
    both.scope = Scope("organizer", "small")
    CampaignRole.objects.filter(person=both, role="organizer").delete()
    assert roles_of(both, campaign) == frozenset()
