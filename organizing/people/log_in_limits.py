"""Wrong passwords in one network keep strange browsers there out: an organizer lifts that for the campaign's people (page, API)."""

from datetime import datetime
from typing import TypedDict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from accounts.form_routes import form_on
from accounts.log_in.actions import lift_network_limit
from accounts.models import Person
from api.describing import describes
from campaigns.access import campaign_for, for_roles
from campaigns.models import Campaign, Role
from reading.json_schemas import Moment


class LiftedAnswer(TypedDict):
    until: Moment


@for_roles(Role.ORGANIZER)
@form_on("people")
def lift_limit(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    _lift(campaign, person_of(request))
    messages.success(request, _("For an hour, this campaign's people can log in from any network."))
    return redirect("people", slug=campaign.slug)


class LogInLimit(APIView):
    """DELETE lifts it for everybody with a role in the campaign, and says until when."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes("Lifts the limit of log-in guesses per network for the campaign's people, for an hour", LiftedAnswer)
    def delete(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        return Response(LiftedAnswer(until=_lift(campaign, person_of(request)).isoformat()))


def _lift(campaign: Campaign, by: Person) -> datetime:
    people = Person.objects.filter(pk__in=campaign.roles.values("person"))
    return lift_network_limit(people=list(people), by=by, at=timezone.now(), campaign=campaign.slug)
