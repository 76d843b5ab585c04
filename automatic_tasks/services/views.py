"""Pages of services: all of them, one with its stage and report, what its checks found; for its team and for organizers."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access import open_to_all, person_of
from accounts.form_routes import form_on
from automatic_tasks.access import (
    is_organizer,
    service_of_own_team,
)
from automatic_tasks.actions import (
    change_service,
    register_service,
    submit_service,
)
from automatic_tasks.checked_services import SERVICES
from automatic_tasks.models import Service, ServiceCheck
from automatic_tasks.services.form import read_service, said_in, wrong_fields
from automatic_tasks.services.rows import rows_of
from automatic_tasks.services.stages import move_on
from campaigns.access import for_roles, team_of
from campaigns.models import Campaign, Role
from campaigns.stages import Stage, way_of
from conformance.access import ROLES, check_for, system_for, systems_for
from conformance.actions import ask_check
from conformance.documents import check_panel
from conformance.views import Place, asked, badge_of, check_page, checks_page
from participants.limits import REASON_LIMIT
from reading.checking import BadForm
from serving.refused import Refused


@for_roles(*ROLES)
@require_GET
def services(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    found = systems_for(SERVICES, person_of(request), campaign).order_by("task__position", "team__name", "pk")
    shown = {"campaign": campaign, "rows": rows_of(found, campaign, timezone.now()), "with_task": True}
    return render(request, "automatic_tasks/services.html", shown)


@for_roles(*ROLES)
@require_http_methods(["GET", "HEAD", "POST"])
def one_service(request: HttpRequest, campaign: Campaign, service_id: int) -> HttpResponse:
    """GET shows the service and how it stands; POST changes address and secret: its team's, or as an organizer."""
    service = system_for(SERVICES, person_of(request), campaign, service_id)
    if request.method != "POST":
        return _page(request, service)
    try:
        form, by, at = read_service(said_in(request.POST)), person_of(request), timezone.now()
        if is_organizer(by, service.campaign):
            change_service(service=service, url=form.url, secret=form.secret, by=by, at=at)
        else:
            named: dict[str, Any] = {"task": service.task, "team": service.team, "by": by, "at": at}
            register_service(**named, url=form.url, secret=form.secret)
    except BadForm as bad:
        return _page(request, service, request.POST.get("url"), wrong_fields(bad.problems), status=422)
    except Refused as refused:
        return _refused(request, service, str(refused))
    messages.success(request, _("Address saved."))
    return redirect("service-page", campaign.slug, service.pk)


def _refused(request: HttpRequest, service: Service, why: str) -> HttpResponse:
    """The page with what was typed; a secret is typed again."""
    messages.error(request, why)
    return _page(request, service, request.POST.get("url"), status=409)


def _page(
    request: HttpRequest,
    service: Service,
    typed: str | None = None,
    wrong: Any = None,
    refused: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """`refused`: the reason typed for an act, and why it was not done; beside no form where the service is withdrawn."""
    campaign, at = service.campaign, timezone.now()
    way = way_of(service, campaign, at)
    is_withdrawn = way.key == Stage.WITHDRAWN
    return render(
        request,
        "automatic_tasks/service.html",
        {
            "campaign": campaign,
            "service": service,
            "task": service.task,
            "way": way,
            "is_frozen": way.key == Stage.FROZEN,
            "url": service.url if typed is None else typed,
            "wrong": wrong or {},
            "as_organizer": is_organizer(request.user, campaign),
            "as_team": service.team == team_of(person_of(request), campaign),
            "fresh": service.has_fresh_report(at),
            "has_lost_its_secret": service.has_lost_its_secret(),
            "is_service": True,
            "reason_limit": REASON_LIMIT,
            "stage_refused": None if is_withdrawn else refused,
            "not_done": refused if is_withdrawn else None,
            **check_panel(service, ServiceCheck.routes),
        },
        status=status,
    )


@for_roles(Role.ORGANIZER)
@form_on("service-page")
def change_stage(request: HttpRequest, campaign: Campaign, service_id: int) -> HttpResponse:
    """Admits a service, sends it back, freezes, withdraws or takes it back, or accepts that it changed.

    Where it cannot, the page says why beside the reason typed.
    """
    service = system_for(SERVICES, person_of(request), campaign, service_id)
    act, because = request.POST.get("act", ""), request.POST.get("because", "")
    try:
        move_on(service, act, because, by=person_of(request), at=timezone.now())
    except Refused as refused:
        return _page(request, service, refused={"because": because, "wrong": str(refused)}, status=409)
    messages.success(request, _("Done. The team sees it on its page."))
    return redirect("service-page", campaign.slug, service.pk)


@for_roles(Role.PARTICIPANT)
@form_on("service-page")
def submit(request: HttpRequest, campaign: Campaign, service_id: int) -> HttpResponse:
    service = service_of_own_team(person_of(request), campaign, service_id)
    try:
        submit_service(service=service, by=person_of(request), at=timezone.now())
        messages.success(request, _("The service is submitted. An organizer admits it or says why not."))
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("service-page", campaign.slug, service.pk)


@for_roles(*ROLES)
@require_http_methods(["GET", "HEAD", "POST"])
def checks(request: HttpRequest, campaign: Campaign, service_id: int) -> HttpResponse:
    """GET shows the checks of one service and its fingerprints; POST asks for a check."""
    service = system_for(SERVICES, person_of(request), campaign, service_id)
    if request.method != "POST":
        return checks_page(request, place_of(service))
    by, at = person_of(request), timezone.now()
    return asked(request, place_of(service), lambda: ask_check(SERVICES, system=service, by=by, at=at))


@for_roles(*ROLES)
@require_GET
def one_check(request: HttpRequest, campaign: Campaign, service_check_id: UUID) -> HttpResponse:
    check = check_for(SERVICES, person_of(request), campaign, service_check_id)
    return check_page(request, place_of(check.service), check)


def place_of(service: Service) -> Place:
    campaign, name = service.campaign, f"{service.team.called} · {service.task.name}"
    home = reverse("service-page", args=[campaign.slug, service.pk])
    return Place(campaign, service, ServiceCheck.routes, name, home, name, is_service=True)


@open_to_all
@require_GET
def badge(request: HttpRequest, service_check_id: UUID) -> HttpResponse:
    return badge_of(request, get_object_or_404(ServiceCheck, pk=service_check_id))
