"""What people can choose for all pages, language and colours, and the language in which a request or socket is answered."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation

from accounts.models import Person

# An empty language is the browser's.
CHOICES = {"language": {"", *dict(settings.LANGUAGES)}, "theme": set(Person.Theme.values)}


class UnknownChoice(ValueError):
    """Neither a language nor a theme of ours."""


def check_choices(chosen: Mapping[str, str]) -> None:
    """Errors: `UnknownChoice`."""
    for name, choice in chosen.items():
        if choice not in CHOICES.get(name, ()):
            raise UnknownChoice(f"{name}: {choice!r}")


OF_PROGRAMS = "en"


def language_of(request: HttpRequest, chosen: str) -> str:
    """`chosen` is what a person who is logged in chose, empty for nothing; programs ask by `Accept-Language`.

    To a program that says nothing the API speaks English: browsers always say something.
    """
    is_said = settings.LANGUAGE_COOKIE_NAME in request.COOKIES or request.headers.get("accept-language")
    if not chosen and not is_said and request.path.startswith("/api/"):
        return OF_PROGRAMS
    return chosen or translation.get_language_from_request(request)


def language_of_socket(scope: dict[str, Any], chosen: str) -> str:
    """The same for a socket, so that it speaks as the page that opened it: a browser sends both the same cookies and headers."""
    asked = HttpRequest()
    asked.COOKIES = scope.get("cookies", {})
    accepted = dict(scope["headers"]).get(b"accept-language", b"")
    asked.META["HTTP_ACCEPT_LANGUAGE"] = accepted.decode("latin-1")
    return language_of(asked, chosen)
