"""REST: what nobody has done yet, and giving one of it to another tester."""

from typing import TypedDict

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from accounts.models import Person
from api.answers import encoded
from api.describing import describes
from api.parsers import body_in
from campaigns.actions import ReasonNeeded
from dialogues.actions.deciding import reassign
from dialogues.pauses import BotPause
from organizing.dialogues.api import ListPage, OrganizersView, asked_of, said_of
from organizing.dialogues.to_do import PER_PAGE, ToDoFilters, ToDoRow, assignments_to_do, to_do_filters_of, to_do_rows
from reading.json_schemas import Moment
from reading.kinds import UNMEASURED_TEXT, Text
from reading.tables import Field, Table

REASSIGNMENT = Table({"tester": Field(Text(150)), "because": Field(UNMEASURED_TEXT, "")}, keeps_others=True)


class TesterAway(TypedDict):
    since: Moment
    because: str


class AssignmentToDo(TypedDict):
    """It waits since `since` for its tester; after `until` it is too late to begin it.

    `paused` says why it cannot be begun with its bot now, `tester_paused` that its tester pauses, `tester_barred` that an interest
    in the bot bars its tester: somebody else has to do it.
    """

    id: int
    tester: str
    bot: str
    scenario: str
    repetition: int
    has_begun: bool
    since: Moment
    until: Moment | None
    paused: BotPause | None
    tester_paused: TesterAway | None
    tester_barred: bool


class AssignmentPage(ListPage):
    results: list[AssignmentToDo]


class AssignmentsToDo(OrganizersView):
    """GET lists the assignments without a dialogue that counts."""

    @describes("Lists the assignments without a dialogue that counts", AssignmentPage, asks=asked_of(ToDoFilters))
    def get(self, request: Request, slug: str) -> Response:
        campaign = self.campaign(request, slug)
        found = assignments_to_do(campaign, to_do_filters_of(request.query_params.dict()))
        page = self.page(request, found, PER_PAGE)
        named = found.in_bulk(list(page.rows))
        rows = to_do_rows(campaign, [named[one] for one in page.rows if one in named], timezone.now())
        results = [_document(row) for row in rows]
        return Response({**said_of(page), "results": results}, headers=page.headers)


class Reassignment(OrganizersView):
    """POST gives the assignment to another tester."""

    @describes("Gives an assignment to another tester", AssignmentToDo, reads=REASSIGNMENT, refuses=(409,))
    def post(self, request: Request, slug: str, assignment_id: int) -> Response:
        campaign = self.campaign(request, slug)
        assignment = get_object_or_404(campaign.assignments.with_names().select_related("tester"), pk=assignment_id)
        said = body_in(request, REASSIGNMENT)
        to = Person.objects.filter(username=said["tester"]).first()
        if to is None:
            raise ValidationError({"tester": [_("Choose a tester.")]})
        try:
            given = reassign(
                assignment=assignment, to=to, by=person_of(request), because=said["because"], at=timezone.now()
            )
        except ReasonNeeded as missing:
            raise ValidationError({"because": [str(missing)]}) from missing
        (row,) = to_do_rows(campaign, [given], timezone.now())
        return Response(_document(row))


def _document(row: ToDoRow) -> AssignmentToDo:
    assignment = row.assignment
    away: TesterAway | None = None
    if row.away_since is not None:
        away = {"since": row.away_since.isoformat(), "because": row.away_because}
    return {
        "id": assignment.pk,
        "tester": assignment.tester.username,
        "bot": assignment.entry.alias,
        "scenario": assignment.scenario.key,
        "repetition": assignment.repetition,
        "has_begun": assignment.started_at is not None,
        "since": row.since.isoformat(),
        "until": row.until.isoformat() if row.until else None,
        "paused": encoded(BotPause, row.pause) if row.pause else None,
        "tester_paused": away,
        "tester_barred": row.is_barred,
    }
