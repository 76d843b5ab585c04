"""What the demo adds to pages: the people to sign in as, a system to register, and the guide beside a dialogue."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils import timezone

from campaigns.models import Campaign
from demo.people import DEMO_PEOPLE, ORGANIZER, PUBLISHED
from demo.sample_bots import SAMPLE_BOTS
from publication.queries import published

# What stands beside the guided dialogue, and beside the list that its hand-in leads to.
GUIDES = {"console": "demo/_guide.html", "tester-list": "demo/_guide_end.html"}


def demo(request: HttpRequest) -> dict[str, Any]:
    match = request.resolver_match
    guide = GUIDES.get(match.url_name or "") if match is not None and "guide" in request.GET else None
    return {
        "demo_people": DEMO_PEOPLE,
        "makes_trials": ORGANIZER,
        "sample_address": f"http://{SAMPLE_BOTS[0].address}/",
        "published": published_links,
        "foot_parts": [guide] if guide else [],
    }


@dataclass(frozen=True, slots=True)
class PublishedLinks:
    """Where published results are: the campaign, and what asks its leaderboard why the first is ahead of the second."""

    slug: str
    why: str


def published_links() -> PublishedLinks | None:
    """None for the seconds that the server takes to freeze the leaderboard: before that it leads visitors to the login."""
    campaign = Campaign.objects.filter(slug=PUBLISHED).first()
    shown = published(campaign, timezone.now()) if campaign else None
    if shown is None:
        return None
    first_two = [("compare", row["key"]) for row in shown.document["rows"][:2]]
    return PublishedLinks(PUBLISHED, f"?{urlencode(first_two)}#why")
