"""REST: what nobody has done yet, and giving one of it to another tester."""

from dataclasses import replace
from typing import Annotated, TypedDict

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from accounts.access import person_of
from accounts.models import Person
from api.answers import From
from api.describing import describes
from api.paging import Page, page_of
from api.parsers import body_in
from campaigns.access import OrganizersView
from campaigns.actions import ReasonNeeded
from dialogues.actions.deciding import reassign
from dialogues.pauses import BotPause
from organizing.dialogues.api import ListPage, asked_of
from organizing.dialogues.to_do import PER_PAGE, ToDoFilters, ToDoRow, assignments_to_do, to_do_filters_of, to_do_rows
from reading.json_schemas import Moment
from reading.kinds import UNMEASURED_TEXT, Text
from reading.tables import Field, Table

REASSIGNMENT = Table({"tester": Field(Text(150)), "because": Field(UNMEASURED_TEXT, "")}, keeps_others=True)


class TesterAway(TypedDict):
    since: Annotated[Moment, From("away_since")]
    because: Annotated[str, From("away_because")]


class AssignmentToDo(TypedDict):
    """It waits since `since` for its tester; after `until` it is too late to begin it.

    `paused` says why it cannot be begun with its bot now, `tester_paused` that its tester pauses, `tester_barred` that an interest
    in the bot bars its tester: somebody else has to do it.
    """

    id: Annotated[int, From("assignment.pk")]
    tester: Annotated[str, From("assignment.tester.username")]
    bot: Annotated[str, From("assignment.entry.alias")]
    scenario: Annotated[str, From("assignment.scenario.key")]
    repetition: Annotated[int, From("assignment.repetition")]
    has_begun: Annotated[bool, From(lambda row: row.assignment.started_at is not None)]
    since: Moment
    until: Moment | None
    paused: Annotated[BotPause | None, From("pause")]
    tester_paused: Annotated[TesterAway | None, From(lambda row: row if row.away_since else None)]
    tester_barred: Annotated[bool, From("is_barred")]


class AssignmentPage(ListPage):
    results: Annotated[list[AssignmentToDo], From("rows")]


class AssignmentsToDo(OrganizersView):
    """GET lists the assignments without a dialogue that counts."""

    @describes("Lists the assignments without a dialogue that counts", AssignmentPage, asks=asked_of(ToDoFilters))
    def get(self, request: Request) -> Page:
        found = assignments_to_do(self.campaign, to_do_filters_of(request.query_params.dict()))
        page = page_of(request, found, per_page=PER_PAGE)
        return replace(page, rows=to_do_rows(self.campaign, page.rows, timezone.now()))


class Reassignment(OrganizersView):
    """POST gives the assignment to another tester."""

    @describes("Gives an assignment to another tester", AssignmentToDo, reads=REASSIGNMENT, refuses=(409,))
    def post(self, request: Request, assignment_id: int) -> ToDoRow:
        assignment = get_object_or_404(
            self.campaign.assignments.with_names().select_related("tester"), pk=assignment_id
        )
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
        (row,) = to_do_rows(self.campaign, [given], timezone.now())
        return row
