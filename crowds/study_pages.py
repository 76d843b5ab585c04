"""A campaign's studies for crowds, for its organizers: declared, opened, watched, paid."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access import person_of
from accounts.form_routes import form_on, tells_refusal
from campaigns.access import for_roles
from campaigns.campaign_file.study_specs import PARAMETERS
from campaigns.models import Campaign, Role
from crowds.actions.declaring import change_study, close_study, make_study, open_study
from crowds.actions.ending import decide, forget_outside_ids
from crowds.models import Arrival, CrowdStudy
from crowds.overview import bulk_ids, link_of, listed_studies, numbers_of, payments_csv, payments_on
from crowds.platforms import Outcome
from crowds.study_form import codes_of_form, shown_study, spec_of_form, typed_in
from reading.checking import BadForm
from serving.refused import Refused

PER_PAGE = 50
NEW = {"role": "tester", "platform": "prolific", "currency": "CNY", "quota": "30", "needed": "5", "minutes": "30"}


def study_in(campaign: Campaign, study_id: int) -> CrowdStudy:
    study = get_object_or_404(CrowdStudy, campaign=campaign, pk=study_id)
    study.campaign = campaign
    return study


@for_roles(Role.ORGANIZER)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def studies(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """POST makes one, as a draft."""
    if request.method != "POST":
        return _studies_page(request, campaign, NEW)
    typed = typed_in(request.POST)
    try:
        spec, codes = spec_of_form(typed), codes_of_form(request.POST)
        made = make_study(campaign=campaign, spec=spec, codes=codes, by=person_of(request), at=timezone.now())
    except BadForm as bad:
        return _studies_page(request, campaign, typed, wrong=_by_field(bad), status=422)
    except Refused as refused:
        return _studies_page(request, campaign, typed, refused=str(refused), status=409)
    messages.success(request, _("The study is a draft: look at it, then open it."))
    return redirect("study", campaign.slug, made.pk)


def _studies_page(
    request: HttpRequest, campaign: Campaign, typed: dict[str, str], *, status: int = 200, **said: Any
) -> HttpResponse:
    shown = {
        "campaign": campaign,
        "studies": listed_studies(campaign),
        "typed": typed,
        **_choices({}),
    }
    return render(request, "crowds/studies.html", shown | said, status=status)


def _choices(codes: dict[str, str]) -> dict[str, Any]:
    return {
        "roles": CrowdStudy.WorkedAs.choices,
        "platforms": CrowdStudy.On.choices,
        "parameters": [(CrowdStudy.On(key).label, ", ".join(names)) for key, names in PARAMETERS.items()],
        "outcomes": [
            (
                one.value,
                CrowdStudy.State.CLOSED.label if one == Outcome.CLOSED else Arrival.State(one).label,
                one in codes,
            )
            for one in Outcome
        ],
    }


def _by_field(bad: BadForm) -> dict[str, str]:
    """The first sentence of each field; what stands inside of one is told at it."""
    wrong: dict[str, str] = {}
    for problem in bad.problems:
        wrong.setdefault(problem.place.partition("[")[0].partition(".")[0].partition(" ")[0], problem.message)
    return wrong


@for_roles(Role.ORGANIZER)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def study(request: HttpRequest, campaign: Campaign, study_id: int) -> HttpResponse:
    """POST changes it."""
    found = study_in(campaign, study_id)
    if request.method != "POST":
        return _study_page(request, found, shown_study(found))
    typed = typed_in(request.POST)
    try:
        spec, codes = spec_of_form(typed), codes_of_form(request.POST)
        change_study(study=found, spec=spec, codes=codes, by=person_of(request), at=timezone.now())
    except BadForm as bad:
        return _study_page(request, found, typed, wrong=_by_field(bad), status=422)
    except Refused as refused:
        return _study_page(request, found, typed, refused=str(refused), status=409)
    messages.success(request, _("The study is changed."))
    return redirect("study", campaign.slug, found.pk)


def _study_page(
    request: HttpRequest, found: CrowdStudy, typed: dict[str, str], *, status: int = 200, **said: Any
) -> HttpResponse:
    page = Paginator(found.arrivals.paid_for(), PER_PAGE).get_page(request.GET.get("page"))
    shown = {
        "campaign": found.campaign,
        "study": found,
        "numbers": numbers_of(found),
        "link": link_of(found, request.build_absolute_uri(reverse("enter", args=[found.door]))),
        "rows": list(payments_on(found, page)),
        "listed": page,
        "typed": typed,
        "lost_codes": found.has_lost_its_secret(),
        "takes_assignments": found.platform == CrowdStudy.On.MTURK,
        **_choices(found.codes),
    }
    return render(request, "crowds/study.html", shown | said, status=status)


@for_roles(Role.ORGANIZER)
@form_on("study")
@tells_refusal
def act_on_study(request: HttpRequest, campaign: Campaign, study_id: int) -> HttpResponse:
    """Opens or closes it, or erases what the platform calls its people."""
    found, by, at = study_in(campaign, study_id), person_of(request), timezone.now()
    act = request.POST.get("act", "")
    if act == "open":
        open_study(study=found, by=by, at=at)
        messages.success(request, _("The study is open: give its link to the platform."))
    elif act == "close":
        close_study(study=found, by=by, at=at)
        messages.success(request, _("The study is closed: nobody new is let in."))
    elif act == "forget":
        n = forget_outside_ids(study=found, by=by, at=at)
        messages.success(request, _("The ids of the platform are erased: %(n)d people.") % {"n": n})
    return redirect("study", campaign.slug, found.pk)


@for_roles(Role.ORGANIZER)
@form_on("study")
@tells_refusal
def decide_arrival(request: HttpRequest, campaign: Campaign, study_id: int, arrival_id: int) -> HttpResponse:
    found = study_in(campaign, study_id)
    arrival = get_object_or_404(found.arrivals, pk=arrival_id)
    chosen = request.POST.get("decision", "")
    decide(
        arrival=arrival,
        decision=Arrival.Decision(chosen) if chosen in Arrival.Decision.values else Arrival.Decision.NONE,
        has_bonus=request.POST.get("bonus") == "on",
        because=request.POST.get("because", ""),
        by=person_of(request),
        at=timezone.now(),
    )
    messages.success(request, _("The decision is stored."))
    return redirect("study", campaign.slug, found.pk)


@for_roles(Role.ORGANIZER)
@never_cache
@require_GET
def payments_file(request: HttpRequest, campaign: Campaign, study_id: int) -> StreamingHttpResponse:
    found = study_in(campaign, study_id)
    return attached(payments_csv(found), f"{campaign.slug}-{found.key}-payments.csv", "text/csv; charset=utf-8")


@for_roles(Role.ORGANIZER)
@never_cache
@require_GET
def ids_file(request: HttpRequest, campaign: Campaign, study_id: int) -> StreamingHttpResponse:
    """The ids to approve, one per line; with `?list=rejected` those to reject."""
    found = study_in(campaign, study_id)
    decision = list_asked(request)
    return attached(
        bulk_ids(found, decision), f"{campaign.slug}-{found.key}-{decision}.txt", "text/plain; charset=utf-8"
    )


def list_asked(request: Any) -> str:
    is_rejected = request.GET.get("list") == Arrival.Decision.REJECTED
    return str(Arrival.Decision.REJECTED if is_rejected else Arrival.Decision.APPROVED)


def attached(pieces: Any, name: str, kind: str) -> StreamingHttpResponse:
    answer = StreamingHttpResponse((piece.encode() for piece in pieces), content_type=kind)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
