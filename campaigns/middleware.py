"""What holds for every page: the reader's language, no text that cannot be stored, no copy left in a browser."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext as _

from participants.storable import unstorable_place


class PersonLanguageMiddleware:
    """Speaks the language a person chose; before the login, the one of the cookie or the browser."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = getattr(request.user, "language", "") or translation.get_language_from_request(request)
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
        is_api = hasattr(view, "cls")
        submitted = [request.GET] if is_api else [request.GET, request.POST]
        if all(unstorable_place(dict(fields.lists())) is None for fields in submitted):
            return None
        return render(
            request, "error.html", {"title": _("This text holds a character that cannot be stored")}, status=400
        )


class NothingKeptMiddleware:
    """Lets no browser or proxy keep what it was sent for somebody: after the log-out, "back" shows nothing of theirs."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Asked before the view: a log-out answers to somebody who is nobody by then.
        is_personal = request.user.is_authenticated or "Authorization" in request.headers
        response = self.get_response(request)
        if is_personal or request.user.is_authenticated:
            response.headers["Cache-Control"] = "no-store"
        return response
