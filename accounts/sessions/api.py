"""REST: where one is logged in. GET lists, DELETE ends one login or all others."""

from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import PEOPLE, check_whole, person_of
from accounts.sessions.actions import end_session, end_sessions
from accounts.sessions.queries import LogInRow, log_ins_of
from accounts.sessions.session_pages import own_log_in


def answer_of(row: LogInRow) -> dict[str, Any]:
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

    def get(self, request: Request) -> Response:
        check_whole(request)
        rows = log_ins_of(person_of(request), _own_key(request), timezone.now())
        return Response([answer_of(row) for row in rows])

    def delete(self, request: Request) -> Response:
        check_whole(request)
        person = person_of(request)
        return Response({"n_ended": end_sessions(person=person, but=_own_key(request), by=person, at=timezone.now())})


class OneSession(APIView):
    access = PEOPLE

    def delete(self, request: Request, log_in_id: int) -> Response:
        check_whole(request)
        person = person_of(request)
        end_session(log_in=own_log_in(person, log_in_id), by=person, at=timezone.now())
        return Response(status=204)


def _own_key(request: Request) -> str:
    """The key of the session that asks; empty for a token."""
    return "" if request.auth else str(request.session.session_key)
