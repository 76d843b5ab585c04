"""Pages of conformance reports."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access import open_to_all, person_of
from campaigns.access import for_roles, has_role
from campaigns.models import Campaign, Entry, Role
from conformance.access import ROLES, check_for, system_for
from conformance.actions import CannotCheck, ask_check, change_of
from conformance.actions.checks import HISTORY
from conformance.documents import n_probes, rows_of, word_of
from conformance.models import AnyCheck, Check, Routes
from conformance.system_kinds import BOTS
from serving.refused import Refused

BADGE_KINDS = {"pass": "good", "warn": "care", "fail": "fail", "": "none"}


@dataclass(frozen=True, slots=True)
class Place:
    """Whose checks the pages show: an entry or a service, by what name, and where its own page is."""

    campaign: Campaign
    subject: Any
    routes: Routes
    name: str
    home: str
    home_name: str
    is_service: bool = False

    @property
    def context(self) -> dict[str, Any]:
        names = ("campaign", "subject", "routes", "name", "home", "home_name", "is_service")
        return {name: getattr(self, name) for name in names}


def checks_page(request: HttpRequest, place: Place) -> HttpResponse:
    """The history of the checks and the fingerprints."""
    subject = place.subject
    listed = subject.checks.select_related("asked_by").latest_first()[:HISTORY]
    shown = {
        "checks": [(check, word_of(check)) for check in listed],
        "fingerprints": subject.fingerprints.all()[:HISTORY],
        "changed": change_of(subject),
    }
    return render(request, "conformance/checks.html", place.context | shown)


def check_page(request: HttpRequest, place: Place, check: AnyCheck) -> HttpResponse:
    shown = {"check": check, "rows": rows_of(check), "word": word_of(check), "total": n_probes(check)}
    return render(request, "conformance/check.html", place.context | shown)


def asked(request: HttpRequest, place: Place, ask: Callable[[], AnyCheck]) -> HttpResponse:
    """Leads to the check that was asked for, or to the one that runs already."""
    slug, routes, subject = place.campaign.slug, place.routes, place.subject
    try:
        return redirect(routes.one, slug, ask().pk)
    except Refused as refused:
        messages.error(request, str(refused))
        is_checking = isinstance(refused, CannotCheck) and refused.code == "checking"
    latest = subject.checks.latest_first().first() if is_checking else None
    return redirect(routes.one, slug, latest.pk) if latest else redirect(routes.all, slug, subject.pk)


def badge_of(request: HttpRequest, check: AnyCheck) -> HttpResponse:
    """A picture for a team's own pages: verdict and day, and nothing of the campaign. Its address cannot be guessed."""
    shown = {"kind": BADGE_KINDS[check.verdict], "word": word_of(check), "check": check}
    answer = render(request, "conformance/badge.svg", shown, content_type="image/svg+xml")
    answer["Cache-Control"] = "public, max-age=300"
    return answer


@for_roles(*ROLES)
@require_http_methods(["GET", "HEAD", "POST"])
def checks(request: HttpRequest, campaign: Campaign, entry_id: int) -> HttpResponse:
    """GET shows the checks of one bot and its fingerprints; POST asks for a check."""
    entry = system_for(BOTS, person_of(request), campaign, entry_id)
    place = place_of(request, campaign, entry)
    if request.method == "POST":
        return asked(request, place, lambda: ask_check(BOTS, system=entry, by=person_of(request), at=timezone.now()))
    return checks_page(request, place)


@for_roles(*ROLES)
@require_GET
def one_check(request: HttpRequest, campaign: Campaign, check_id: UUID) -> HttpResponse:
    check = check_for(BOTS, person_of(request), campaign, check_id)
    return check_page(request, place_of(request, campaign, check.entry), check)


def place_of(request: HttpRequest, campaign: Campaign, entry: Entry) -> Place:
    """A team knows its bot by the name that it gave, an organizer by its alias, too."""
    bot, alias = entry.bot, entry.alias
    if has_role(person_of(request), campaign, Role.ORGANIZER):
        home = reverse("team-bot", args=[campaign.slug, entry.pk])
        return Place(campaign, entry, Check.routes, f"{alias} {bot}", home, alias)
    home = reverse("own-bot", args=[campaign.slug, entry.pk])
    return Place(campaign, entry, Check.routes, bot.name, home, bot.name)


@open_to_all
@require_GET
def badge(request: HttpRequest, check_id: UUID) -> HttpResponse:
    return badge_of(request, get_object_or_404(Check, pk=check_id))
