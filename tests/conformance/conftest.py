"""A campaign whose one bot listens."""

import pytest
from django.utils.translation import override

from tests.conformance.checking import allowed_of
from tests.fakes.defective_bots import defective_bot


@pytest.fixture(autouse=True)
def in_english():
    with override("en"):
        yield


@pytest.fixture
def bot():
    with defective_bot() as bot:
        yield bot


@pytest.fixture
def entry(campaign, bot, settings):
    return listening(campaign, bot, settings)


def listening(campaign, bot, settings):
    settings.OUTBOUND_ALLOW = allowed_of(bot.url)
    campaign.entries.update(url=bot.url)
    return campaign.entries.select_related("campaign", "bot__team").get()
