"""The meta-evaluation: do the metrics agree with people? For organizers as it stands, for everybody once it is published."""

from typing import Annotated, Any, TypedDict

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import Access, person_of
from accounts.form_routes import form_on
from api.answers import From
from api.describing import describes
from api.parsers import StrictMultiPartParser
from api.problems import problem_answer
from campaigns.access import OrganizersView, for_roles, roles_of
from campaigns.models import Campaign, Role
from leaderboards.table_files.text_files import csv_pieces
from organizing.actions import remove_metrics, store_metrics
from organizing.heat_maps import TABLES, Reading, reading_of
from organizing.models import MetricFile
from publication.queries import campaign_with_visible_board
from reading.checking import BadFile
from reading.findings import Finding
from reading.json_schemas import Moment
from scoring.figure_tables import COEFFICIENTS

PROBLEMS_SHOWN = 50
USUAL = "spearman"
NAMES = {"pearson": "Pearson r", "spearman": "Spearman ρ", "kendall": "Kendall τ-b"}


def _reading(request: HttpRequest | Request, slug: str) -> Reading:
    """Errors: `Http404` for those who may not see the campaign's leaderboard."""
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


class CorrelationsAnswer(TypedDict):
    campaign: Annotated[str, From("campaign.slug")]
    computed_at: Annotated[Moment | None, From("stored.computed_at")]
    is_outdated: bool
    seed: Annotated[int | None, From(lambda reading: reading.stored.content.get("seed"))]
    n_resamples: Annotated[int | None, From(lambda reading: reading.stored.content.get("n_resamples"))]
    rows: list[dict[str, Any]]


class Correlations(APIView):
    """`rows` are those of `manage.py correlate --format json`, with the skill (empty: all of them)."""

    access = Access("published")
    permission_classes = (AllowAny,)

    @describes("Gives how automatic figures and human means go together", CorrelationsAnswer)
    def get(self, request: Request, slug: str) -> Reading:
        return _reading(request, slug)


class MetricsAnswer(TypedDict):
    """The uploaded table; all three are null where there is none."""

    name: str | None
    uploaded_at: Moment | None
    rows: Annotated[int | None, From(lambda file: len(file.figures))]


class Metrics(OrganizersView):
    """The table of metrics that were computed elsewhere. POST `file` (CSV) takes the place of the one before; DELETE removes it."""

    parser_classes = (StrictMultiPartParser,)

    @describes("Says which table of metrics is stored", MetricsAnswer)
    def get(self, request: Request) -> Any:
        stored = MetricFile.objects.filter(campaign=self.campaign).first()
        return stored or {"name": None, "uploaded_at": None, "rows": None}

    @describes("Stores a table of metrics; the correlations follow", MetricsAnswer, 201, uploads={}, refuses=(409, 422))
    def post(self, request: Request) -> Any:
        file = request.FILES.get("file")
        if file is None:
            return problem_answer(400, "no_file", lambda: _("Send the table as `file` (multipart/form-data)."))
        content, by = file.read(), person_of(request)
        return store_metrics(campaign=self.campaign, name=file.name or "", content=content, at=timezone.now(), by=by)

    @describes("Removes the table of metrics", None, 204, refuses=(409,))
    def delete(self, request: Request) -> None:
        remove_metrics(campaign=self.campaign, by=person_of(request))
