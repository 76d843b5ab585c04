import pytest

from tests.fakes.bots import fake_bot


@pytest.fixture(scope="module")
def bot():
    with fake_bot() as running:
        yield running
