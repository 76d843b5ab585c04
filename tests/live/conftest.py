import pytest

from tests.fakes.bots import fake_bot
from tests.live.server import live


@pytest.fixture(scope="module")
def bot():
    with fake_bot() as running:
        yield running


@pytest.fixture(scope="module")
def server(tmp_path_factory, bot):
    with live(tmp_path_factory.mktemp("live"), bot.url) as running:
        yield running
