"""What the pages of checks show and do, of bots as of services; whoever may see them is asked before."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from campaigns.models import Campaign
from conformance.actions import CannotCheck, change_of
from conformance.actions.leases import HISTORY
from conformance.documents import n_probes, rows_of, word_of
from conformance.models import AnyCheck, Routes
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
