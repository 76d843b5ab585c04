from datetime import UTC, datetime

import pytest
from django.test import Client

from audit.actions import record
from audit.trail_acts import trail_act
from campaigns.trail_acts import BOT_PAUSED, SETTINGS_CHANGED

NOON = datetime(2026, 5, 18, 4, tzinfo=UTC)  # noon in Shanghai
DIALOGUE = "0b8e1d5a-3b0f-4a5e-9d0c-6a4b4f3c2d1e"
NOTED = trail_act("test.noted", "noted %(about)s")


def client_of(person, language="en"):
    client = Client(headers={"accept-language": language})
    client.force_login(person)
    return client


@pytest.fixture
def lines(campaign, organizer, tester):
    """Four lines of the campaign, one of another, and one of none."""
    return [
        record(BOT_PAUSED, by=organizer, at=NOON, campaign="small", about="K7", because="slow", details={"bot": "a"}),
        record(NOTED, by=tester, at=NOON.replace(day=19), campaign="small", about="K7 · flight", details={"dialogue": DIALOGUE}),
        record(SETTINGS_CHANGED, by=organizer, at=NOON.replace(day=20), campaign="small", about="small",
               details={"changes": ["a 1 → 2", "b 3 → 4"], "n": 2}),
        record(BOT_PAUSED, by=None, at=NOON.replace(day=21), campaign="small", about="K70", because="=1+1"),
        record(BOT_PAUSED, by=organizer, at=NOON, campaign="other", about="K7", because="of another campaign"),
        record(NOTED, by=organizer, at=NOON, about="a login"),
    ]  # fmt: skip
