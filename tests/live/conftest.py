import os

import pytest

from tests.fakes.bots import fake_bot
from tests.live.browser import CHROMIUM
from tests.live.browser_site import demo_site
from tests.live.server import live


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
