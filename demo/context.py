"""What the demo adds to pages: the people to sign in as, and the guide beside a dialogue."""

from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from demo.people import DEMO_PEOPLE, PUBLISHED
from leaderboards.models import Publication


def demo(request: HttpRequest) -> dict[str, Any]:
    match = request.resolver_match
    is_guided = "guide" in request.GET and match is not None and match.url_name == "console"
    return {
        "demo_people": DEMO_PEOPLE,
        "published_slug": published_slug,
        "foot_parts": ["demo/_guide.html"] if is_guided else [],
    }


def published_slug() -> str:
    """The campaign of published results; empty for the seconds that the server takes to freeze its leaderboard."""
    public = Publication.objects.public(timezone.now()).filter(snapshot__campaign__slug=PUBLISHED)
    return PUBLISHED if public.exists() else ""
