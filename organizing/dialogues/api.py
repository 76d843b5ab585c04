"""REST: the same as the pages of single dialogues, by the same rules."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, NotRequired, TypedDict

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request as ApiRequest
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.describing import describes
from api.paging import PAGES, Page, asked_in, page_of
from api.parsers import body_in
from campaigns.access import campaign_for
from campaigns.actions import ReasonNeeded
from campaigns.models import Campaign, Role
from organizing.dialogues.decisions import DECISIONS_BY_NAME, MINUTES, NO_TURN, Said, fault_of
from organizing.dialogues.documents import (
    DialogueDocument,
    DialogueRow,
    FailureDocument,
    dialogue_document,
    failure_document,
    row_document,
    tally_document,
)
from organizing.dialogues.failed import PER_PAGE as FAILURES_PER_PAGE
from organizing.dialogues.failed import FailureFilters, failed_requests, failure_filters_of, named_requests, tally_of
from organizing.dialogues.filters import SPAN, Filters, dialogues_of, filters_of
from organizing.dialogues.listing import PER_PAGE, rows_of
from organizing.dialogues.requests import request_of_turn
from organizing.dialogues.transcript import transcript_of
from organizing.dialogues.views import dialogue_for, turn_asked_for
from organizing.dialogues.words import words_of
from participants.failures import Fault
from reading.json_schemas import Id
from reading.kinds import ANY_TEXT, UNMEASURED_TEXT, Choice, Kind, Whole
from reading.tables import Field, Table
from testing_console.live.floor import announce

DECISION = Table(
    {
        "because": Field(UNMEASURED_TEXT, ""),
        "turn": Field(Whole(0, 2**31 - 1), NO_TURN),
        "fault": Field(Choice([fault.value for fault in Fault]), ""),
        "minutes": MINUTES,
    },
    keeps_others=True,
)


class ListPage(TypedDict):
    count: int
    page: int
    pages: int


class DialoguePage(ListPage):
    results: list[DialogueRow]


class FailurePage(ListPage):
    """`per_bot` counts failures by alias and kind."""

    per_bot: dict[str, dict[str, int]]
    results: list[FailureDocument]


class DecidedDialogue(TypedDict):
    id: Id
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


class OrganizersView(APIView):
    access = Access("roles", (Role.ORGANIZER,))

    def campaign(self, request: ApiRequest, slug: str) -> Campaign:
        return campaign_for(request.user, slug, Role.ORGANIZER)

    def page(self, request: ApiRequest, found: "QuerySet[Any]", per_page: int) -> Page:
        """The ids of the rows on the page that is asked for."""
        return page_of(request, found.values_list("pk", flat=True), per_page=per_page)


def said_of(page: Page) -> ListPage:
    return {"count": page.count, "page": page.number, "pages": page.pages}


class CampaignDialogues(OrganizersView):
    """GET lists the dialogues of a campaign; the filters are those of the page."""

    @describes(
        "Lists the dialogues of a campaign; they began at `since` or later, and before `until`",
        DialoguePage,
        asks=asked_of(Filters),
    )
    def get(self, request: ApiRequest, slug: str) -> Response:
        campaign, filters = self.campaign(request, slug), filters_of(request.query_params.dict())
        asked_in(request, SPAN)
        page = self.page(request, dialogues_of(campaign, filters, person_of(request), timezone.now()), PER_PAGE)
        results = [row_document(row) for row in rows_of(campaign, page.rows, words_of(filters.words))]
        return Response({**said_of(page), "results": results}, headers=page.headers)


class CampaignDialogue(OrganizersView):
    """GET gives all that is stored of one dialogue; drafts of reviews are left out."""

    @describes(
        "Gives all that is stored of one dialogue; drafts of reviews are left out", DialogueDocument, refuses=(409,)
    )
    def get(self, request: ApiRequest, slug: str, dialogue_id: str) -> Response:
        dialogue = dialogue_for(person_of(request), self.campaign(request, slug), dialogue_id)
        return Response(dialogue_document(transcript_of(dialogue)))


class DialogueDecision(OrganizersView):
    """POST ends a dialogue, gives it more time, declares it void, has it count again, or books the failure of a turn to somebody else."""

    @describes(
        "Ends a dialogue, gives it more time, declares it void, has it count again, or books a failure to somebody else",
        DecidedDialogue,
        reads=DECISION,
        refuses=(409,),
    )
    def post(self, request: ApiRequest, slug: str, dialogue_id: str, act: str) -> Response:
        campaign = self.campaign(request, slug)
        if act not in DECISIONS_BY_NAME:
            raise Http404
        dialogue = dialogue_for(person_of(request), campaign, dialogue_id)
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
        return Response({"id": str(dialogue.pk), "status": dialogue.status, "reason": dialogue.reason})


class TurnRequest(OrganizersView):
    """GET gives the request of a turn (`?turn=3`, else the last), rebuilt by its adapter; the secret is masked."""

    @describes(
        "Gives the request of a turn, rebuilt by its adapter; the secret is masked",
        RebuiltRequest,
        asks={"turn": ANY_TEXT},
        refuses=(409,),
    )
    def get(self, request: ApiRequest, slug: str, dialogue_id: str) -> Response:
        dialogue = dialogue_for(person_of(request), self.campaign(request, slug), dialogue_id)
        turn = turn_asked_for(dialogue, request.query_params.get("turn", ""))
        rebuilt = request_of_turn(turn) if turn else None
        if turn is None or rebuilt is None:
            return Response({"turn": None})
        said = {"url": rebuilt.url, "headers": dict(rebuilt.headers), "body": rebuilt.content.decode()}
        return Response({"turn": turn.number, **said, "curl": rebuilt.as_curl})


class CampaignFailures(OrganizersView):
    """GET lists every request that failed for good, with how many there are per bot and kind."""

    @describes(
        "Lists every request that failed for good, at `since` or later and before `until`, with how many per bot and kind",
        FailurePage,
        asks=asked_of(FailureFilters),
    )
    def get(self, request: ApiRequest, slug: str) -> Response:
        campaign, filters = self.campaign(request, slug), failure_filters_of(request.query_params.dict())
        asked_in(request, SPAN)
        found = failed_requests(campaign, filters, person_of(request))
        page, per_bot = self.page(request, found, FAILURES_PER_PAGE), tally_document(tally_of(found))
        results = [failure_document(one) for one in named_requests(page.rows)]
        return Response({**said_of(page), "per_bot": per_bot, "results": results}, headers=page.headers)
