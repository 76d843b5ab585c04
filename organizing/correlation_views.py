"""The meta-evaluation: do the metrics agree with people? For organizers as it stands, for everybody once it is published."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.access import Access, person_of
from accounts.form_routes import form_on
from campaigns.access import for_roles, roles_of
from campaigns.models import Campaign, Role
from leaderboards.table_files.text_files import csv_pieces
from organizing.actions import remove_metrics, store_metrics
from organizing.meta_evaluation_page import TABLES, Reading, reading_of
from organizing.models import MetricFile
from publication.queries import campaign_with_visible_board
from reading.checking import BadFile
from reading.findings import Finding
from scoring.figure_tables import COEFFICIENTS

PROBLEMS_SHOWN = 50
USUAL = "spearman"
NAMES = {"pearson": "Pearson r", "spearman": "Spearman ρ", "kendall": "Kendall τ-b"}


def _reading(request: HttpRequest, slug: str) -> Reading:
    """Errors: `Http404` for whoever may not see the campaign's leaderboard."""
    campaign = campaign_with_visible_board(request.user, slug)
    return reading_of(campaign, roles_of(request.user, campaign), timezone.now())


@require_GET
def correlations(request: HttpRequest, slug: str) -> HttpResponse:
    try:
        reading = _reading(request, slug)
    except Http404:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        raise
    return _page(request, reading)


correlations.access = Access("published")  # type: ignore[attr-defined]


def _page(request: HttpRequest, reading: Reading, problems: list[Finding] | None = None) -> HttpResponse:
    campaign = reading.campaign
    as_organizer = Role.ORGANIZER in roles_of(request.user, campaign)
    by = request.GET.get("by", "")
    by = by if by in COEFFICIENTS else USUAL
    return render(
        request,
        "organizing/correlations.html",
        {
            "campaign": campaign,
            "reading": reading,
            "by": by,
            "coefficients": [(name, NAMES[name]) for name in COEFFICIENTS],
            "maps": reading.maps(by),
            "lines": reading.lines(),
            "as_organizer": as_organizer,
            "file": MetricFile.objects.filter(campaign=campaign).defer("figures").first() if as_organizer else None,
            "problems": (problems or [])[:PROBLEMS_SHOWN],
            "n_problems": len(problems or []),
            "limit_bytes": settings.UPLOAD_LIMIT_BYTES,
            "limit_mb": settings.UPLOAD_LIMIT_BYTES // 1024 // 1024,
        },
        status=422 if problems else 200,
    )


@require_GET
def correlation_file(request: HttpRequest, slug: str, table: str) -> HttpResponse:
    """One of the tables as CSV; the automatic and the human one are what the correlations are computed from."""
    reading = _reading(request, slug)
    if table not in TABLES:
        raise Http404
    columns, rows = TABLES[table](reading)
    name = f"{reading.campaign.slug}-{table}.csv"
    return HttpResponse(
        "".join(csv_pieces(columns, rows)).encode(),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


correlation_file.access = Access("published")  # type: ignore[attr-defined]


@for_roles(Role.ORGANIZER)
@form_on("correlations")
def metric_file(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Stores an uploaded table of metrics, or removes it. A table with problems changes nothing."""
    file = request.FILES.get("file")
    if request.POST.get("act") == "remove":
        remove_metrics(campaign=campaign, by=person_of(request))
        messages.success(request, _("The table is removed."))
    elif file is None:
        messages.error(request, _("Choose a file first."))
    else:
        try:
            content, by = file.read(), person_of(request)
            store_metrics(campaign=campaign, name=file.name or "", content=content, at=timezone.now(), by=by)
        except BadFile as bad:
            return _page(request, reading_of(campaign, frozenset({Role.ORGANIZER}), timezone.now()), bad.problems)
        messages.success(request, _("The table is stored. The correlations are computed within seconds."))
    return redirect("correlations", slug=campaign.slug)
