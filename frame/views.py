"""Pages of no single room: the front page, one's campaigns, a campaign's page, the parts, the icon."""

from dataclasses import replace
from datetime import date
from pathlib import Path

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from accounts.access import for_people, for_staff, open_to_all, person_of
from campaigns.access import OF_PUBLIC, readable_campaign
from campaigns.models import Campaign, Role
from dialogues.daily_progress import DailyProgress, daily_progress
from frame.campaign_progress import milestones_of, standing_of
from frame.campaign_rows import own_rows, public_rows
from frame.finding import found_for
from frame.next_steps import landing, steps_in
from frame.rules import rules_of
from leaderboards.board import Board, with_english_names
from look.icons import names
from organizing.setting_up.checklist import checklist
from publication.documents import board_in
from publication.queries import published

COLOURS = [
    "canvas",
    "surface",
    "sunken",
    "hover",
    "line",
    "edge",
    "field",
    "text-3",
    "text-2",
    "text",
    "accent",
    "accent-hover",
    "tint",
    "tint-line",
    "ok",
    "ok-tint",
    "warn",
    "warn-tint",
    "bad",
    "bad-tint",
]
SAMPLE_DAYS = (2, 5, 0, 6, 8, 7, 3)
SIZES = ((28, 36, 600), (20, 28, 600), (15, 24, 400), (13, 20, 500), (13, 20, 400), (12, 16, 400))
# Of the leaderboard, on the page of a published campaign.
FIRST_ROWS = 5
FAVICON = Path(settings.BASE_DIR) / "static" / "favicon.ico"


@open_to_all
@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Newcomers learn what Huace is; people with an account see their campaigns and what they do there."""
    if request.user.is_authenticated:
        rows = own_rows(person_of(request))
        to_do = [(row, step) for row in rows for step in row.steps if step.to_do and step.url]
        return render(request, "frame/home.html", {"rows": rows, "to_do": to_do})
    return render(request, "frame/front.html", _public_ones())


@open_to_all
@require_GET
def about(request: HttpRequest) -> HttpResponse:
    """The front page, for people with an account too."""
    return render(request, "frame/front.html", _public_ones())


def _public_ones() -> dict[str, object]:
    rows = public_rows()
    published = [row for row in rows if row.standing.is_published]
    return {
        "rows": rows,
        "latest": published[0] if published else None,
        "n_published": len(published),
        "n_records": sum(row.standing.n_records for row in published),
        "n_systems": sum(row.standing.n_entries for row in published),
    }


@for_people
@require_GET
def start(request: HttpRequest) -> HttpResponse:
    """Where the login leads: who has one thing to do lands on it."""
    return redirect(landing(person_of(request)))


@for_people
@require_GET
def find(request: HttpRequest) -> HttpResponse:
    """What a word leads to; static/frame/find.js shows the same list on every page."""
    word, here = request.GET.get("q", ""), request.GET.get("in", "")
    shown = {"word": word, "here_slug": here, "hits": found_for(person_of(request), word, here)}
    return render(request, "frame/find.html", shown)


@require_GET
def campaign_page(request: HttpRequest, slug: str) -> HttpResponse:
    """What this campaign is, where it stands, what is next for the reader. Outsiders find it once it is public."""
    try:
        campaign, roles = readable_campaign(request.user, slug)
    except Http404:
        if not request.user.is_authenticated and Campaign.objects.filter(slug=slug).exists():
            return redirect_to_login(request.get_full_path())
        raise
    standing = standing_of(campaign)
    is_organizer = Role.ORGANIZER in roles and not campaign.is_published
    todos = checklist(campaign) if is_organizer else []
    next_to_do = next((todo for todo in todos if not todo.is_done), None)
    steps = steps_in(request.user, campaign, roles, standing)
    if next_to_do is not None:
        # The list above leads on: no step sends the organizer to this very page.
        steps = [step for step in steps if step.url != request.path]
    return render(
        request,
        "frame/campaign.html",
        {
            "campaign": campaign,
            "standing": standing,
            "stages": milestones_of(campaign, standing),
            "daily": daily_progress(campaign, standing.n_expected, timezone.now()) if standing.n_dialogues else None,
            "steps": steps,
            "rules": rules_of(campaign),
            "results": _first_results(campaign) if standing.is_published else None,
            "description": campaign.descriptions.first(),
            "may_describe": Role.ORGANIZER in roles,
            "checklist": todos,
            "next_to_do": next_to_do,
        },
    )


campaign_page.access = OF_PUBLIC  # type: ignore[attr-defined]


def _first_results(campaign: Campaign) -> Board | None:
    """The first rows of the published leaderboard; None where only another board is public."""
    shown = published(campaign, timezone.now())
    if shown is None:
        return None
    board = with_english_names(board_in(shown.document), campaign.english_team_names())
    return replace(board, rows=board.rows[:FIRST_ROWS])


@require_GET
def description_page(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """What the campaign said of itself in one version, for those who may see its page."""
    campaign, _roles = readable_campaign(request.user, slug)
    shown = {
        "campaign": campaign,
        "description": get_object_or_404(campaign.descriptions, version=version),
        "versions": campaign.descriptions.values("version", "written_at"),
    }
    return render(request, "frame/description.html", shown)


description_page.access = OF_PUBLIC  # type: ignore[attr-defined]


@for_staff
@require_GET
def design(request: HttpRequest) -> HttpResponse:
    """Every part of the interface on one page."""
    days = {date(2026, 5, day): n for day, n in enumerate(SAMPLE_DAYS, start=1)}
    daily = DailyProgress(days, n_expected=60, today=max(days), until=date(2026, 5, 14))
    shown = {"colours": COLOURS, "sizes": SIZES, "icons": names(), "daily": daily, "spark": SAMPLE_DAYS}
    return render(request, "frame/design.html", shown)


@open_to_all
@require_GET
@cache_control(public=True, max_age=7 * 24 * 3600)
def favicon(request: HttpRequest) -> HttpResponse:
    return HttpResponse(FAVICON.read_bytes(), content_type="image/x-icon")
