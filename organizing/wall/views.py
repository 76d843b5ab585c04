"""The organizer's live wall."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_GET

from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from organizing.wall.now import wall_now
from organizing.wall.words import wall_strings
from participants.limits import REASON_LIMIT


@for_roles(Role.ORGANIZER)
@require_GET
def wall(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return render(
        request,
        "organizing/wall.html",
        {
            "campaign": campaign,
            "state": wall_now(campaign, timezone.now()),
            "settings": page_settings(campaign),
            "strings": wall_strings(),
            "reason_limit": REASON_LIMIT,
        },
    )


def page_settings(campaign: Campaign) -> dict[str, Any]:
    """What the page's script needs beside the state."""
    return {"socket": f"/ws/campaigns/{campaign.slug}/wall/?language={get_language()}", "language": get_language()}
