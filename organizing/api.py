"""REST: how a campaign's automatic figures and human means go together, and the table of metrics behind it."""

from typing import Any, TypedDict

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.describing import describes
from api.parsers import StrictMultiPartParser
from api.problems import problem_answer
from campaigns.access import campaign_for, roles_of
from campaigns.models import Role
from organizing.actions import remove_metrics, store_metrics
from organizing.meta_evaluation_page import reading_of
from organizing.models import MetricFile
from publication.queries import campaign_with_visible_board
from reading.json_schemas import Moment


class CorrelationsAnswer(TypedDict):
    campaign: str
    computed_at: Moment | None
    is_outdated: bool
    seed: int | None
    n_resamples: int | None
    rows: list[dict[str, Any]]


class Correlations(APIView):
    """`rows` are those of `manage.py correlate --format json`, with the skill (empty: all of them)."""

    access = Access("published")
    permission_classes = (AllowAny,)

    @describes("Gives how automatic figures and human means go together", CorrelationsAnswer)
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


class MetricsAnswer(TypedDict):
    """The uploaded table; all three are null where there is none."""

    name: str | None
    uploaded_at: Moment | None
    rows: int | None


class Metrics(APIView):
    """The table of metrics that were computed elsewhere. POST `file` (CSV) takes the place of the one before; DELETE removes it."""

    access = Access("roles", (Role.ORGANIZER,))
    parser_classes = (StrictMultiPartParser,)

    @describes("Says which table of metrics is stored", MetricsAnswer)
    def get(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        return Response(metrics_as_json(MetricFile.objects.filter(campaign=campaign).first()))

    @describes("Stores a table of metrics; the correlations follow", MetricsAnswer, 201, uploads={}, refuses=(409, 422))
    def post(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        file = request.FILES.get("file")
        if file is None:
            return problem_answer(400, "no_file", _("Send the table as `file` (multipart/form-data)."))
        by, at = person_of(request), timezone.now()
        stored = store_metrics(campaign=campaign, name=file.name or "", content=file.read(), at=at, by=by)
        return Response(metrics_as_json(stored), status=201)

    @describes("Removes the table of metrics", None, 204, refuses=(409,))
    def delete(self, request: Request, slug: str) -> Response:
        remove_metrics(campaign=campaign_for(request.user, slug, Role.ORGANIZER), by=person_of(request))
        return Response(status=204)


def metrics_as_json(file: MetricFile | None) -> MetricsAnswer:
    if file is None:
        return {"name": None, "uploaded_at": None, "rows": None}
    return {"name": file.name, "uploaded_at": file.uploaded_at.isoformat(), "rows": len(file.figures)}
