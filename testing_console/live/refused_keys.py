"""How often keys that open nothing come from each network: whoever tries too many is turned away unread for a while."""

import time
from dataclasses import dataclass, field

from testing_console.live.frame_bucket import FrameBucket

# So many at once, then one per second: a handful of bots with old keys that connect again every second or two.
TRIES_PER_S, TRIES_BURST = 1.0, 60
SHUT_S = 5.0
# The network that came first is forgotten beyond this.
NETWORKS_LIMIT = 10_000


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
        if not network:
            return
        if network not in self._tries and len(self._tries) >= NETWORKS_LIMIT:
            del self._tries[next(iter(self._tries))]
        tries = self._tries.setdefault(network, _Tries())
        if not tries.bucket.takes():
            tries.shut_until = time.monotonic() + SHUT_S
