"""A token that is narrowed opens nothing else: generated from the routes of the API."""

from functools import cache, partial
from itertools import product

import pytest
from django.test import Client

from accounts.actions import issue_token
from accounts.scopes import WHOLE, Scope
from campaigns.actions import load_campaign
from campaigns.models import CampaignRole, Role
from tests.conftest import SMALL_CAMPAIGN, spec_of
from tests.routes import ACCESS, ROUTES, TRIED, access_of, in_groups
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
    client_of = cache(partial(client_with, jack))
    for path in paths:
        address = address_of(path, dialogue, run)
        for scope, method in product(narrow(path), TRIED[path]):
            status = asked(client_of(scope), method, address).status_code
            # An empty body names no object at all, before anybody's roles are asked for.
            allowed = {403, 404, 405} | ({400} if path == "api/v1/dialogues/" else set())
            assert status in allowed, f"{method} {address} by a token of {scope}: {status}"


def narrow(path):
    """Scopes of another campaign, and of roles of which the route asks none."""
    roles = ACCESS[path].roles
    foreign = sorted(set(Role.values) - set(roles)) if roles else [Role.TESTER]
    others = [Scope(campaign="other"), Scope(roles[0] if roles else "organizer", "other")]
    return others + [Scope(role, "small") for role in foreign[:2]]


def test_the_same_person_finds_much_by_a_whole_token(dialogue, run, jack):
    client = client_with(jack, WHOLE)
    found = [path for path, _ in CLOSED if client.get(address_of(path, dialogue, run)).status_code == 200]
    assert len(found) > 10


def test_what_lists_over_campaigns_lists_those_of_the_token(dialogue, jack):
    def listed(scope):
        return {row["campaign"] for row in client_with(jack, scope).get("/api/v1/assignments/").json()}

    assert listed(WHOLE) == listed(Scope("tester", "small")) == {"small"}
    assert listed(Scope("tester", "other")) == listed(Scope("organizer", "small")) == set()
