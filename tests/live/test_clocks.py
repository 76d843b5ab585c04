"""A reader in another time zone reads every page on the campaign's clocks, and their own time in the tooltip."""

import os

import pytest
from playwright.sync_api import expect

from demo.people import PUBLISHED
from tests.live.browser import CHROMIUM, chromium, log_in, page_without_errors
from tests.live.browser_site import demo_server, shot

pytestmark = [pytest.mark.e2e]

if CHROMIUM is None and not os.environ.get("CI"):
    pytest.skip("Chromium is not installed (apt-get install chromium fonts-noto-cjk)", allow_module_level=True)

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


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with demo_server(tmp_path_factory.mktemp("clocks")) as (base, passwords, manage, _bots), chromium() as browser:
        manage("shell", "-v0", "-c", PREPARE)
        yield base, passwords, browser


@pytest.fixture
def far_away(site):
    """A page in New York; the campaigns are in Shanghai."""
    base, _, browser = site
    context = browser.new_context(
        locale="en-US", timezone_id="America/New_York", viewport={"width": 1280, "height": 720}
    )
    page, errors = page_without_errors(context)
    yield page, base
    assert errors == []
    context.close()


def test_wall_and_overview_say_the_same_moment_on_the_campaigns_clocks(site, far_away):
    page, base = far_away
    log_in(page, base, "organizer", site[1]["organizer"])
    page.goto(f"{base}/campaigns/smp2018-demo/")
    strip = page.locator(".calendar-strip time").first
    expect(strip).to_have_text("2099-12-04 08:30 (UTC+08:00)")
    expect(strip).to_have_attribute("title", OWN)
    page.goto(f"{base}/campaigns/smp2018-demo/wall/")
    expect(page.locator("#connection")).to_have_attribute("data-state", "connected")
    closes = page.locator("#left-text time").last
    expect(closes).to_have_text("12-04 08:30 (UTC+08:00)")
    expect(closes).to_have_attribute("title", OWN)
    shot(page, "wall-far-away")


def test_the_public_page_says_its_moments_on_the_campaigns_clocks(far_away):
    page, base = far_away
    moments = page.locator("main time.moment")
    # The server computes, freezes and publishes it by itself.
    for _ in range(120):
        page.goto(f"{base}/campaigns/{PUBLISHED}/leaderboard/")
        if moments.count():
            break
        page.wait_for_timeout(500)
    tooltips = moments.evaluate_all("all => all.map((one) => one.title)")
    assert tooltips
    for written, own in zip(moments.all_inner_texts(), tooltips, strict=True):
        assert written.endswith("(UTC+08:00)")
        assert own.startswith("Your time: ")
        assert own.endswith(("(UTC-05:00)", "(UTC-04:00)"))
    assert "CST" not in page.inner_text("main")
    shot(page, "leaderboard-far-away")
