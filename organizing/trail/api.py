"""REST: the trail, the latest line first."""

from typing import Any, TypedDict

from django.http import Http404
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, is_of_staff
from api.describing import describes
from audit.models import TrailLine, TrailLineQuerySet
from campaigns.access import campaign_for
from campaigns.models import Role
from organizing.trail.questions import Question, WholeQuestion, answer, row_of
from reading.kinds import ANY_TEXT, Kind

LINES_PER_ANSWER = 200


class TrailAnswer(TypedDict):
    """`before` asks for the lines that follow; null where there are none."""

    lines: list[dict[str, Any]]
    before: int | None


def asked_of(question: type[Question]) -> dict[str, Kind]:
    return dict.fromkeys(question.base_fields, ANY_TEXT)


class CampaignTrail(APIView):
    """GET gives lines of a campaign by `person`, `act`, `about`, `since`, `until` (days) and `before` (a number).

    `before` in the answer asks for the lines that follow; null where there are none.
    """

    access = Access("roles", (Role.ORGANIZER,))

    @describes("Gives lines of the campaign's trail, the latest first", TrailAnswer, asks=asked_of(Question))
    def get(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        return answered(Question(request.query_params), TrailLine.objects.of_campaign(campaign.slug))


class WholeTrail(APIView):
    """GET gives lines of the whole trail, which may be asked by `campaign`, too."""

    access = Access("staff")

    @describes("Gives lines of the whole trail, the latest first", TrailAnswer, asks=asked_of(WholeQuestion))
    def get(self, request: Request) -> Response:
        if not is_of_staff(request.user):
            raise Http404
        return answered(WholeQuestion(request.query_params), TrailLine.objects.all())


def answered(question: Question, lines: TrailLineQuerySet) -> Response:
    if not question.is_valid():
        raise ValidationError({name: [str(one) for one in errors] for name, errors in question.errors.items()})
    found = list(answer(lines, question.cleaned_data)[: LINES_PER_ANSWER + 1])
    shown: list[dict[str, Any]] = [row_of(line) for line in found[:LINES_PER_ANSWER]]
    return Response({"lines": shown, "before": shown[-1]["number"] if len(found) > LINES_PER_ANSWER else None})
