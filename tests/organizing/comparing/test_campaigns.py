"""Two campaigns side by side: only those that one organizes, with what was done, figures and teams of both."""

import pytest
from django.utils import timezone

from accounts.models import Person
from campaigns.actions import load_campaign
from campaigns.models import Campaign, Role
from leaderboards.actions import refresh_leaderboard
from tests.conftest import SMALL_CAMPAIGN, spec_of
from tests.publication.conftest import add_records, record

pytestmark = pytest.mark.django_db
PAGE, API = "/campaigns/small/comparison/", "/api/v1/campaigns/small/comparison/"


@pytest.fixture
def last_year(campaign, organizer):
    other, _report = load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace('slug = "small"', 'slug = "last-year"')))
    other.roles.get_or_create(person=organizer, role=Role.ORGANIZER)
    return other


@pytest.fixture
def organizing(client, campaign, organizer):
    Person.objects.update(language="en")
    client.force_login(organizer)
    return client


def test_without_another_campaign_the_page_says_how_to_make_one(organizing):
    assert "No other campaign" in organizing.get(PAGE).content.decode()
    assert organizing.get(API).json()["other"] is None


def test_what_was_done_figures_and_teams_stand_side_by_side(organizing, campaign, last_year):
    add_records(last_year, record("Team Beta", 3, is_complete=True, turns=2))
    refresh_leaderboard(campaign=last_year, at=timezone.now())
    both = organizing.get(API).json()
    assert (both["one"], both["other"], both["has_same_rubric"]) == ("small", "last-year", True)
    assert both["done"]["Records"] == {"one": "0", "other": "1"}
    assert both["done"]["Scenarios"] == {"one": "1", "other": "1"}
    assert both["figures"]["Sa Satisfaction"] == {"one": "–", "other": "1.000, the best 1.000"}
    page = organizing.get(f"{PAGE}?with=last-year").content.decode()
    assert "1.000, the best 1.000" in page
    assert "Their rubrics differ" not in page


def test_a_campaign_that_one_does_not_organize_cannot_be_named(organizing, last_year, organizer):
    last_year.roles.filter(person=organizer).delete()
    assert organizing.get(f"{PAGE}?with=last-year").status_code == 404
    assert organizing.get(f"{API}?with=last-year").status_code == 404
    assert "last-year" not in organizing.get(PAGE).content.decode()


def test_it_is_the_organizers_alone(client, tester, last_year):
    client.force_login(tester)
    assert client.get(PAGE).status_code == 404
    assert Campaign.objects.count() == 2
