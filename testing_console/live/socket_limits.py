"""What a socket may cost before it is read: its origin, its frames, open sockets per person and network, refused keys.

The gate around the login answers what fails before any of that with a close code.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http.request import validate_host

from accounts.log_in.guesses import address_behind, network_of
from api.rate_limits import take
from serving.leases import Lease, Leases, leases
from serving.monitoring.metrics import SOCKETS
from serving.server.close_codes import CLOSE_DRAINING

logger = logging.getLogger("huace.socket_gate")

BURST_FRAMES = 40
FRAMES_REFUSED_BEFORE_CLOSE = 2000
SHUT_S = 5.0
# A kind, `person` or `network`, and which.
Holder = tuple[str, str]
KINDS = {"/ws/dialogues/": "dialogue", "/ws/campaigns/": "wall", "/ws/bots/": "bot"}
# The network that came first is forgotten beyond this.
NETWORKS_LIMIT = 10_000


class FrameBucket:
    """A token bucket: `rate` frames per second with a burst; rate 0 lets everything through."""

    def __init__(self, rate: float, burst: int = BURST_FRAMES) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at = float(burst), time.monotonic()

    def takes(self) -> bool:
        if not self._rate:
            return True
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def debt_s(self) -> float:
        """Takes the frame in any case; gives the seconds for which nothing more should be read."""
        if self.takes() or not self._rate:
            return 0.0
        self._left -= 1
        return -self._left / self._rate


# A burst, then one per second: allows a handful of bots with old keys to reconnect every second or two.
TRIES_PER_S, TRIES_BURST = 1.0, 60
TRIES_A_MINUTE = 120


class TooManyTries(Exception):
    """Too many keys that open nothing came from this network."""


@dataclass(slots=True)
class _Tries:
    bucket: FrameBucket = field(default_factory=lambda: FrameBucket(TRIES_PER_S, TRIES_BURST))
    shut_until: float = 0.0


class RefusedKeys:
    """Touched on the event loop only. Connections without an address share no limit."""

    def __init__(self) -> None:
        self._tries: dict[str, _Tries] = {}

    def check(self, network: str) -> None:
        """Errors: `TooManyTries`."""
        tries = self._tries.get(network)
        if tries is not None and tries.shut_until > time.monotonic():
            raise TooManyTries

    def note(self, network: str) -> None:
        """One more key from there that opens nothing."""
        if network and not self._tries_of(network).bucket.takes():
            self.shut(network)

    def shut(self, network: str) -> None:
        """Lets nobody from there in for a while."""
        self._tries_of(network).shut_until = time.monotonic() + SHUT_S

    def _tries_of(self, network: str) -> _Tries:
        if network not in self._tries and len(self._tries) >= NETWORKS_LIMIT:
            del self._tries[next(iter(self._tries))]
        return self._tries.setdefault(network, _Tries())


def is_over_on_all_machines(network: str) -> bool:
    """Counts one more key that opens nothing; True where machines together met too many from there within a minute."""
    if not network:
        return False
    taken = take("bot-keys", network, TRIES_A_MINUTE, window_s=60)
    return taken is not None and taken.is_over


class SocketCounts:
    """Open sockets per person and per network; with Redis those of all machines, else of this process.

    Touched on the event loop only. A limit of 0 lets everything through.
    """

    def __init__(self, per_person: int, per_network: int, over_all: Callable[[], Leases | None] = leases) -> None:
        self._over_all = over_all
        self._limits = {"person": per_person, "network": per_network}
        self._held: Counter[Holder] = Counter()
        self._leases: dict[Holder, Lease] = {}

    async def enter(self, person_id: int, network: str) -> bool:
        """Counts one more; False, and nothing is counted, where the person or the network is at its limit."""
        holders = self._limited(person_id, network)
        if any(self._held[holder] >= limit for holder, limit in holders.items()):
            return False
        # Counted before anybody else is asked: the next socket of the person may come meanwhile.
        self._held.update(holders.keys())
        granted: list[Holder] = []
        try:
            for holder, limit in holders.items():
                if not await self._is_granted(holder, limit):
                    return False
                granted.append(holder)
            return True
        finally:
            # Also where the question was cancelled with its socket.
            if len(granted) < len(holders):
                self._give_back(granted)
                self._uncount(holders)

    def leave(self, person_id: int, network: str) -> None:
        holders = self._limited(person_id, network)
        self._give_back(holders)
        self._uncount(holders)

    def _limited(self, person_id: int, network: str) -> dict[Holder, int]:
        """Whom the socket counts for, and their limits."""
        holders = {("person", str(person_id)): self._limits["person"]}
        if network:
            holders["network", network] = self._limits["network"]
        return {holder: limit for holder, limit in holders.items() if limit}

    async def _is_granted(self, holder: Holder, limit: int) -> bool:
        over_all = self._over_all()
        if over_all is None:
            return True
        if holder not in self._leases:
            self._leases[holder] = Lease(over_all, "sockets of {} {}".format(*holder), limit)
        return await self._leases[holder].one_more()

    def _give_back(self, holders: Collection[Holder]) -> None:
        for holder in holders:
            if holder in self._leases:
                self._leases[holder].give_back()

    def _uncount(self, holders: Collection[Holder]) -> None:
        for holder in holders:
            self._held[holder] -= 1
            if not self._held[holder]:
                del self._held[holder]
                self._leases.pop(holder, None)


def network_behind(scope: dict[str, Any]) -> str:
    """The network that a socket comes from, as log-ins see it; empty where the connection has no address."""
    client = scope.get("client") or ("",)
    # A proxy may add a header of its own instead of going on in the one that came: together they are one list.
    forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    meta = {"REMOTE_ADDR": client[0], "HTTP_X_FORWARDED_FOR": forwarded.decode("latin-1")}
    return network_of(address_behind(meta, settings.TRUSTED_PROXIES))


counts = SocketCounts(settings.SOCKETS_PER_PERSON, settings.SOCKETS_PER_ADDRESS)


def is_own_origin(headers: dict[bytes, bytes]) -> bool:
    """True if the page that opened the socket came from the configured site, or from the host and port it connects to, and that host is ours."""
    named = headers.get(b"origin", b"").decode("latin-1")
    if named and named == settings.SITE_URL:
        return True
    origin = urlsplit(named)
    host = headers.get(b"host", b"").decode("latin-1")
    if origin.scheme not in {"http", "https"} or not origin.netloc or origin.netloc != host:
        return False
    name = origin.hostname or ""
    return validate_host(f"[{name}]" if ":" in name else name, settings.ALLOWED_HOSTS)


def kind_of(path: str) -> str:
    return next((kind for start, kind in KINDS.items() if path.startswith(start)), "unknown")


class SocketGate:
    """An ASGI application around the middleware that reads the session, before any consumer runs."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        has_answered = False

        async def send_and_note(message: dict[str, Any]) -> None:
            nonlocal has_answered
            has_answered = True
            await send(message)

        try:
            with SOCKETS.labels(kind_of(scope["path"])).track_inprogress():
                await self._inner(scope, receive, send_and_note)
        except (OperationalError, InterfaceError) as away:
            if has_answered:
                raise
            logger.warning("A socket is sent away for now: the database is not available: %s", away)
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": CLOSE_DRAINING})
