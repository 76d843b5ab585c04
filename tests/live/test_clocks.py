"""A reader in another time zone reads every page on the campaign's clocks, and their own time in the tooltip."""

import pytest
from playwright.sync_api import expect

from demo.people import PUBLISHED
from tests.live.browser import connected
from tests.waiting import until

pytestmark = [pytest.mark.e2e]

# Half past eight in Shanghai, half past seven of the evening before in New York.
PREPARE = """
from datetime import UTC, datetime
from django.utils import timezone
from campaigns.models import Campaign
from demo.published import load_published
load_published(timezone.now())
Campaign.objects.filter(slug="smp2018-demo").update(
    testing_from=datetime(2020, 1, 1, tzinfo=UTC), testing_until=datetime(2099, 12, 4, 0, 30, tzinfo=UTC)
)
"""
OWN = "Your time: 2099-12-03 19:30 (UTC-05:00)"


@pytest.fixture(scope="module", autouse=True)
def published(site):
    site.manage("shell", "-v0", "-c", PREPARE)


FAR_AWAY = {"locale": "en-US", "timezone_id": "America/New_York"}


def test_wall_and_overview_say_the_same_moment_on_the_campaigns_clocks(site):
    page, errors = site.own_login("organizer", **FAR_AWAY)
    page.goto(f"{site.base}/campaigns/smp2018-demo/")
    strip = page.locator(".calendar-strip time").first
    expect(strip).to_have_text("2099-12-04 08:30 (UTC+08:00)")
    expect(strip).to_have_attribute("title", OWN)
    page.goto(f"{site.base}/campaigns/smp2018-demo/wall/")
    connected(page)
    closes = page.locator("#left-text time").last
    expect(closes).to_have_text("12-04 08:30 (UTC+08:00)")
    expect(closes).to_have_attribute("title", OWN)
    assert errors == []


def test_the_public_page_says_its_moments_on_the_campaigns_clocks(site):
    page, errors = site.fresh_page(**FAR_AWAY)
    moments = page.locator("main time.moment")

    def is_there():
        page.goto(f"{site.base}/campaigns/{PUBLISHED}/leaderboard/")
        return moments.count()

    # The server computes, freezes and publishes it by itself.
    until(is_there, limit_s=60)
    tooltips = moments.evaluate_all("all => all.map((one) => one.title)")
    for written, own in zip(moments.all_inner_texts(), tooltips, strict=True):
        assert written.endswith("(UTC+08:00)")
        assert own.startswith("Your time: ")
        assert own.endswith(("(UTC-05:00)", "(UTC-04:00)"))
    assert "CST" not in page.inner_text("main")
    assert errors == []
