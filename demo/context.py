"""What the demo adds to pages: the people to sign in as, and the guide beside a dialogue."""

from typing import Any

from django.http import HttpRequest

from demo.people import DEMO_PEOPLE, PUBLISHED


def demo(request: HttpRequest) -> dict[str, Any]:
    match = request.resolver_match
    is_guided = "guide" in request.GET and match is not None and match.url_name == "console"
    return {
        "demo_people": DEMO_PEOPLE,
        "published_slug": PUBLISHED,
        "foot_parts": ["demo/_guide.html"] if is_guided else [],
    }
