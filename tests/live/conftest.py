import os

import pytest
from playwright.sync_api import expect

from tests.fakes.bots import fake_bot
from tests.live.browser import CHROMIUM, People, chromium, connected
from tests.live.browser_site import Site, demo_server
from tests.live.server import live

# Two browsers and their servers share two slow cores in CI, so what takes a second here may take ten there.
EXPECTED_WITHIN_MS = 15_000
expect.set_options(timeout=EXPECTED_WITHIN_MS)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Without Chromium its stories are skipped; in CI, where it is installed, they fail."""
    is_of_chromium = item.get_closest_marker("e2e") and item.path.name != "test_firefox.py"
    if is_of_chromium and CHROMIUM is None and not os.environ.get("CI"):
        pytest.skip("Chromium is not installed (apt-get install chromium fonts-noto-cjk)")


@pytest.fixture(scope="module")
def bot():
    with fake_bot() as running:
        yield running


@pytest.fixture(scope="module")
def server(tmp_path_factory, bot):
    with live(tmp_path_factory.mktemp("live"), bot.url) as running:
        yield running


# Not for the session: while Playwright's loop runs, no other test of the thread may run one (asyncio.run).
@pytest.fixture(scope="module")
def browser():
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def site(tmp_path_factory, browser):
    with demo_server(tmp_path_factory.mktemp("site")) as (base, passwords, manage, bots):
        yield Site(browser, base, passwords, manage, bots)


@pytest.fixture(scope="module")
def people(server, browser):
    return People(browser, server.base, server.set_password)


@pytest.fixture(scope="module")
def probe(server, people):
    """Opens a dialogue with the fake bot, which does what the text asks for, in the tester's console."""

    def open_page(scenario="long", language="zh-CN", **named):
        page, errors = people.page("tester", locale=language, **named)
        page.goto(f"{server.base}/dialogues/{server.open_dialogue(scenario)}/")
        connected(page)
        return page, errors

    return open_page
