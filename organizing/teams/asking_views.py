"""Pages: an organizer asks a team of another campaign to take part, a member of that team answers."""

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.access import person_of
from accounts.form_routes import form_on, tells_refusal
from campaigns.access import for_roles, team_of
from campaigns.models import Campaign, Role
from registration.actions import answer_team_request, ask_team, withdraw_team_request
from registration.models import TeamRequest


@for_roles(Role.ORGANIZER)
@form_on("teams")
@tells_refusal
def ask(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    name = request.POST.get("name", "")
    asked = ask_team(campaign=campaign, name=name, by=person_of(request), at=timezone.now())
    messages.success(request, _("If there is a team named %(name)s, its members are asked.") % {"name": asked.name})
    return redirect("teams", campaign.slug)


@for_roles(Role.ORGANIZER)
@form_on("teams")
@tells_refusal
def withdraw(request: HttpRequest, campaign: Campaign, team_request_id: int) -> HttpResponse:
    asked = get_object_or_404(campaign.team_requests, pk=team_request_id)
    withdraw_team_request(request=asked, by=person_of(request), at=timezone.now())
    messages.success(request, _("The request is withdrawn."))
    return redirect("teams", campaign.slug)


@for_roles(Role.PARTICIPANT)
@form_on("team")
@tells_refusal
def answer(request: HttpRequest, campaign: Campaign, team_request_id: int) -> HttpResponse:
    """`campaign` is where the person takes part; the request comes from another one."""
    team = team_of(person_of(request), campaign)
    asked = get_object_or_404(
        TeamRequest.objects.for_team(team) if team else TeamRequest.objects.none(), pk=team_request_id
    )
    act = request.POST.get("act")
    if team is None or act not in {"accept", "decline"}:
        raise BadRequest("There is no such act.")
    accepts = act == "accept"
    answer_team_request(request=asked, team=team, person=person_of(request), accepts=accepts, at=timezone.now())
    messages.success(request, _("Your team takes part there, too.") if accepts else _("The request is declined."))
    return redirect("team", campaign.slug)
