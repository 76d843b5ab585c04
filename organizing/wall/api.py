"""REST: what the live wall shows."""

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from campaigns.access import campaign_for
from campaigns.models import Role
from organizing.wall.now import wall_now


class WallState(APIView):
    """GET gives the wall as it is now: the content of the socket's `wall.state`."""

    access = Access("roles", (Role.ORGANIZER,))

    def get(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        return Response(wall_now(campaign, timezone.now()))
