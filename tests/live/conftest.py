import os

import pytest
from playwright.sync_api import expect

from tests.fakes.bots import fake_bot
from tests.live.browser import CHROMIUM
from tests.live.browser_site import demo_site
from tests.live.server import live

# Two browsers and their servers share two slow cores in CI, so what takes a second here may take ten there.
EXPECTED_WITHIN_MS = 15_000
expect.set_options(timeout=EXPECTED_WITHIN_MS)


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
def site(tmp_path_factory):
    if CHROMIUM is None and not os.environ.get("CI"):
        pytest.skip("Chromium is not installed (apt-get install chromium fonts-noto-cjk)")
    with demo_site(tmp_path_factory.mktemp("site")) as running:
        yield running
