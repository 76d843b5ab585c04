"""REST: a reviewer's queue, the next dialogue of it, and what waits for an expert or an adjudicator."""

from typing import Any

from django.urls import reverse
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import Access, person_of
from api.describing import describes
from campaigns.access import campaign_for, roles_of
from campaigns.models import Role
from reading.kinds import SLUG, Text
from reviews.actions.placing import open_next_place
from reviews.answers import NextAnswer, QueueAnswer, WaitingAnswer
from reviews.api_answers import ReviewsView, checked
from reviews.queries import open_disputes, to_vet
from reviews.queue import queue_of
from testing_console.serializers import KindField


class CampaignSerializer(serializers.Serializer[Any]):
    campaign = KindField(Text(60), required=False, default="")


class Queue(ReviewsView):
    """GET lists the reviewer's places in their own order; `?campaign=` names the campaign."""

    access = Access("roles", (Role.REVIEWER,))

    @describes("Lists the reviewer's places in their own order", QueueAnswer, asks={"campaign": SLUG})
    def get(self, request: Request) -> Response:
        campaign = campaign_for(request.user, request.query_params.get("campaign", ""), Role.REVIEWER)
        return Response(queue_of(campaign, person_of(request), timezone.now()))


class NextPlace(ReviewsView):
    """POST reserves the next dialogue; 204 where nothing is left."""

    access = Access("roles", (Role.REVIEWER,))

    @describes(
        "Reserves the next dialogue; 204 where nothing is left",
        NextAnswer,
        also={204: None},
        reads=CampaignSerializer,
        refuses=(409,),
    )
    def post(self, request: Request) -> Response:
        campaign = campaign_for(request.user, checked(CampaignSerializer, request)["campaign"], Role.REVIEWER)
        dialogue = open_next_place(campaign=campaign, reviewer=person_of(request), at=timezone.now())
        if dialogue is None:
            return Response(status=204)
        return Response({"dialogue": str(dialogue.pk), "page": reverse("review", args=[dialogue.pk])})


class Waiting(ReviewsView):
    """GET lists the dialogues that wait for this expert (`to_vet`) and this adjudicator (`disputes`), the oldest first."""

    access = Access("roles", (Role.EXPERT, Role.ADJUDICATOR))

    @describes(
        "Lists the dialogues that wait for an expert or an adjudicator, the oldest first",
        WaitingAnswer,
        asks={"campaign": SLUG},
    )
    def get(self, request: Request) -> Response:
        person, slug = person_of(request), request.query_params.get("campaign", "")
        campaign = campaign_for(request.user, slug, Role.EXPERT, Role.ADJUDICATOR)
        roles = roles_of(person, campaign)
        vetted = to_vet(campaign, person).values_list("pk", flat=True) if Role.EXPERT in roles else []
        disputes = open_disputes([campaign], person).values_list("dialogue_id", flat=True)
        return Response(
            {
                "to_vet": list(map(str, vetted)),
                "disputes": list(map(str, disputes)) if Role.ADJUDICATOR in roles else [],
            }
        )
