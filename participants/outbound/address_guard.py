"""Decides which addresses the platform may connect to.

Two things open what is not public: `HUACE_OUTBOUND_ALLOW`, and hosts and networks that staff open (openings.py).
"""

import asyncio
import ipaddress
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from urllib.parse import urlsplit

from aiohttp.abc import AbstractResolver, ResolveResult

from participants import failure_sentences as sentences
from participants.outbound.addresses import IPAddress, is_never_reached, is_public, is_web_port
from participants.outbound.openings import Openings, opened
from reading.findings import Finding, sentence
from serving.own_host import is_own_address, is_own_name

URLS_REMEMBERED = 1000
# Threads, made as they are needed: one per name that resolves slowly, for more names than there are bots.
LOOK_UPS_AT_ONCE = 256


class BlockedAddress(Exception):
    """The address is not one that the platform may connect to; `detail` says why."""

    def __init__(self, detail: Finding) -> None:
        super().__init__(detail.in_english)
        self.detail = detail


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

    def __init__(self, allowed: frozenset[tuple[str, int]] = frozenset(), openings: Openings = opened) -> None:
        self._allowed = allowed
        self._openings = openings
        self._check_url = lru_cache(maxsize=URLS_REMEMBERED)(self._checked)
        self._threads = ThreadPoolExecutor(max_workers=LOOK_UPS_AT_ONCE, thread_name_prefix="resolve")

    @property
    def generation(self) -> int:
        """Moves whenever staff allow something or take it back."""
        return self._openings.generation

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
        is_opened = not named and self._openings.names(host, port)
        resolved: list[ResolveResult] = []
        for found_family, _type, proto, _name, sockaddr in found:
            address = ipaddress.ip_address(str(sockaddr[0]).partition("%")[0])
            # Each address by itself: a name that leads to several, or elsewhere tomorrow, opens nothing beyond the bounds.
            by_name = named or (is_opened and self._openings.may_reach(address))
            self._require_reachable(address, port, host, named=by_name)
            resolved.append(
                ResolveResult(
                    hostname=host,
                    host=NamedAddress(address) if by_name else str(address),
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
        self._require_reachable(address, port, str(address), named=named)
        made = socket.socket(family, kind, proto)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made

    def _require_reachable(self, address: IPAddress, port: int, host: str, *, named: bool) -> None:
        if is_never_reached(address):
            raise BlockedAddress(sentence(sentences.NEVER_REACHED, host=host, address=address))
        if not named and not is_public(address) and not self._openings.opens(address, port):
            raise BlockedAddress(sentence(sentences.NOT_PUBLIC, host=host, address=address))
