"""An organizer asks a team of another campaign to take part, and a member of that team answers: pages and API."""

from typing import Annotated, TypedDict

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request

from accounts.access import person_of
from accounts.form_routes import form_on, tells_refusal
from api.answers import From
from api.describing import describes
from api.paging import PAGES, Page, page_of
from api.parsers import body_in, fields_of
from campaigns.access import OrganizersView, for_roles, team_of
from campaigns.models import Campaign, Role
from organizing.participating.api import TeamsView
from participants.limits import NAME_LIMIT
from reading.json_schemas import Moment
from reading.kinds import ANY_TEXT, FLAG, Text
from reading.tables import Field, Table
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


ASKED = Table({"name": Field(Text(NAME_LIMIT))}, keeps_others=True)
# A missing name is refused as an empty one, with a sentence of its own.
ANY_NAME = Table({"name": Field(ANY_TEXT, "")}, keeps_others=True)
ANSWER = Table({"accepts": Field(FLAG)}, keeps_others=True)


class TeamRequestDocument(TypedDict):
    """`answered_by` is the member who accepted. Whether a team of that name was found or declined is not told."""

    id: Annotated[int, From("pk")]
    name: str
    state: str
    asked_at: Moment
    answered_by: Annotated[str | None, From("answered_by.username")]


class AskedDocument(TypedDict):
    """A request of the campaign `campaign`, as the team that is asked reads it."""

    id: Annotated[int, From("pk")]
    campaign: Annotated[str, From("campaign.slug")]
    campaign_name: Annotated[str, From("campaign.name")]
    asked_at: Moment


class TeamRequests(OrganizersView):
    """GET lists them, POST asks the teams of that name in other campaigns."""

    @describes("Lists the requests to teams of other campaigns", list[TeamRequestDocument], asks=PAGES)
    def get(self, request: Request) -> Page:
        return page_of(request, self.campaign.team_requests.select_related("answered_by"))

    @describes(
        "Asks a team of another campaign to take part", TeamRequestDocument, 201, reads=ASKED, refuses=(409, 422)
    )
    def post(self, request: Request) -> TeamRequest:
        name = body_in(request, ANY_NAME)["name"]
        return ask_team(campaign=self.campaign, name=name, by=person_of(request), at=timezone.now())


class OneTeamRequest(OrganizersView):
    """DELETE withdraws it; a team that accepted and has nothing here yet is not known here any more."""

    @describes("Withdraws a request to a team", None, 204, refuses=(409,))
    def delete(self, request: Request, team_request_id: int) -> None:
        asked = get_object_or_404(self.campaign.team_requests, pk=team_request_id)
        withdraw_team_request(request=asked, by=person_of(request), at=timezone.now())


class RequestsToTeam(TeamsView):
    @describes(
        "Lists the campaigns that ask the own team to take part", list[AskedDocument], asks=PAGES, refuses=(409,)
    )
    def get(self, request: Request) -> Page:
        return page_of(request, TeamRequest.objects.for_team(self.team).select_related("campaign"))


class RequestToTeam(TeamsView):
    """POST answers for the team: `accepts`."""

    @describes("Accepts or declines for the own team", None, 204, reads=ANSWER, refuses=(409,))
    def post(self, request: Request, team_request_id: int) -> None:
        asked = get_object_or_404(TeamRequest.objects.for_team(self.team), pk=team_request_id)
        accepts = fields_of(request).get("accepts") is True
        by, at = person_of(request), timezone.now()
        answer_team_request(request=asked, team=self.team, person=by, accepts=accepts, at=at)
