"""A token that is narrowed opens nothing else: generated from the routes of the API."""

from functools import cache, partial
from itertools import count

import pytest
from django.test import Client

from accounts.actions import issue_token
from accounts.scopes import WHOLE, Scope
from campaigns.actions import load_campaign
from campaigns.models import CampaignRole, Role
from tests.conftest import SMALL_CAMPAIGN, spec_of
from tests.routes import ACCESS, ROUTES, TAKEN, access_of, in_groups, refusals_of
from tests.world import address_of, asked, joins

pytestmark = pytest.mark.usefixtures("db")
API = [(path, callback) for path, callback in ROUTES if path.startswith("api/")]
# What is published is open to everybody, so that no scope closes it.
CLOSED = [(path, callback) for path, callback in API if access_of(callback).kind in {"roles", "staff"}]


@pytest.fixture
def jack(dialogue, run, frozen, tester):
    """Holds every role of two campaigns, and the dialogue of one."""
    load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace('"small"', '"other"')))
    tester.is_staff = True
    tester.save()
    for campaign in {role.campaign for role in CampaignRole.objects.all()}:
        for role in Role:
            campaign.roles.get_or_create(person=tester, role=role)
    joins(tester, dialogue, run)
    return tester


def client_with(person, scope):
    headers = {"Authorization": f"Token {issue_token(person=person, scope=scope)}"}
    return Client(raise_request_exception=False, headers=headers)


@in_groups(CLOSED)
def test_a_token_of_another_campaign_or_role_finds_nothing(paths, dialogue, run, jack):
    client_of, numbers = cache(partial(client_with, jack)), count()
    for path in paths:
        address = address_of(path, dialogue, run)
        for method in TAKEN[path]:
            for scope in (Scope(campaign="other"), foreign(path, next(numbers))):
                status = asked(client_of(scope), method, address).status_code
                assert status in refusals_of(path), f"{method} {address} by a token of {scope}: {status}"


def foreign(path, number):
    """The scope of one of the roles of which the route asks none, in turn: all of them are refused by the same line."""
    roles = ACCESS[path].roles
    others = sorted(set(Role.values) - set(roles)) if roles else [Role.TESTER]
    return Scope(others[number % len(others)], "small") if others else Scope(roles[0], "other")


def test_the_same_person_finds_much_by_a_whole_token(dialogue, run, jack):
    client = client_with(jack, WHOLE)
    some = [path for path, _ in CLOSED if TAKEN[path][0] == "GET"][::5]
    found = [path for path in some if client.get(address_of(path, dialogue, run)).status_code == 200]
    assert len(found) > len(some) / 2


def test_what_lists_over_campaigns_lists_those_of_the_token(dialogue, jack):
    def listed(scope):
        return {row["campaign"] for row in client_with(jack, scope).get("/api/v1/assignments/").json()}

    assert listed(WHOLE) == listed(Scope("tester", "small")) == {"small"}
    assert listed(Scope("tester", "other")) == listed(Scope("organizer", "small")) == set()
