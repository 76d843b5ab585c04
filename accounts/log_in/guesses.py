"""How many guesses at a password are free, counted by account, network and known browser.

A guess counts for a quarter of an hour, whether or not the account exists; refused guesses do not count, so retrying never lengthens the wait.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import get_random_string, salted_hmac

WINDOW = timedelta(minutes=15)
COOKIE = "huace_device"
MAX_AGE_S = 180 * 24 * 3600
# A browser that a whole room shares remembers those who used it last.
N_NAMES = 8
# Not the name of this module: cookies with it are in browsers for half a year.
_SALT = "accounts.log_in.devices"


@dataclass(frozen=True, slots=True)
class Guess:
    """One try to get into an account: digest of its name, network, and the browser if it got in there before."""

    name: str
    network: str
    device: str = ""
    # Strange browsers together, from everywhere; fewer for codes, which have only a million possibilities.
    n_from_strangers: int = 30


@dataclass(frozen=True, slots=True)
class Budget:
    """At most `limit` guesses per window that agree in `fields`."""

    fields: Mapping[str, str]
    limit: int

    @property
    def is_of_network(self) -> bool:
        """Whether guesses at all accounts use it up together."""
        return "name" not in self.fields


def budgets_of(guess: Guess) -> tuple[Budget, ...]:
    """The budgets that a guess is taken from; all of them must have one left.

    A browser that got in before has a budget of its own: guesses from elsewhere, or by a roomful of people behind the
    same address, use up nothing of it. The budget of an address is wide, since a university may stand behind it; an
    organizer lifts it for their campaign's people where that is not enough (decision 0024).
    """
    if guess.device:
        return (Budget({"name": guess.name, "device": guess.device}, 10),)
    return (
        Budget({"name": guess.name, "network": guess.network, "device": ""}, 5),
        Budget({"name": guess.name, "device": ""}, guess.n_from_strangers),
        Budget({"network": guess.network, "device": ""}, 100),
    )


def address_of(request: HttpRequest) -> str:
    """The client's address; empty where the connection has none (a Unix socket)."""
    return address_behind(request.META, settings.TRUSTED_PROXIES)


def address_behind(meta: Mapping[str, str], n_proxies: int) -> str:
    """The address that the outermost of our `n_proxies` proxies saw.

    Each proxy adds the address it saw at the right end of X-Forwarded-For; what is further left was said by the
    client, who can say anything. A header that is too short did not pass all proxies, and is not believed.
    """
    said = [part.strip() for part in meta.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    if n_proxies and len(said) >= n_proxies and (forwarded := valid_address(said[-n_proxies])):
        return forwarded
    return valid_address(meta.get("REMOTE_ADDR", ""))


def valid_address(text: str) -> str:
    """The address in its one canonical form, an IPv4 address also if it comes as IPv6; empty for anything else."""
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    return str(getattr(address, "ipv4_mapped", None) or address)


def network_of(address: str) -> str:
    """What one subscriber holds: an IPv4 address, or the first 64 bits of an IPv6 address."""
    if ":" not in address:
        return address
    return ":".join(ip_address(address).exploded.split(":")[:4])


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
