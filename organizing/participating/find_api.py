"""REST: a URL is asked which protocol it speaks, with all that came of it, by the rules of the page."""

from collections.abc import Mapping
from typing import TypedDict

from django.db.models import QuerySet
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from api.describing import describes
from api.parsers import fields_of
from campaigns.models import Campaign, Entry
from organizing.participating.api import TeamsView
from organizing.participating.finding import Found, find_protocol, read_url
from organizing.participating.own_bots import entries_of
from organizing.participating.try_api import BESIDE, entry_in
from participants.bot_form import AddressForm
from reading.checking import BadForm, Problems
from reading.tables import Field, Table, table_of

ADDRESS: Mapping[str, Field] = table_of(AddressForm).fields
# `bot` is the id of a system whose stored secret is used where none is given.
FIND = Table({"url": ADDRESS["url"], "secret": ADDRESS["secret"], "bot": BESIDE["bot"]})


class ClueDocument(TypedDict):
    protocol: str
    because: str


class TryDocument(TypedDict):
    """`status` is null where no answer came; `kind` says why, and is empty where time was up."""

    asked: str
    status: int | None
    content_type: str
    body: str
    kind: str
    detail: str


class FoundDocument(TypedDict):
    """`protocol` is the one to register, empty where nothing tells; `clues` say why, the best first; `tries` are what was asked."""

    protocol: str
    clues: list[ClueDocument]
    tries: list[TryDocument]


class FindOwnProtocol(TeamsView):
    """POST asks `url` by OPTIONS and GET, nothing else; `secret` goes along, or with `bot` that of a stored system."""

    @describes("Asks a URL of the own team's which protocol it speaks", FoundDocument, reads=FIND, refuses=(409, 422))
    def post(self, request: Request, slug: str) -> Response:
        campaign = self.campaign(request, slug)
        return found_answer(request, campaign, entries_of(self.team(request, campaign), campaign))


def found_answer(request: Request, campaign: Campaign, entries: QuerySet[Entry]) -> Response:
    """Errors: `BadForm`, `TooManyTries`, `NoPlaceToTry`, `OwnTriesGoOn`, `Http404` for a `bot` that is none of `entries`."""
    said, problems = dict(fields_of(request)), Problems()
    read = FIND.read(said, "", "", problems)
    problems.refuse(BadForm)
    typed = read_url(said, entry_in(read["bot"], entries))
    found = find_protocol(campaign=campaign, typed=typed, by=person_of(request), at=timezone.now())
    return Response(found_document(found))


def found_document(found: Found) -> FoundDocument:
    tries: list[TryDocument] = [
        {
            "asked": one.asked,
            "status": one.status,
            "content_type": one.content_type,
            "body": one.body,
            "kind": one.kind,
            "detail": one.detail,
        }
        for one in found.tries
    ]
    clues = [ClueDocument(protocol=one.protocol, because=one.because) for one in found.clues]
    return {"protocol": found.protocol, "clues": clues, "tries": tries}
