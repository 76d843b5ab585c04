"""Which host is the platform itself: the port that it listens on, the names under which it is reached. No bot is there."""

import ipaddress
import os
import socket
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from django.conf import settings

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
# Where proxies stand for the site.
PROXY_PORTS = frozenset({80, 443})
# Names of any machine; a proxy there may serve somebody else.
EVERYWHERE = frozenset({"localhost", "127.0.0.1", "::1"})
EVERY_ADDRESS = frozenset({"0.0.0.0", "::"})
# The port of this installation's server; none where none is known, in a command say.
_listening: set[int] = set()


def listens_at(port: int) -> None:
    """Set once when the process starts, before any call."""
    _listening.clear()
    _listening.add(port)


def note_address(host: str, port: int) -> None:
    """Said by the server before it serves, for commands on the same machine; any address of the machine is its own."""
    host = "127.0.0.1" if host in EVERY_ADDRESS else f"[{host}]" if ":" in host else host
    draft = _noted().with_name(f"address.{os.getpid()}")
    draft.write_text(f"http://{host}:{port}")
    draft.rename(_noted())


def noted_address() -> str:
    """Where the server of this installation listens, or did last."""
    return _noted().read_text() if _noted().exists() else "http://127.0.0.1:8000"


def _noted() -> Path:
    return Path(settings.VAR_DIR) / "address"


def is_own_name(host: str, port: int, allowed: Collection[tuple[str, int]] = ()) -> bool:
    """Whether a URL with this host and port means the platform by its name.

    A proxy may lead some of the site's paths to a bot: who names host and port in `allowed` says so. Nothing opens the listening port.
    """
    host = as_requested(host)
    if host in own_names() and port in _listening:
        return True
    return (host, port) in _proxies() and (host, port) not in allowed


@lru_cache(maxsize=1000)
def as_requested(host: str) -> str:
    """A name as it is asked for: punycode in lower case, whichever dots and letters it was typed with."""
    try:
        return httpx.URL(scheme="http", host=host).raw_host.decode("ascii").rstrip(".")
    except httpx.InvalidURL:
        return host.lower().rstrip(".")


def is_own_address(address: IPAddress, port: int) -> bool:
    """Whether this machine has the address, however it is written, and the platform listens on the port."""
    return port in _listening and is_here(getattr(address, "ipv4_mapped", None) or address)


def own_names() -> frozenset[str]:
    """Those of `HUACE_HOSTS` and `HUACE_SITE_URL`. A pattern names its domain alone: what else is below it may be anybody's."""
    names = {as_requested(name.strip("[]").removeprefix(".")) for name in settings.ALLOWED_HOSTS if name != "*"}
    return frozenset(names | {host for host, _ in _site()})


def _proxies() -> frozenset[tuple[str, int]]:
    return frozenset({(name, port) for name in own_names() - EVERYWHERE for port in PROXY_PORTS}) | _site()


def _site() -> frozenset[tuple[str, int]]:
    parts = urlsplit(settings.SITE_URL)
    if not parts.hostname:
        return frozenset()
    return frozenset({(as_requested(parts.hostname), parts.port or (443 if parts.scheme == "https" else 80))})


def is_here(address: IPAddress) -> bool:
    """Whether it is one of this machine's: a socket can be bound to no other."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as tried:
            tried.bind((str(address), 0))
    except OSError:
        # Another machine's, or of a family that this one has not.
        return False
    return True
