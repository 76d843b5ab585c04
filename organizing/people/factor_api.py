"""REST: DELETE resets the second factor of somebody who lost it."""

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from accounts.second_factor.actions import reset_second_factor
from api.describing import describes
from campaigns.access import campaign_for
from campaigns.models import Role
from organizing.people.password_links import may_make_password_link
from organizing.people.views import person_in
from participants.limits import REASON_LIMIT


class ResetSerializer(serializers.Serializer[Any]):
    because = serializers.CharField(max_length=REASON_LIMIT)


class PersonSecondFactor(APIView):
    access = Access("roles", (Role.ORGANIZER,))

    @describes("Resets the second factor of somebody who lost it", None, 204, reads=ResetSerializer)
    def delete(self, request: Request, slug: str, person_id: int) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        shown, by = person_in(campaign, person_id), person_of(request)
        if not shown.has_second_factor or not may_make_password_link(by, shown):
            raise NotFound
        said = ResetSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        reset_second_factor(person=shown, by=by, because=said.validated_data["because"], campaign=campaign.slug)
        return Response(status=204)
