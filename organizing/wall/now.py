"""The wall as it is at one moment, for a page or a program: the same content as the socket's first frame."""

from datetime import datetime

from django.utils.translation import get_language

from campaigns.models import Campaign
from organizing.wall.frames import WholeWall, state
from organizing.wall.needs_reading import NeedsOf
from organizing.wall.reading import Looks


def wall_now(campaign: Campaign, at: datetime) -> WholeWall:
    """In the language that is active. The number of queries does not grow with the campaign."""
    sections = Looks(campaign.pk).look(at).sections()
    language = get_language() or ""
    needs = NeedsOf(campaign.pk).shown({language}, at, sections)[language]
    titles = {scenario.key: scenario.title for scenario in campaign.scenarios.all()}
    return state(sections, at=at, titles=titles, needs=needs)
