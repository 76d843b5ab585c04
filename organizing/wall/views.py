"""The organizer's live wall."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_GET

from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from dialogues.announcements import ANNOUNCEMENT_LIMIT
from organizing.wall.now import wall_now
from organizing.wall.words import wall_strings
from participants.limits import REASON_LIMIT


@for_roles(Role.ORGANIZER)
@require_GET
def wall(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return wall_page(request, campaign)


def wall_page(
    request: HttpRequest,
    campaign: Campaign,
    *,
    said: Mapping[str, str] | None = None,
    wrong: Mapping[str, str] | None = None,
) -> HttpResponse:
    """The page; `said` and `wrong` are what somebody typed into its form, and what has to be corrected."""
    at = timezone.now()
    return render(
        request,
        "organizing/wall.html",
        {
            "campaign": campaign,
            "state": wall_now(campaign, at),
            "settings": page_settings(campaign),
            "strings": wall_strings(testers_choose=campaign.free_choice),
            "reason_limit": REASON_LIMIT,
            "announcements": campaign.announcements.standing(at).select_related("made_by"),
            "announcement_limit": ANNOUNCEMENT_LIMIT,
            "said": said or {},
            "wrong": wrong or {},
        },
        status=400 if wrong else 200,
    )


def page_settings(campaign: Campaign) -> dict[str, Any]:
    """What the page's script needs beside the state."""
    return {
        "socket": f"/ws/campaigns/{campaign.slug}/wall/?language={get_language()}",
        "dialogues": reverse("dialogues", args=[campaign.slug]),
        "failures": reverse("failures", args=[campaign.slug]),
    }
