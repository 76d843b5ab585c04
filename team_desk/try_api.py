"""REST: an address is tried, or asked for its protocol, before it is stored; with all that came of it, by the rules of the page."""

from collections.abc import Mapping
from typing import Annotated, TypedDict

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request

from accounts.access import person_of
from api.answers import From
from api.describing import describes
from api.parsers import body_in, fields_of
from campaigns.models import Campaign, Entry
from participants.adapters.trying import Exchange, Tried
from participants.adapters.trying import Found as FoundByPath
from participants.bot_form import AddressForm
from participants.limits import MESSAGE_LIMIT
from reading.kinds import Text, Whole
from reading.tables import Field, Table, table_of
from team_desk.api import TeamsView
from team_desk.finding import Found, find_protocol, read_url
from team_desk.own_bots import entries_of
from team_desk.trying import read_try, try_address

ADDRESS: Mapping[str, Field] = table_of(AddressForm).fields
BESIDE: Mapping[str, Field] = {
    "word": Field(Text(MESSAGE_LIMIT, may_be_empty=True), ""),
    "bot": Field(Whole(0, 2**31 - 1), None),
}
# `bot` is the id of a system whose stored secret is used where none is given.
TRY = Table({**ADDRESS, **BESIDE})
FIND = Table({"url": ADDRESS["url"], "secret": ADDRESS["secret"], "bot": BESIDE["bot"]})


class TriedReply(TypedDict):
    texts: list[str]
    end: bool


class TriedFailure(TypedDict):
    """`place` is the field of the mapping that it is about, empty where it is about none."""

    kind: str
    place: Annotated[str, From("detail.place")]
    detail: Annotated[str, From("detail.message")]
    status: int | None
    answer: Annotated[str, From("evidence")]


class TriedDocument(TypedDict):
    """`reply` or `failure` is null. `curl` is the first request with the secret masked, `parts` how many came of a stream."""

    reply: TriedReply | None
    failure: TriedFailure | None
    latency_ms: int
    parts: Annotated[int, From("n_parts")]
    state: str
    curl: str
    answers: Annotated[list[Exchange], From("exchanges")]
    found: list[FoundByPath]


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


class TryOwnBot(TeamsView):
    """POST makes one call with one word: the fields of an address, `word`, and `bot` for the secret of a stored one."""

    @describes("Tries an address of the own team's with one call", TriedDocument, reads=TRY, refuses=(409, 422))
    def post(self, request: Request) -> Tried:
        return try_in(request, self.campaign, entries_of(self.team, self.campaign))


class FindOwnProtocol(TeamsView):
    """POST asks `url` by OPTIONS and GET, nothing else; `secret` goes along, or with `bot` that of a stored system."""

    @describes("Asks a URL of the own team's which protocol it speaks", FoundDocument, reads=FIND, refuses=(409, 422))
    def post(self, request: Request) -> Found:
        return find_in(request, self.campaign, entries_of(self.team, self.campaign))


def try_in(request: Request, campaign: Campaign, entries: QuerySet[Entry]) -> Tried:
    """Errors: `BadForm`, `TooManyTries`, `NoPlaceToTry`, `OwnTriesGoOn`, `Http404` for a `bot` that is none of `entries`."""
    beside = body_in(request, Table(BESIDE, keeps_others=True))
    address = {name: value for name, value in fields_of(request).items() if name not in BESIDE}
    typed = read_try(address, beside["word"] or _("Hello"), _entry_in(beside["bot"], entries))
    return try_address(campaign=campaign, typed=typed, by=person_of(request), at=timezone.now())


def find_in(request: Request, campaign: Campaign, entries: QuerySet[Entry]) -> Found:
    """Errors: as of `try_in`."""
    bot = body_in(request, FIND)["bot"]
    typed = read_url(fields_of(request), _entry_in(bot, entries))
    return find_protocol(campaign=campaign, typed=typed, by=person_of(request), at=timezone.now())


def _entry_in(number: int | None, entries: QuerySet[Entry]) -> Entry | None:
    return None if number is None else get_object_or_404(entries, pk=number)
