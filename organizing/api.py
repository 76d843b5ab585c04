"""REST: how a campaign's automatic figures and human means go together."""

from django.utils import timezone
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from campaigns.access import roles_of
from leaderboards.publication.queries import campaign_with_visible_board
from organizing.meta_evaluation_page import reading_of


class Correlations(APIView):
    """`rows` are those of `manage.py correlate --format json`, with the skill (empty: all of them)."""

    access = Access("published")
    permission_classes = (AllowAny,)

    def get(self, request: Request, slug: str) -> Response:
        campaign = campaign_with_visible_board(request.user, slug)
        reading = reading_of(campaign, roles_of(request.user, campaign), timezone.now())
        computed_at, content = reading.stored.computed_at, reading.stored.content
        return Response(
            {
                "campaign": campaign.slug,
                "computed_at": computed_at.isoformat() if computed_at else None,
                "is_outdated": reading.is_outdated,
                "seed": content.get("seed"),
                "n_resamples": content.get("n_resamples"),
                "rows": reading.rows,
            }
        )
