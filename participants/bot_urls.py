"""What can be said of the URL of a bot or a service before it is stored, without resolving or connecting.

The outbound door decides on each connection; here the person who types a URL learns at once what it would refuse.
"""

import ipaddress
import socket
from collections.abc import Collection
from urllib.parse import SplitResult, urlsplit

from django.utils.translation import gettext_noop

from participants.bot_form import bot_url
from participants.outbound.addresses import IPAddress, is_never_reached, is_public, is_web_port
from participants.outbound.openings import opened
from reading.kinds import Wrong, http_url
from serving.own_host import is_own_address, is_own_name

# Names that lead to the machine itself, or that mean something inside of one network only.
INNER_NAMES = ("localhost", "local", "localdomain", "internal", "intranet", "lan", "home.arpa")


def named_host(url: str) -> str:
    """The host of a stored URL where its name can tell whose it is: empty for an address, and for a name without a dot."""
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""
    return host if "." in host and _literal(host) is None else ""


def check_bot_url(url: str, allowed: Collection[tuple[str, int]]) -> str:
    """The URL as it is stored. `allowed` are the (host, port) pairs that the site lets through. Errors: `Wrong`."""
    return _check_server(bot_url().value_of(url.strip()), allowed)


def check_service_url(url: str, allowed: Collection[tuple[str, int]]) -> str:
    """As `check_bot_url`; services are called over HTTP alone."""
    return _check_server(http_url().value_of(url.strip()), allowed)


def _check_server(text: str, allowed: Collection[tuple[str, int]]) -> str:
    parts, port = _parts_of(text)
    host = (parts.hostname or "").rstrip(".")
    if not host:
        raise Wrong(gettext_noop("names no host"))
    if parts.username is not None or parts.password is not None:
        raise Wrong(gettext_noop("carries a user name or password; use the field for the secret instead"))
    address = _literal(host)
    if is_own_name(host, port, allowed) or (address is not None and is_own_address(address, port)):
        own = gettext_noop("is the address of this platform (%(host)s); type that of your own system")
        raise Wrong(own, host=host)
    if (host, port) in allowed:
        if address is not None and is_never_reached(address):
            never = gettext_noop("is link-local or a cloud's metadata service (%(host)s), which is never called")
            raise Wrong(never, host=host)
        return text
    if not is_web_port(port):
        raise Wrong(gettext_noop("names port %(port)s; systems are called on ports 80, 443 or above 1023"), port=port)
    if not _is_outside(host) and not _is_opened(host, address, port):
        raise Wrong(
            gettext_noop(
                "leads into a private network (%(host)s); the platform calls public addresses. Ask the staff of this installation: they can allow it on the page Operation › Allowed addresses (%(entry)s)"
            ),
            host=host,
            entry=f"[{host}]:{port}" if ":" in host else f"{host}:{port}",
        )
    return text


def _parts_of(url: str) -> tuple[SplitResult, int]:
    try:
        parts = urlsplit(url)
        return parts, parts.port or (443 if parts.scheme in {"https", "wss"} else 80)
    except ValueError:
        raise Wrong(gettext_noop("cannot be read as a URL")) from None


def _is_outside(host: str) -> bool:
    address = _literal(host)
    if address is not None:
        return is_public(address)
    return not any(host == name or host.endswith(f".{name}") for name in INNER_NAMES)


def _is_opened(host: str, address: IPAddress | None, port: int) -> bool:
    return opened.names(host, port) if address is None else opened.opens(address, port)


def _literal(host: str) -> IPAddress | None:
    """The address that the host spells out, also in the old ways (127.1, 0x7f.1, 2130706433) that resolvers still take."""
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except (OSError, ValueError, UnicodeEncodeError):
        return None
