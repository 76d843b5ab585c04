"""REST: where one is logged in. GET lists, DELETE ends one login or all others."""

from datetime import datetime
from typing import TypedDict

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import PEOPLE, check_whole, person_of
from accounts.own_api import other_tokens, read_body
from accounts.sessions.actions import end_session, end_sessions
from accounts.sessions.queries import LogInRow, log_ins_of
from accounts.sessions.session_pages import own_log_in
from api.describing import describes
from api.paging import PAGES, listed
from reading.kinds import FLAG
from reading.tables import Field, Table


class SessionAnswer(TypedDict):
    id: int
    device: str
    address: str
    since: datetime
    last_seen: datetime
    ends: datetime
    this_one: bool


class EndedAnswer(TypedDict):
    n_ended: int
    n_tokens: int


ENDING = Table({"tokens": Field(FLAG, True)})


def answer_of(row: LogInRow) -> SessionAnswer:
    return {
        "id": row.id,
        "device": row.device,
        "address": row.address,
        "since": row.since,
        "last_seen": row.seen_at,
        "ends": row.ends_at,
        "this_one": row.is_this_one,
    }


class Sessions(APIView):
    access = PEOPLE

    @describes("Lists where one is logged in", list[SessionAnswer], asks=PAGES)
    def get(self, request: Request) -> Response:
        check_whole(request)
        rows = log_ins_of(person_of(request), _own_key(request), timezone.now())
        return listed(request, rows, answer_of)

    @describes(
        "Ends all other logins and, unless `tokens` is false, API tokens", EndedAnswer, reads=ENDING, refuses=(422,)
    )
    def delete(self, request: Request) -> Response:
        check_whole(request)
        person, at, own = person_of(request), timezone.now(), _own_key(request)
        tokens = other_tokens(request, at) if read_body(request, ENDING)["tokens"] else None
        ended = end_sessions(person=person, but=own, by=person, at=at, tokens=tokens)
        return Response({"n_ended": ended.n_log_ins, "n_tokens": ended.n_tokens})


class OneSession(APIView):
    access = PEOPLE

    @describes("Ends one login", None, 204)
    def delete(self, request: Request, log_in_id: int) -> Response:
        check_whole(request)
        person = person_of(request)
        end_session(log_in=own_log_in(person, log_in_id), by=person, at=timezone.now())
        return Response(status=204)


def _own_key(request: Request) -> str:
    """The key of the session that asks; empty for a token."""
    return "" if request.auth else str(request.session.session_key)
