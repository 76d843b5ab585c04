"""Lists every login, whichever door it came through, and ends it in time."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.access import person_of
from accounts.log_in.guesses import address_of
from accounts.sessions.actions import note_log_in, note_use, stored_key
from accounts.sessions.limits import is_due, seconds_left

# What a session remembers of itself: the key that it is listed by, since when it lasts, when it was used.
MARK = "log_in"


class LogInsMiddleware:
    """Writes only after the view, and at most every few minutes: a page is never slower for it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        # Where the server failed the database may be gone; and only a session has logins, a token has none.
        if response.status_code < 500 and request.user.is_authenticated and SESSION_KEY in request.session:
            _note(request, timezone.now())
        return response


def _note(request: HttpRequest, at: datetime) -> None:
    session = request.session
    mark = session.get(MARK) or {}
    since = _moment(mark["since"]) if mark else at
    key = stored_key(session=session)
    # A login that changed its key (a new password) goes on as the same login.
    if mark.get("key") != key:
        note_log_in(
            person=person_of(request),
            session_key=key,
            agent=request.headers.get("User-Agent", ""),
            address=address_of(request),
            since=since,
            at=at,
            n_at_most=settings.SESSION_LIMITS.n_per_person,
        )
    elif is_due(_moment(mark["seen"]), at):
        note_use(session_key=key, address=address_of(request), at=at)
    else:
        return
    session[MARK] = {"key": key, "since": since.timestamp(), "seen": at.timestamp()}
    # The row and the cookie end with it: pages and sockets ask nothing else.
    session.set_expiry(max(1, seconds_left(settings.SESSION_LIMITS, since=since, at=at)))


def _moment(seconds: Any) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
