"""REST: the same as the pages of single dialogues, by the same rules."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Annotated, NotRequired, TypedDict

from django.http import Http404
from django.utils import timezone
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from api.answers import From, encoded
from api.describing import describes
from api.paging import PAGES, Page, asked_in, page_of
from api.parsers import body_in
from campaigns.access import OrganizersView
from campaigns.actions import ReasonNeeded
from dialogues.models import Dialogue
from organizing.dialogues.decisions import DECISIONS_BY_NAME, FAULT, MINUTES, TURN, Said, fault_of
from organizing.dialogues.documents import (
    DialogueDocument,
    DialogueRow,
    FailureDocument,
    row_document,
    tally_document,
)
from organizing.dialogues.failed import PER_PAGE as FAILURES_PER_PAGE
from organizing.dialogues.failed import FailureFilters, failed_requests, failure_filters_of, named_requests, tally_of
from organizing.dialogues.filters import SPAN, Filters, dialogues_of, filters_of
from organizing.dialogues.listing import PER_PAGE, rows_of
from organizing.dialogues.requests import request_of_turn
from organizing.dialogues.transcript import Transcript, transcript_of
from organizing.dialogues.views import dialogue_for, turn_asked_for
from organizing.dialogues.words import words_of
from reading.json_schemas import Id
from reading.kinds import ANY_TEXT, UNMEASURED_TEXT, Kind
from reading.tables import Field, Table
from testing_console.live.floor import announce

DECISION = Table(
    {
        "because": Field(UNMEASURED_TEXT, ""),
        "turn": TURN,
        "fault": FAULT,
        "minutes": MINUTES,
    },
    keeps_others=True,
)


class ListPage(TypedDict):
    count: int
    page: Annotated[int, From("number")]
    pages: int


class DialoguePage(ListPage):
    results: Annotated[list[DialogueRow], From("rows")]


class FailurePage(ListPage):
    """`per_bot` counts failures by alias and kind."""

    per_bot: dict[str, dict[str, int]]
    results: list[FailureDocument]


class DecidedDialogue(TypedDict):
    id: Annotated[Id, From("pk")]
    status: str
    reason: str


class RebuiltRequest(TypedDict):
    """`turn` is null where there is none to rebuild."""

    turn: int | None
    url: NotRequired[str]
    headers: NotRequired[dict[str, str]]
    body: NotRequired[str]
    curl: NotRequired[str]


def asked_of(filters: type) -> Mapping[str, Kind]:
    """The parameters of a list: its filters and the page."""
    return {one.name: SPAN.get(one.name, ANY_TEXT) for one in fields(filters)} | dict(PAGES)


class CampaignDialogues(OrganizersView):
    """GET lists the dialogues of a campaign; the filters are those of the page."""

    @describes(
        "Lists the dialogues of a campaign; they began at `since` or later, and before `until`",
        DialoguePage,
        asks=asked_of(Filters),
    )
    def get(self, request: Request) -> Page:
        filters = filters_of(request.query_params.dict())
        asked_in(request, SPAN)
        found = dialogues_of(self.campaign, filters, person_of(request), timezone.now())
        page = page_of(request, found.values_list("pk", flat=True), per_page=PER_PAGE)
        return replace(page, rows=map(row_document, rows_of(self.campaign, page.rows, words_of(filters.words))))


class CampaignDialogue(OrganizersView):
    """GET gives all that is stored of one dialogue; drafts of reviews are left out."""

    @describes(
        "Gives all that is stored of one dialogue; drafts of reviews are left out", DialogueDocument, refuses=(409,)
    )
    def get(self, request: Request, dialogue_id: str) -> Transcript:
        return transcript_of(dialogue_for(person_of(request), self.campaign, dialogue_id))


class DialogueDecision(OrganizersView):
    """POST ends a dialogue, gives it more time, declares it void, has it count again, or books the failure of a turn to somebody else."""

    @describes(
        "Ends a dialogue, gives it more time, declares it void, has it count again, or books a failure to somebody else",
        DecidedDialogue,
        reads=DECISION,
        refuses=(409,),
    )
    def post(self, request: Request, dialogue_id: str, act: str) -> Dialogue:
        if act not in DECISIONS_BY_NAME:
            raise Http404
        dialogue = dialogue_for(person_of(request), self.campaign, dialogue_id)
        said = body_in(request, DECISION)
        try:
            outcome = DECISIONS_BY_NAME[act](
                dialogue=dialogue, said=Said(said["turn"], fault_of(said["fault"]), said["minutes"]),
                by=person_of(request), because=said["because"], at=timezone.now(),
            )  # fmt: skip
        except ReasonNeeded as missing:
            raise ValidationError({"because": [str(missing)]}) from missing
        announce(outcome)
        dialogue.refresh_from_db(fields=["status", "reason"])
        return dialogue


class TurnRequest(OrganizersView):
    """GET gives the request of a turn (`?turn=3`, else the last), rebuilt by its adapter; the secret is masked."""

    @describes(
        "Gives the request of a turn, rebuilt by its adapter; the secret is masked",
        RebuiltRequest,
        asks={"turn": ANY_TEXT},
        refuses=(409,),
    )
    def get(self, request: Request, dialogue_id: str) -> RebuiltRequest:
        dialogue = dialogue_for(person_of(request), self.campaign, dialogue_id)
        turn = turn_asked_for(dialogue, request.query_params.get("turn", ""))
        rebuilt = request_of_turn(turn) if turn else None
        if turn is None or rebuilt is None:
            return {"turn": None}
        return {
            "turn": turn.number,
            "url": rebuilt.url,
            "headers": dict(rebuilt.headers),
            "body": rebuilt.content.decode(),
            "curl": rebuilt.as_curl,
        }


class CampaignFailures(OrganizersView):
    """GET lists every request that failed for good, with how many there are per bot and kind."""

    @describes(
        "Lists every request that failed for good, at `since` or later and before `until`, with how many per bot and kind",
        FailurePage,
        asks=asked_of(FailureFilters),
    )
    def get(self, request: Request) -> Response:
        filters = failure_filters_of(request.query_params.dict())
        asked_in(request, SPAN)
        found = failed_requests(self.campaign, filters, person_of(request))
        page = page_of(request, found.values_list("pk", flat=True), per_page=FAILURES_PER_PAGE)
        listed = encoded(ListPage, page) | {"per_bot": tally_document(tally_of(found))}
        results = encoded(list[FailureDocument], named_requests(page.rows))
        return Response(listed | {"results": results}, headers=page.headers)
