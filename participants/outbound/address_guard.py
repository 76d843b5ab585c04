"""Decides which addresses the platform may connect to.

The lists are our own: `ipaddress` of Python before 3.11.10 has outdated tables, `is_global` is true for NAT64,
IPv4-compatible, multicast and site-local addresses, and `is_private` is false for 100.64/10.
"""

import asyncio
import ipaddress
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from urllib.parse import urlsplit

from aiohttp.abc import AbstractResolver, ResolveResult

from participants import failure_sentences as sentences
from reading.findings import Finding, sentence
from serving.own_host import is_own_address, is_own_name

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

# IANA special-purpose registries (IPv4, IPv6), multicast and reserved blocks.
FORBIDDEN_NETWORKS = tuple(
    ipaddress.ip_network(block)
    for block in [
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "::/96",
        "::ffff:0:0:0/96",
        "64:ff9b::/96",
        "64:ff9b:1::/48",
        "100::/64",
        "100:0:0:1::/64",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "2620:4f:8000::/48",
        "3fff::/20",
        "5f00::/16",
        "fc00::/7",
        "fe80::/10",
        "fec0::/10",
        "ff00::/8",
    ]
)

# Nobody's bot: whoever reaches these speaks as the machine itself. Not even a name that the organizer gives leads there.
NEVER_REACHED = tuple(
    ipaddress.ip_network(block)
    for block in [
        "169.254.0.0/16",
        "fe80::/10",
        # Where clouds tell a machine about itself: Alibaba, Oracle, Azure, Amazon, Google.
        "100.100.100.200/32",
        "192.0.0.192/32",
        "168.63.129.16/32",
        "fd00:ec2::254/128",
        "fd20:ce::254/128",
    ]
)
# IPv6 addresses that hold an IPv4 address in their last 32 bits: compatible, mapped, and translated in three ways.
HOLDING_IPV4 = tuple(
    ipaddress.IPv6Network(block)
    for block in ["::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"]
)

# Services that speak no HTTP, on which a request would only do harm.
FORBIDDEN_PORTS = frozenset(
    {
        1433,
        1521,
        2049,
        2181,
        2375,
        2376,
        2379,
        3306,
        3389,
        5432,
        5672,
        5900,
        6379,
        6667,
        9042,
        9200,
        11211,
        27017,
    }
)


URLS_REMEMBERED = 1000
# Threads, made as they are needed: one per name that resolves slowly, for more names than there are bots.
LOOK_UPS_AT_ONCE = 256


class BlockedAddress(Exception):
    """The address is not one that the platform may connect to; `detail` says why."""

    def __init__(self, detail: Finding) -> None:
        super().__init__(detail.in_english)
        self.detail = detail


def is_public(address: IPAddress) -> bool:
    if is_never_reached(address):
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    if mapped is not None:
        return is_public(mapped)
    return not any(address in network for network in FORBIDDEN_NETWORKS if network.version == address.version)


def is_never_reached(address: IPAddress) -> bool:
    """Whether it is link-local, or a metadata service of a cloud, itself or by an IPv4 address that it holds."""
    return any(
        one in network for one in _meant_by(address) for network in NEVER_REACHED if network.version == one.version
    )


def _meant_by(address: IPAddress) -> list[IPAddress]:
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    held = [address.sixtofour, *(address.teredo or ())]
    if any(address in network for network in HOLDING_IPV4):
        held.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return [address, *(one for one in held if one is not None)]


def is_web_port(port: int) -> bool:
    return port in {80, 443} or (1024 <= port <= 65535 and port not in FORBIDDEN_PORTS)


class NamedAddress(str):
    """An address found by resolving a host that the organizer named.

    The permission travels with the result of that one look-up into the connection step. Kept in a table of addresses, it
    would open them to every other host that leads there.
    """

    __slots__ = ()


class AddressGuard(AbstractResolver):
    """Resolves a host once, checks every address, and lets sockets be made for checked addresses only.

    `allowed` holds the (host, port) pairs that the organizer named (`HUACE_OUTBOUND_ALLOW`); they pass whatever
    they resolve to, but what is never reached. Errors: `BlockedAddress`; a name that does not resolve is an `OSError`.
    """

    def __init__(self, allowed: frozenset[tuple[str, int]] = frozenset()) -> None:
        self._allowed = allowed
        self._check_url = lru_cache(maxsize=URLS_REMEMBERED)(self._checked)
        self._threads = ThreadPoolExecutor(max_workers=LOOK_UPS_AT_ONCE, thread_name_prefix="resolve")

    def check_url(self, url: str) -> None:
        """Refuses schemes, user info and ports that no bot needs, before anything is resolved."""
        self._check_url(url)

    def _checked(self, url: str) -> None:
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
        except ValueError as malformed:
            raise BlockedAddress(sentence(sentences.NO_READABLE_URL, received=malformed)) from malformed
        if parts.scheme not in {"http", "https"} or not host:
            raise BlockedAddress(sentence(sentences.NO_HTTP_URL))
        if parts.username is not None or parts.password is not None:
            raise BlockedAddress(sentence(sentences.URL_WITH_USER))
        if is_own_name(host.rstrip("."), port, self._allowed):
            raise BlockedAddress(sentence(sentences.OWN_HOST, host=host))
        if (host, port) not in self._allowed and not is_web_port(port):
            raise BlockedAddress(sentence(sentences.PORT_NOT_OPEN, port=port))

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(
            self._threads, lambda: socket.getaddrinfo(host, port, family, socket.SOCK_STREAM)
        )
        named = (host.lower(), port) in self._allowed
        resolved: list[ResolveResult] = []
        for found_family, _type, proto, _name, sockaddr in found:
            address = ipaddress.ip_address(str(sockaddr[0]).partition("%")[0])
            self._require_reachable(address, host, named=named)
            resolved.append(
                ResolveResult(
                    hostname=host,
                    host=NamedAddress(address) if named else str(address),
                    port=port,
                    family=found_family,
                    proto=proto,
                    flags=socket.AI_NUMERICHOST,
                )
            )
        return resolved

    async def close(self) -> None:
        self._threads.shutdown(wait=False)

    def make_socket(self, address_info: tuple) -> socket.socket:  # type: ignore[type-arg]
        """Makes the socket for one address: the last step before the connection, which nothing can go around."""
        family, kind, proto, _name, sockaddr = address_info
        address = ipaddress.ip_address(str(sockaddr[0]).partition("%")[0])
        # A URL may hold the address itself; then nothing was resolved, and the address is the host that was named.
        port = int(sockaddr[1])
        named = isinstance(sockaddr[0], NamedAddress) or (str(address), port) in self._allowed
        # Before what was named: an entry that opens the machine's own network does not open the platform to itself.
        if is_own_address(address, port):
            raise BlockedAddress(sentence(sentences.OWN_HOST, host=str(address)))
        self._require_reachable(address, str(address), named=named)
        made = socket.socket(family, kind, proto)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made

    @staticmethod
    def _require_reachable(address: IPAddress, host: str, *, named: bool) -> None:
        if is_never_reached(address):
            raise BlockedAddress(sentence(sentences.NEVER_REACHED, host=host, address=address))
        if not named and not is_public(address):
            raise BlockedAddress(sentence(sentences.NOT_PUBLIC, host=host, address=address))
