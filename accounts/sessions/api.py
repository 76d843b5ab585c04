"""REST: where one is logged in. GET lists, DELETE ends one login or all others."""

from datetime import datetime
from typing import TypedDict

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import PEOPLE, check_whole, person_of
from accounts.describing import describes
from accounts.paging import PAGES, listed
from accounts.sessions.actions import end_session, end_sessions
from accounts.sessions.queries import LogInRow, log_ins_of
from accounts.sessions.session_pages import own_log_in


class LogInAnswer(TypedDict):
    id: int
    device: str
    address: str
    since: datetime
    last_seen: datetime
    ends: datetime
    this_one: bool


class EndedAnswer(TypedDict):
    n_ended: int


def answer_of(row: LogInRow) -> LogInAnswer:
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

    @describes("Lists where one is logged in", list[LogInAnswer], asks=PAGES)
    def get(self, request: Request) -> Response:
        check_whole(request)
        rows = log_ins_of(person_of(request), _own_key(request), timezone.now())
        return listed(request, rows, answer_of)

    @describes("Ends all other logins", EndedAnswer)
    def delete(self, request: Request) -> Response:
        check_whole(request)
        person = person_of(request)
        return Response({"n_ended": end_sessions(person=person, but=_own_key(request), by=person, at=timezone.now())})


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
