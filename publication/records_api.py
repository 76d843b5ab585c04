"""REST: the records that a published figure is the mean of, for whoever may read the board; nobody is named."""

from typing import TypedDict

from django.http import Http404
from django.utils import timezone
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from api.describing import describes
from api.paging import PAGES, asked_in, listed
from api.problems import problem_answer
from leaderboards.api import OutcomeAnswer, outcomes
from publication.documents import board_in
from publication.published_records import NotShown, PublishedRecord, published_records
from publication.queries import readable_by
from publication.record_links import has_bundle
from reading.kinds import ANY_TEXT

ASKED = {**PAGES, "bot": ANY_TEXT}


class PublishedRecordAnswer(TypedDict):
    """`bot` is its key in the published document; `dialogue` is empty for an imported record. `weight` is the record's share of its dialogue."""

    bot: str
    dialogue: str
    scenario: str
    subtasks: list[OutcomeAnswer]
    value: float | None
    weight: float


class PublishedRecords(APIView):
    access = Access("published")
    permission_classes = (AllowAny,)

    @describes(
        "Lists the records that a published figure is the mean of: of the bot with the key `bot`, or of all",
        list[PublishedRecordAnswer],
        asks=ASKED,
        refuses=(409,),
    )
    def get(self, request: Request, slug: str, number: int, figure: str) -> Response:
        found = readable_by(request.user, slug, number, timezone.now())
        if found is None or found[1].snapshot.of_board or not has_bundle(found[1].snapshot):
            raise Http404
        board, bot = board_in(found[1].document), asked_in(request, ASKED).get("bot", "")
        if figure not in {key.name for key in board.keys} or (bot and board.row(bot) is None):
            raise Http404
        try:
            records = published_records(found[1].snapshot.bundle_digest, figure, bot)
        except NotShown as reason:
            return problem_answer(409, "not_shown", str(reason))
        return listed(request, records, published_document)


def published_document(one: PublishedRecord) -> PublishedRecordAnswer:
    return {
        "bot": one.bot,
        "dialogue": one.dialogue,
        "scenario": one.scenario,
        "subtasks": outcomes(one.subtasks),
        "value": one.value,
        "weight": float(one.weight),
    }
