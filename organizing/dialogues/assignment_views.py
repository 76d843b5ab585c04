"""The organizer's page of what nobody has done yet, and giving one of it to another tester."""

from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access import person_of
from accounts.models import Person
from campaigns.access import for_roles
from campaigns.actions import ReasonNeeded
from campaigns.models import Assignment, Campaign, Role
from dialogues.actions.deciding import NotPossible, reassign
from organizing.dialogues.to_do import PER_PAGE, assignments_to_do, free_testers, to_do_filters_of, to_do_rows
from participants.limits import REASON_LIMIT


@for_roles(Role.ORGANIZER)
@require_GET
def to_do(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    filters = to_do_filters_of(request.GET.dict())
    page = Paginator(assignments_to_do(campaign, filters), PER_PAGE).get_page(request.GET.get("page"))
    testers = Person.objects.filter(pk__in=campaign.assignments.order_by().values("tester")).order_by("username")
    shown = {
        "campaign": campaign,
        "page": page,
        "rows": to_do_rows(campaign, page.object_list, timezone.now()),
        "filters": filters,
        "query": urlencode(filters.said()),
        "at_work": campaign.roles.at_work()
        .testers()
        .order_by("person__username")
        .values_list("person__username", flat=True),
        "choices": {
            "entries": campaign.entries.listed().select_related("bot__team").order_by("alias"),
            "testers": testers.values_list("username", flat=True),
        },
    }
    return render(request, "organizing/dialogues/to_do.html", shown)


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def reassign_shown(request: HttpRequest, campaign: Campaign, assignment_id: int) -> HttpResponse:
    """GET asks to whom and why; POST gives the assignment to that tester."""
    assignment = get_object_or_404(campaign.assignments.with_names().select_related("tester"), pk=assignment_id)
    if request.method != "POST":
        return _page(request, campaign, assignment)
    name, because = request.POST.get("tester", ""), request.POST.get("because", "")
    to = Person.objects.filter(username=name).first()
    if to is None:
        return _page(request, campaign, assignment, wrong_tester=_("Choose a tester."), tester=name, because=because)
    try:
        reassign(assignment=assignment, to=to, by=person_of(request), because=because, at=timezone.now())
    except ReasonNeeded as needed:
        return _page(request, campaign, assignment, wrong_because=str(needed), tester=name, because=because)
    except NotPossible as refused:
        return _page(request, campaign, assignment, wrong_tester=str(refused), tester=name, because=because)
    messages.success(request, _("The assignment is %(name)s's now.") % {"name": to.username})
    return redirect("assignments", slug=campaign.slug)


def _page(request: HttpRequest, campaign: Campaign, assignment: Assignment, **typed: str) -> HttpResponse:
    shown = {
        "campaign": campaign,
        "assignment": assignment,
        "free": free_testers(campaign, assignment),
        "reason_limit": REASON_LIMIT,
        "not_done": {"because": typed.get("because"), "wrong": typed["wrong_tester"]}
        if "wrong_tester" in typed
        else None,
        **typed,
    }
    return render(request, "organizing/dialogues/reassign.html", shown, status=400 if typed else 200)
