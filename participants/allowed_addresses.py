"""What may stand on the page of allowed addresses, and how each process learns of it."""

import ipaddress
import re

from django.conf import settings
from django.utils.translation import gettext_noop

from participants.limits import PLACE_LIMIT
from participants.models import AllowedAddress
from participants.outbound.addresses import NEVER_REACHED, Network, is_web_port
from participants.outbound.openings import Opening, opened
from serving.own_host import as_requested, is_own_name
from serving.refused import Refused

# Of lower-case letters, digits and hyphens; the last label is no number, or resolvers would take it for an old spelling of an address.
HOST = re.compile(
    r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)*(?!0x[0-9a-f]*\Z|[0-9]+\Z)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
)


class CannotAllow(Refused):
    """The sentence says why."""

    code = "cannot_allow"


def place_of(typed: str) -> str:
    """A network in its one spelling, or a host as it is asked for. Errors: `CannotAllow`."""
    typed = typed.strip()
    try:
        network = ipaddress.ip_network(typed.strip("[]"))
    except ValueError:
        if "/" not in typed:
            return _host(typed)
        raise CannotAllow(gettext_noop("%(place)s is no network, such as 10.1.2.0/24."), place=typed[:80]) from None
    within: tuple[Network, ...] = settings.OUTBOUND_MAY_ALLOW
    if not any(_holds(outer, network) for outer in within):
        listed = ", ".join(map(str, within)) or "—"
        raise CannotAllow(
            gettext_noop(
                "%(place)s is outside of what this installation may allow (HUACE_OUTBOUND_MAY_ALLOW): %(within)s."
            ),
            place=network,
            within=listed,
        )
    if any(_holds(never, network) for never in NEVER_REACHED):
        raise CannotAllow(
            gettext_noop("%(place)s is link-local or a cloud's metadata, which is never called."), place=network
        )
    return str(network)


def _holds(outer: Network, inner: Network) -> bool:
    return outer.version == inner.version and inner.network_address in outer and inner.broadcast_address in outer


def _host(typed: str) -> str:
    host = as_requested(typed)
    if len(host) > PLACE_LIMIT or not HOST.fullmatch(host):
        raise CannotAllow(gettext_noop("Type a network, such as 10.1.2.0/24, an address or the name of a host."))
    return host


def check_port(place: str, port: int) -> None:
    """0 is every port that is open to systems. Errors: `CannotAllow`."""
    if port and not is_web_port(port):
        raise CannotAllow(
            gettext_noop("Systems are called on ports 80, 443 or above 1023, without those of other services.")
        )
    if port and is_own_name(place, port):
        raise CannotAllow(gettext_noop("%(place)s is the address of this platform."), place=f"{place}:{port}")


def renew_openings() -> None:
    """Reads them for this process, which calls this every few seconds. It reports nothing."""
    rows = AllowedAddress.objects.values_list("place", "port")
    opened.become([Opening(place, port) for place, port in rows], settings.OUTBOUND_MAY_ALLOW)
