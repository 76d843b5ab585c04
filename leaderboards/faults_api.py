"""REST: what a bot's failures cost on the leaderboard."""

from dataclasses import asdict
from typing import TypedDict

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from accounts.describing import describes
from accounts.own_api import read_body
from campaigns.access import campaign_for
from campaigns.campaign_settings import settings_of
from campaigns.models import Role
from leaderboards.actions import change_fault_policy
from scoring.kinds import Choice
from scoring.tables import Field, Table
from testing_console.fault_policy import FaultPolicy, fault_policy_of

POLICY = Table({name: Field(Choice(one.stored_choices)) for name, one in settings_of("faults").items()})


class PolicyAnswer(TypedDict):
    broken_dialogues: str
    failed_turns: str


class Faults(APIView):
    access = Access("roles", (Role.ORGANIZER,))

    @describes("Gives what a bot's failures cost", PolicyAnswer)
    def get(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        return Response(asdict(fault_policy_of(campaign)))

    @describes(
        "Changes what a bot's failures cost; the leaderboard is computed anew",
        PolicyAnswer,
        reads=POLICY,
        refuses=(409, 422),
    )
    def put(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        policy = FaultPolicy(**read_body(request, POLICY))
        change_fault_policy(campaign=campaign, policy=policy, at=timezone.now(), by=person_of(request))
        return Response(asdict(policy))
