"""What holds for every page: the reader's language, no text that cannot be stored, no copy left in a browser."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.log_in.guesses import address_of, network_of
from accounts.preferences import language_of
from api.problems import bare_problem
from api.rate_limits import take, tighter, told
from reading.storable import is_storable, unstorable_in

# Behind one address there may be a room full of programs.
PERSONS_PER_ADDRESS = 10
# A request with a bad token counts as N successful requests against its address.
BAD_TOKEN_COSTS = 20


class ApiRateMiddleware:
    """Counts API requests per address before anything is looked up for them, and says in headers what is left."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith("/api/"):
            return self.get_response(request)
        network = network_of(address_of(request))
        taken = take("address", network, settings.API_RATE * PERSONS_PER_ADDRESS)
        if taken and taken.is_over:
            return told(_too_many(request), taken)
        response = self.get_response(request)
        if response.status_code == 401:
            take("address", network, settings.API_RATE * PERSONS_PER_ADDRESS, cost=BAD_TOKEN_COSTS)
        return told(response, tighter(taken, getattr(request, "rate_of_person", None)))


def _too_many(request: HttpRequest) -> HttpResponse:
    # The person, and so their language, is not known yet.
    with translation.override(language_of(request, "")):
        return bare_problem(
            429, "throttled", lambda: _("Too many requests from this address. Wait as long as Retry-After says.")
        )


def storable_cookies(cookies: Mapping[str, str]) -> dict[str, str]:
    """The cookies that were not made up: a session with a NUL in its name cannot even be looked up in PostgreSQL."""
    return {name: value for name, value in cookies.items() if is_storable(name) and is_storable(value)}


class StorableCookiesMiddleware:
    """Drops cookies that no database holds, before sessions are looked up by them. The site's own cookies never hold such characters."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.COOKIES = storable_cookies(request.COOKIES)
        return self.get_response(request)


class StorableCookiesOfSockets:
    """The same for sockets; it goes between the reading of cookies and the sessions."""

    def __init__(self, inner: Callable[..., Awaitable[None]]) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        await self.inner(scope | {"cookies": storable_cookies(scope["cookies"])}, receive, send)


class PersonLanguageMiddleware:
    """Speaks the language a person chose; before the login, the one of the cookie or the browser."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = language_of(request, getattr(request.user, "language", ""))
        with translation.override(language):
            request.LANGUAGE_CODE = translation.get_language() or language
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", request.LANGUAGE_CODE)
        return response


class StorableTextMiddleware:
    """Refuses pages' forms and queries with text that no database holds; the REST API's parsers do so themselves."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        # Before its credentials are looked at, an API request is not worth parsing.
        if hasattr(view, "cls"):
            bad = unstorable_in(dict(request.GET.lists()))
            return bare_problem(400, "parse_error", bad.__str__) if bad else None
        if not any(unstorable_in(dict(fields.lists())) for fields in (request.GET, request.POST)):
            return None
        return render(
            request, "error.html", {"title": _("This text holds a character that cannot be stored")}, status=400
        )


class NothingKeptMiddleware:
    """Lets no browser or proxy keep what it was sent for somebody: after the log-out, "back" shows nothing of it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Asked before the view: after a log-out the request has no person any more.
        is_personal = request.user.is_authenticated or "Authorization" in request.headers
        response = self.get_response(request)
        if is_personal or request.user.is_authenticated:
            response.headers["Cache-Control"] = "no-store"
        return response
