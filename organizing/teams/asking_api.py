"""REST: an organizer asks a team of another campaign to take part, a member of that team answers."""

from typing import TypedDict

from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from api.describing import describes
from api.paging import PAGES, listed
from api.parsers import fields_of
from organizing.participating.api import TeamsView, text_in
from organizing.teams.api import OrganizersView
from participants.limits import NAME_LIMIT
from reading.json_schemas import Moment
from reading.kinds import FLAG, Text
from reading.tables import Field, Table
from registration.actions import answer_team_request, ask_team, withdraw_team_request
from registration.models import TeamRequest

ASKED = Table({"name": Field(Text(NAME_LIMIT))}, keeps_others=True)
ANSWER = Table({"accepts": Field(FLAG)}, keeps_others=True)


class TeamRequestDocument(TypedDict):
    """`answered_by` is the member who accepted. Whether a team of that name was found or declined is not told."""

    id: int
    name: str
    state: str
    asked_at: Moment
    answered_by: str | None


class AskedDocument(TypedDict):
    """A request of the campaign `campaign`, as the team that is asked reads it."""

    id: int
    campaign: str
    campaign_name: str
    asked_at: Moment


class TeamRequests(OrganizersView):
    """GET lists them, POST asks the teams of that name in other campaigns."""

    @describes("Lists the requests to teams of other campaigns", list[TeamRequestDocument], asks=PAGES)
    def get(self, request: Request, slug: str) -> Response:
        asked = self.campaign(request, slug).team_requests.select_related("answered_by")
        return listed(request, asked, request_document)

    @describes(
        "Asks a team of another campaign to take part", TeamRequestDocument, 201, reads=ASKED, refuses=(409, 422)
    )
    def post(self, request: Request, slug: str) -> Response:
        campaign, name = self.campaign(request, slug), text_in(request, "name")
        asked = ask_team(campaign=campaign, name=name, by=person_of(request), at=timezone.now())
        return Response(request_document(asked), status=201)


class OneTeamRequest(OrganizersView):
    """DELETE withdraws it; a team that accepted and has nothing here yet is not known here any more."""

    @describes("Withdraws a request to a team", None, 204, refuses=(409,))
    def delete(self, request: Request, slug: str, team_request_id: int) -> Response:
        asked = get_object_or_404(self.campaign(request, slug).team_requests, pk=team_request_id)
        withdraw_team_request(request=asked, by=person_of(request), at=timezone.now())
        return Response(status=204)


class RequestsToTeam(TeamsView):
    @describes(
        "Lists the campaigns that ask the own team to take part", list[AskedDocument], asks=PAGES, refuses=(409,)
    )
    def get(self, request: Request, slug: str) -> Response:
        team = self.team(request, self.campaign(request, slug))
        return listed(request, TeamRequest.objects.for_team(team).select_related("campaign"), asked_document)


class RequestToTeam(TeamsView):
    """POST answers for the team: `accepts`."""

    @describes("Accepts or declines for the own team", None, 204, reads=ANSWER, refuses=(409,))
    def post(self, request: Request, slug: str, team_request_id: int) -> Response:
        team = self.team(request, self.campaign(request, slug))
        asked = get_object_or_404(TeamRequest.objects.for_team(team), pk=team_request_id)
        accepts = fields_of(request).get("accepts") is True
        answer_team_request(request=asked, team=team, person=person_of(request), accepts=accepts, at=timezone.now())
        return Response(status=204)


def request_document(asked: TeamRequest) -> TeamRequestDocument:
    return {
        "id": asked.pk,
        "name": asked.name,
        "state": asked.state,
        "asked_at": asked.asked_at.isoformat(),
        "answered_by": asked.answered_by.username if asked.answered_by else None,
    }


def asked_document(asked: TeamRequest) -> AskedDocument:
    return {
        "id": asked.pk,
        "campaign": asked.campaign.slug,
        "campaign_name": asked.campaign.name,
        "asked_at": asked.asked_at.isoformat(),
    }
