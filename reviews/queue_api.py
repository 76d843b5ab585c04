"""REST: a reviewer's queue, and the next dialogue of it."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import Access, person_of
from campaigns.access import campaign_for
from campaigns.models import Role
from reviews.actions.placing import open_next_place
from reviews.api_answers import ReviewsView, checked
from reviews.queue import queue_of
from scoring.kinds import Text
from testing_console.serializers import KindField


class CampaignSerializer(serializers.Serializer[Any]):
    campaign = KindField(Text(60), required=False, default="")


class Queue(ReviewsView):
    """GET lists the reviewer's places in their own order; `?campaign=` names the campaign."""

    access = Access("roles", (Role.REVIEWER,))

    def get(self, request: Request) -> Response:
        campaign = campaign_for(request.user, request.query_params.get("campaign", ""), Role.REVIEWER)
        return Response(queue_of(campaign, person_of(request), timezone.now()))


class NextPlace(ReviewsView):
    """POST reserves the next dialogue; 204 where nothing is left."""

    access = Access("roles", (Role.REVIEWER,))

    def post(self, request: Request) -> Response:
        campaign = campaign_for(request.user, checked(CampaignSerializer, request)["campaign"], Role.REVIEWER)
        dialogue = open_next_place(campaign=campaign, reviewer=person_of(request), at=timezone.now())
        if dialogue is None:
            return Response(status=204)
        return Response({"dialogue": str(dialogue.pk), "page": f"/reviews/{dialogue.pk}/"})
