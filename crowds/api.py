"""REST: a campaign's studies for crowds; the same acts and rules as the pages."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, TypedDict

from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from api.answers import From, encoded
from api.describing import FileOf, describes
from api.file_views import FileView
from api.paging import PAGES, Page, page_of
from api.parsers import body_in
from campaigns.access import OrganizersView
from campaigns.campaign_file.study_specs import StudySpec, study_document
from crowds.actions.declaring import NO_CODES, change_study, close_study, make_study, open_study
from crowds.actions.ending import decide, forget_outside_ids
from crowds.models import Arrival, CrowdStudy
from crowds.overview import bulk_ids, link_of, numbers_of, payments_csv, payments_on
from crowds.study_form import BODY
from crowds.study_pages import attached, list_asked, study_in
from participants.limits import REASON_LIMIT
from reading.json_schemas import Moment
from reading.kinds import FLAG, Choice, Text
from reading.tables import Field, Table

STATES = Table({"state": Field(Choice(("open", "closed")))})
DECISION = Table(
    {
        "decision": Field(Choice(Arrival.Decision.values)),
        "bonus": Field(FLAG, False),
        "because": Field(Text(REASON_LIMIT, may_be_empty=True), ""),
    }
)


class StudyAnswer(TypedDict):
    """`declared` has the shape of a row of `[[studies]]` in a campaign file; `codes` names the outcomes that have a code."""

    id: Annotated[int, From("pk")]
    key: str
    state: str
    declared: Annotated[dict[str, Any], From(study_document)]
    codes: Annotated[list[str], From(lambda study: sorted(study.codes))]
    link: str


class StudiesAnswer(TypedDict):
    studies: list[StudyAnswer]


class CountAnswer(TypedDict):
    state: str
    n: int


class WatchedStudy(StudyAnswer):
    """`dropped_out` looked and never began, or stopped, or ran out of time; `screened_by_gold` failed the screening. Amounts are of an hour, in the study's currency."""

    came: int
    dropped_out: int
    screened_by_gold: int
    by_state: list[CountAnswer]
    median_minutes: float | None
    expected_per_hour: str
    reached_per_hour: str | None


class ArrivalAnswer(TypedDict):
    """`share` is in percent; `participant` and `session` are empty once they are erased. Screened out before the start: no account, no `started_at`."""

    id: int
    participant: str
    session: str
    username: str
    state: str
    started_at: Moment | None
    ended_at: Moment | None
    n_done: int
    n_needed: int
    share: int
    amount: Annotated[str, From(lambda one: str(one.amount))]
    decision: str
    because: str
    has_bonus: bool


def _told(request: Request, study: CrowdStudy) -> dict[str, Any]:
    address = request.build_absolute_uri(reverse("enter", args=[study.door]))
    return encoded(StudyAnswer, study, link=link_of(study, address))


def _watched(request: Request, study: CrowdStudy) -> dict[str, Any]:
    numbers = numbers_of(study)
    return _told(request, study) | {
        "came": numbers.came,
        "dropped_out": numbers.dropped_out,
        "screened_by_gold": numbers.screened_by_gold,
        "by_state": [{"state": state, "n": n} for state, _label, n in numbers.by_state],
        "median_minutes": numbers.median_minutes,
        "expected_per_hour": str(numbers.expected_per_hour),
        "reached_per_hour": None if numbers.reached_per_hour is None else str(numbers.reached_per_hour),
    }


def _said_in(request: Request) -> tuple[StudySpec, Mapping[str, str]]:
    given = body_in(request, BODY)
    codes = given.pop("codes") or NO_CODES
    return StudySpec(**given), codes


class Studies(OrganizersView):
    @describes("Lists the studies of a campaign for crowds", StudiesAnswer)
    def get(self, request: Request) -> dict[str, Any]:
        return {"studies": [_told(request, one) for one in self.campaign.studies.select_related("campaign")]}

    @describes("Makes a study, as a draft", StudyAnswer, 201, reads=BODY, refuses=(409, 422))
    def post(self, request: Request) -> dict[str, Any]:
        spec, codes = _said_in(request)
        by, at = person_of(request), timezone.now()
        return _told(request, make_study(campaign=self.campaign, spec=spec, codes=codes, by=by, at=at))


class OneStudy(OrganizersView):
    @describes("Gives a study with its arrivals by state, times and pay", WatchedStudy)
    def get(self, request: Request, study_id: int) -> dict[str, Any]:
        return _watched(request, study_in(self.campaign, study_id))

    @describes("Changes a study; codes that are not named stay", WatchedStudy, reads=BODY, refuses=(409, 422))
    def put(self, request: Request, study_id: int) -> dict[str, Any]:
        found, by = study_in(self.campaign, study_id), person_of(request)
        spec, codes = _said_in(request)
        return _watched(request, change_study(study=found, spec=spec, codes=codes, by=by, at=timezone.now()))


class StudyState(OrganizersView):
    @describes("Opens or closes a study", WatchedStudy, reads=STATES, refuses=(409, 422))
    def post(self, request: Request, study_id: int) -> dict[str, Any]:
        found = study_in(self.campaign, study_id)
        act = open_study if body_in(request, STATES)["state"] == "open" else close_study
        return _watched(request, act(study=found, by=person_of(request), at=timezone.now()))

    @describes("Erases what the platform calls the study's people", None, 204)
    def delete(self, request: Request, study_id: int) -> Response:
        forget_outside_ids(study=study_in(self.campaign, study_id), by=person_of(request), at=timezone.now())
        return Response(status=204)


class Arrivals(OrganizersView):
    @describes("Lists who was let in or screened out, with what they did and are owed", list[ArrivalAnswer], asks=PAGES)
    def get(self, request: Request, study_id: int) -> Page:
        found = study_in(self.campaign, study_id)
        page = page_of(request, found.arrivals.paid_for())
        return replace(page, rows=list(payments_on(found, page.rows)))


class OneArrival(OrganizersView):
    @describes("Approves or rejects what somebody did", ArrivalAnswer, reads=DECISION, refuses=(409, 422))
    def post(self, request: Request, study_id: int, arrival_id: int) -> Any:
        arrival = get_object_or_404(study_in(self.campaign, study_id).arrivals, pk=arrival_id)
        given = body_in(request, DECISION)
        decided = decide(
            arrival=arrival,
            decision=Arrival.Decision(given["decision"]),
            has_bonus=given["bonus"],
            because=given["because"],
            by=person_of(request),
            at=timezone.now(),
        )
        return next(payments_on(decided.study, [decided]))

    @describes("Erases what the platform calls this person", None, 204)
    def delete(self, request: Request, study_id: int, arrival_id: int) -> Response:
        found = study_in(self.campaign, study_id)
        arrival = get_object_or_404(found.arrivals, pk=arrival_id)
        forget_outside_ids(study=found, by=person_of(request), at=timezone.now(), only=arrival)
        return Response(status=204)


class Payments(FileView, OrganizersView):
    @describes("Downloads the payment table for a spreadsheet", FileOf(("text/csv",)))
    def get(self, request: Request, study_id: int) -> StreamingHttpResponse:
        found = study_in(self.campaign, study_id)
        return attached(payments_csv(found), f"{found.key}-payments.csv", "text/csv; charset=utf-8")


class Ids(FileView, OrganizersView):
    @describes(
        "Downloads the ids to approve or to reject, one per line",
        FileOf(("text/plain",)),
        asks={"list": Choice(("approved", "rejected"))},
    )
    def get(self, request: Request, study_id: int) -> StreamingHttpResponse:
        found, decision = study_in(self.campaign, study_id), list_asked(request)
        return attached(bulk_ids(found, decision), f"{found.key}-{decision}.txt", "text/plain; charset=utf-8")
