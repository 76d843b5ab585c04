"""REST: an address is tried before it is stored, with all that came of it, by the rules of the page."""

from collections.abc import Mapping
from typing import TypedDict

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from api.describing import describes
from api.parsers import fields_of
from campaigns.models import Campaign, Entry
from organizing.participating.api import TeamsView
from organizing.participating.own_bots import entries_of
from organizing.participating.trying import read_try, try_address
from participants.adapters import Reply
from participants.adapters.trying import Tried
from participants.bot_form import AddressForm
from participants.failures import BotFailure
from participants.limits import MESSAGE_LIMIT
from reading.checking import BadForm, Problems
from reading.kinds import Text, Whole
from reading.tables import Field, Table, table_of

BESIDE: Mapping[str, Field] = {
    "word": Field(Text(MESSAGE_LIMIT, may_be_empty=True), ""),
    "bot": Field(Whole(0, 2**31 - 1), None),
}
# `bot` is the id of a system whose stored secret is used where none is given.
TRY = Table({**table_of(AddressForm).fields, **BESIDE})


class TriedReply(TypedDict):
    texts: list[str]
    end: bool


class TriedFailure(TypedDict):
    """`place` is the field of the mapping that it is about, empty where it is about none."""

    kind: str
    place: str
    detail: str
    status: int | None
    answer: str


class TriedAnswer(TypedDict):
    asked: str
    status: int
    content_type: str
    body: str


class FoundByPath(TypedDict):
    """What a path of a mapping found, as JSON; in a stream the last of `n` events that had one."""

    name: str
    path: str
    value: str
    n: int


class TriedDocument(TypedDict):
    """`reply` or `failure` is null. `curl` is the first request with the secret masked, `parts` how many came of a stream."""

    reply: TriedReply | None
    failure: TriedFailure | None
    latency_ms: int
    parts: int
    state: str
    curl: str
    answers: list[TriedAnswer]
    found: list[FoundByPath]


class TryOwnBot(TeamsView):
    """POST makes one call with one word: the fields of an address, `word`, and `bot` for the secret of a stored one."""

    @describes("Tries an address of the own team's with one call", TriedDocument, reads=TRY, refuses=(409, 422))
    def post(self, request: Request, slug: str) -> Response:
        campaign = self.campaign(request, slug)
        return tried_answer(request, campaign, entries_of(self.team(request, campaign), campaign))


def tried_answer(request: Request, campaign: Campaign, entries: QuerySet[Entry]) -> Response:
    """Errors: `BadForm`, `TooManyTries`, `NoPlaceToTry`, `OwnTriesGoOn`, `Http404` for a `bot` that is none of `entries`."""
    said, problems = fields_of(request), Problems()
    beside = Table(BESIDE, keeps_others=True).read(dict(said), "", "", problems)
    problems.refuse(BadForm)
    address = {name: value for name, value in said.items() if name not in BESIDE}
    typed = read_try(address, beside["word"] or _("Hello"), entry_in(beside["bot"], entries))
    tried = try_address(campaign=campaign, typed=typed, by=person_of(request), at=timezone.now())
    return Response(tried_document(tried))


def entry_in(number: int | None, entries: QuerySet[Entry]) -> Entry | None:
    if number is None:
        return None
    entry = entries.filter(pk=number).first()
    if entry is None:
        raise Http404
    return entry


def tried_document(tried: Tried) -> TriedDocument:
    answers = [
        TriedAnswer(asked=one.asked, status=one.status, content_type=one.content_type, body=one.body)
        for one in tried.exchanges
    ]
    found = [FoundByPath(name=one.name, path=one.path, value=one.value, n=one.n) for one in tried.found]
    return {
        "reply": _reply(tried.reply) if tried.reply else None,
        "failure": _failure(tried.failure) if tried.failure else None,
        "latency_ms": tried.latency_ms,
        "parts": tried.n_parts,
        "state": tried.state,
        "curl": tried.curl,
        "answers": answers,
        "found": found,
    }


def _reply(reply: Reply) -> TriedReply:
    return {"texts": list(reply.texts), "end": reply.end}


def _failure(failure: BotFailure) -> TriedFailure:
    return {
        "kind": failure.kind.value,
        "place": failure.detail.place,
        "detail": failure.detail.message,
        "status": failure.status,
        "answer": failure.evidence,
    }
