"""Which rooms of a campaign somebody sees, and which tab a page belongs to."""

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.access import roles_of
from campaigns.models import Role
from frame.tabs import MANAGING_GROUPS, groups_of_room, pages_of_room, segment_of, tabs_of
from organizing.models import MetricFile

pytestmark = pytest.mark.django_db


def keys(campaign, *roles, path="/campaigns/small/"):
    return [tab.key for tab in tabs_of(campaign, frozenset(roles), path)]


def test_each_role_sees_its_own_rooms(campaign):
    assert keys(campaign, Role.TESTER) == ["overview", "testing"]
    for role in (Role.REVIEWER, Role.ADJUDICATOR, Role.EXPERT):
        assert keys(campaign, role) == ["overview", "review"]
    assert keys(campaign, Role.PARTICIPANT) == ["overview", "team"]
    assert keys(campaign, Role.ORGANIZER) == ["overview", "automatic", "leaderboard", "managing"]
    assert keys(campaign, Role.ORGANIZER, Role.TESTER)[:2] == ["overview", "testing"]


def test_somebody_without_a_role_sees_nothing_before_the_campaign_is_public(campaign):
    assert keys(campaign) == []
    campaign.is_announced = True
    assert keys(campaign) == ["overview"]
    campaign.is_published = True
    assert keys(campaign) == ["overview", "leaderboard"]


def test_a_page_belongs_to_the_room_of_its_path(campaign):
    def current(path):
        return [tab.key for tab in tabs_of(campaign, frozenset(Role.values), path) if tab.is_current]

    assert current("/campaigns/small/") == ["overview"]
    assert current("/campaigns/small/testing/") == ["testing"]
    assert current("/campaigns/small/tasks/quality/organize/") == ["automatic"]
    assert current("/campaigns/small/services/1/checks/") == ["automatic"]
    assert current("/campaigns/small/organize/") == ["managing"]
    assert current("/campaigns/small/teams/data/") == ["managing"]
    assert current("/campaigns/small/team/bots/1/") == ["team"]
    assert current("/campaigns/small/bots/1/checks/") == ["team"]
    assert current("/campaigns/small/review/guide/") == ["review"]
    assert current("/campaigns/small/apply/") == ["overview"]
    assert current("/campaigns/other/testing/") == []
    assert segment_of("/login/", "small") is None


def test_the_managing_room_groups_its_pages_and_names_the_one_that_is_open(campaign):
    def tabs(path, *roles):
        return tabs_of(campaign, frozenset(roles), f"/campaigns/small/{path}")

    def pages(path, *roles):
        return pages_of_room(campaign, tabs(path, *roles), f"/campaigns/small/{path}", frozenset(roles))

    def groups(path, *roles):
        return groups_of_room(campaign, tabs(path, *roles), f"/campaigns/small/{path}")

    shown = pages("revisions/1/", Role.ORGANIZER)
    assert [page.key for page in shown] == ["panels", "agreement", "revisions", "judges"]
    assert [page.key for page in shown if page.is_current] == ["revisions"]
    shown = groups("revisions/1/", Role.ORGANIZER)
    assert [group.key for group in shown] == ["day", "plan", "reviewing", "rules", "results"]
    assert [(group.key, group.url) for group in shown if group.is_current] == [
        ("reviewing", "/campaigns/small/panels/")
    ]
    # Its groups stand beside the other rooms; its pages are shown inside of it alone.
    assert pages("testing/", Role.ORGANIZER, Role.TESTER) == []
    outside = groups("testing/", Role.ORGANIZER, Role.TESTER)
    assert ([group.key for group in outside], [group for group in outside if group.is_current]) == (
        [group.key for group in shown],
        [],
    )
    assert pages("organize/", Role.TESTER) == groups("organize/", Role.TESTER) == []


@pytest.mark.parametrize(
    ("path", "group", "page"),
    [("bots/1/checks/", "plan", "teams"), ("review/guide/", "reviewing", "panels")],
)
def test_an_organizer_finds_pages_of_rooms_that_they_do_not_see_under_a_managing_page(campaign, path, group, page):
    path, roles = f"/campaigns/small/{path}", frozenset({Role.ORGANIZER})
    tabs = tabs_of(campaign, roles, path)
    assert [one.key for one in groups_of_room(campaign, tabs, path) if one.is_current] == [group]
    assert [one.key for one in pages_of_room(campaign, tabs, path, roles) if one.is_current] == [page]


def test_every_page_of_the_managing_room_is_in_one_group():
    pages = [page for group in MANAGING_GROUPS for page, _label in group.pages]
    assert len(pages) == len(set(pages))
    for page in pages:
        assert reverse(page, args=["small"]) == f"/campaigns/small/{page}/"


def test_the_room_of_the_leaderboard_has_a_second_page_where_metrics_are_compared(campaign):
    path = "/campaigns/small/leaderboard/"
    campaign.is_published = True

    def pages(*roles):
        return [
            page.key
            for page in pages_of_room(campaign, tabs_of(campaign, frozenset(roles), path), path, frozenset(roles))
        ]

    # An organizer may add metrics; for everybody else the page is empty without any.
    assert pages(Role.ORGANIZER) == ["leaderboard", "correlations", "rankings"]
    assert pages() == []
    MetricFile.objects.create(campaign=campaign, name="x.csv", figures=[], uploaded_at=timezone.now())
    assert pages() == ["leaderboard", "correlations"]
    path = "/campaigns/small/correlations/"
    assert [tab.key for tab in tabs_of(campaign, frozenset(), path) if tab.is_current] == ["leaderboard"]


def test_combined_boards_are_pages_of_the_leaderboard_for_whoever_may_see_them(campaign):
    column = {
        "key": "completion",
        "figure": "completion",
        "task": "",
        "split": "",
        "letter": "",
        "name": {},
        "weight": 1,
    }
    campaign.combined_boards.create(
        key="main", position=1, name_zh="总", name_en="Main", columns=[column], ranking=["completion"]
    )
    campaign.is_published = True
    path = "/campaigns/small/boards/main/"

    def pages(*roles):
        shown = pages_of_room(campaign, tabs_of(campaign, frozenset(roles), path), path, frozenset(roles))
        return [(page.key, page.is_current) for page in shown]

    own = [("leaderboard", False), ("boards/main", True), ("correlations", False), ("rankings", False)]
    assert pages(Role.ORGANIZER) == own
    assert pages() == [], "nothing of it is published in truth"


def test_nobody_holds_no_role(campaign, tester, client):
    assert roles_of(tester, campaign) == {"tester"}
    request = client.get("/").wsgi_request
    assert roles_of(request.user, campaign) == frozenset()


def test_pages_of_a_campaign_carry_the_tabs_and_others_none(campaign, tester, client):
    client.force_login(tester)
    assert b'<nav class="tabs"' in client.get("/campaigns/small/testing/").content
    assert b'<nav class="tabs"' not in client.get("/").content
