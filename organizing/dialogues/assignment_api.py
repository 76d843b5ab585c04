"""REST: what nobody has done yet, and giving one of it to another tester."""

from typing import Any, TypedDict

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from accounts.describing import describes
from accounts.models import Person
from campaigns.actions import ReasonNeeded
from campaigns.models import Assignment
from organizing.dialogues.api import ListPage, NotNow, OrganizersView, asked_of, said_of
from organizing.dialogues.to_do import PER_PAGE, ToDoFilters, assignments_to_do, to_do_filters_of
from participants.limits import REASON_LIMIT
from scoring.kinds import Text
from testing_console.actions.deciding import NotPossible
from testing_console.actions.reassigning import reassign
from testing_console.serializers import KindField


class ReassignmentSerializer(serializers.Serializer[Any]):
    tester = KindField(Text(150))
    because = serializers.CharField(allow_blank=True, required=False, default="", trim_whitespace=False)


class AssignmentToDo(TypedDict):
    id: int
    tester: str
    bot: str
    scenario: str
    repetition: int
    has_begun: bool


class AssignmentPage(ListPage):
    results: list[AssignmentToDo]


class AssignmentsToDo(OrganizersView):
    """GET lists the assignments without a dialogue that counts."""

    @describes("Lists the assignments without a dialogue that counts", AssignmentPage, asks=asked_of(ToDoFilters))
    def get(self, request: Request, slug: str) -> Response:
        found = assignments_to_do(self.campaign(request, slug), to_do_filters_of(request.query_params.dict()))
        page = self.page(request, found, PER_PAGE)
        rows = found.in_bulk(list(page.rows))
        results = [_document(rows[one]) for one in page.rows if one in rows]
        return Response({**said_of(page), "results": results}, headers=page.headers)


class Reassignment(OrganizersView):
    """POST gives the assignment to another tester."""

    @describes("Gives an assignment to another tester", AssignmentToDo, reads=ReassignmentSerializer, refuses=(409,))
    def post(self, request: Request, slug: str, assignment_id: int) -> Response:
        campaign = self.campaign(request, slug)
        assignment = get_object_or_404(campaign.assignments.with_names().select_related("tester"), pk=assignment_id)
        asked = ReassignmentSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        said = asked.validated_data
        to = Person.objects.filter(username=said["tester"]).first()
        if to is None:
            raise ValidationError({"tester": [_("Choose a tester.")]})
        try:
            given = reassign(
                assignment=assignment, to=to, by=person_of(request), because=said["because"], at=timezone.now()
            )
        except ReasonNeeded as missing:
            raise ValidationError(
                {"because": [_("Say why, in at most %(n)d characters.") % {"n": REASON_LIMIT}]}
            ) from missing
        except NotPossible as refused:
            raise NotNow(str(refused)) from refused
        return Response(_document(given))


def _document(assignment: Assignment) -> AssignmentToDo:
    return {
        "id": assignment.pk,
        "tester": assignment.tester.username,
        "bot": assignment.entry.alias,
        "scenario": assignment.scenario.key,
        "repetition": assignment.repetition,
        "has_begun": assignment.started_at is not None,
    }
