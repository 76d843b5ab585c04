"""Browsers that somebody got in with: a signed cookie says into which accounts, so that it has a budget of its own."""

from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import get_random_string, salted_hmac

COOKIE = "huace_device"
MAX_AGE_S = 180 * 24 * 3600
# A browser that a whole room shares remembers those who used it last.
N_NAMES = 8
_SALT = "accounts.log_in.devices"


def digest_of(username: str) -> str:
    """What is stored of a name that was tried: people type passwords into the wrong field."""
    return salted_hmac("accounts.log_in.names", username).hexdigest()[:32]


def code_digest_of(username: str) -> str:
    """The name under which guesses at the account's second factor are counted, apart from those at its password."""
    return digest_of(f"code of {username}")


def device_of(request: HttpRequest, name: str) -> str:
    """The browser's own mark if it got into the account of that digest before, else empty."""
    known = _read(request)
    return known["device"] if name in known["names"] else ""


def remember_device(request: HttpRequest, response: HttpResponse, name: str) -> None:
    known = _read(request)
    names = [name, *(other for other in known["names"] if other != name)][:N_NAMES]
    response.set_cookie(
        COOKIE,
        signing.dumps({"device": known["device"] or get_random_string(22), "names": names}, salt=_SALT),
        max_age=MAX_AGE_S,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read(request: HttpRequest) -> dict[str, Any]:
    try:
        known: dict[str, Any] = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=MAX_AGE_S)
    except signing.BadSignature:
        return {"device": "", "names": []}
    return known
