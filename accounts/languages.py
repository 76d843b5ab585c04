"""The language in which a request or socket is answered: the one its person chose, else the one that it asks for."""

from typing import Any

from django.http import HttpRequest
from django.utils import translation


def language_of(request: HttpRequest, chosen: str) -> str:
    """`chosen` is what a person who is logged in chose, empty for nothing; programs with a token ask by `Accept-Language`."""
    return chosen or translation.get_language_from_request(request)


def language_of_socket(scope: dict[str, Any], chosen: str) -> str:
    """The same for a socket, so that it speaks as the page that opened it: a browser sends both the same cookies and headers."""
    asked = HttpRequest()
    asked.COOKIES = scope.get("cookies", {})
    accepted = dict(scope["headers"]).get(b"accept-language", b"")
    asked.META["HTTP_ACCEPT_LANGUAGE"] = accepted.decode("latin-1")
    return language_of(asked, chosen)
