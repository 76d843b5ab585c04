"""REST: where one is logged in. GET lists, DELETE ends one login or all others."""

from datetime import datetime
from typing import Annotated, TypedDict

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import PEOPLE, check_whole, person_of
from accounts.own_api import other_tokens
from accounts.sessions.actions import Ended, end_session, end_sessions
from accounts.sessions.queries import log_ins_of
from accounts.sessions.session_pages import own_log_in
from api.answers import From
from api.describing import describes
from api.paging import PAGES, Page, page_of
from api.parsers import body_in
from reading.kinds import FLAG
from reading.tables import Field, Table


class SessionAnswer(TypedDict):
    id: int
    device: str
    address: str
    since: datetime
    last_seen: Annotated[datetime, From("seen_at")]
    ends: Annotated[datetime, From("ends_at")]
    this_one: Annotated[bool, From("is_this_one")]


ENDING = Table({"tokens": Field(FLAG, True)})


class Sessions(APIView):
    access = PEOPLE

    @describes("Lists where one is logged in", list[SessionAnswer], asks=PAGES)
    def get(self, request: Request) -> Page:
        check_whole(request)
        return page_of(request, log_ins_of(person_of(request), _own_key(request), timezone.now()))

    @describes("Ends all other logins and, unless `tokens` is false, API tokens", Ended, reads=ENDING, refuses=(422,))
    def delete(self, request: Request) -> Ended:
        check_whole(request)
        person, at, own = person_of(request), timezone.now(), _own_key(request)
        tokens = other_tokens(request, at) if body_in(request, ENDING)["tokens"] else None
        return end_sessions(person=person, but=own, by=person, at=at, tokens=tokens)


class OneSession(APIView):
    access = PEOPLE

    @describes("Ends one login", None, 204)
    def delete(self, request: Request, log_in_id: int) -> None:
        check_whole(request)
        person = person_of(request)
        end_session(log_in=own_log_in(person, log_in_id), by=person, at=timezone.now())


def _own_key(request: Request) -> str:
    """The key of the session that asks; empty for a token."""
    return "" if request.auth else str(request.session.session_key)
