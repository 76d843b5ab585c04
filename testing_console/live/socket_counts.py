"""How many sockets of this process each person and each network holds open; whoever holds too many opens no more."""

from collections import Counter
from typing import Any

from django.conf import settings

from accounts.log_in.guesses import address_behind, network_of


class SocketCounts:
    """Touched on the event loop only. A limit of 0 lets everything through."""

    def __init__(self, per_person: int, per_network: int) -> None:
        self._per_person, self._per_network = per_person, per_network
        self._held: Counter[int | str] = Counter()

    def enter(self, person_id: int, network: str) -> bool:
        """Counts one more; False, and nothing is counted, where the person or the network is at its limit."""
        if self._is_full(person_id, self._per_person) or (network and self._is_full(network, self._per_network)):
            return False
        self._held.update({person_id, network})
        return True

    def leave(self, person_id: int, network: str) -> None:
        for holder in (person_id, network):
            self._held[holder] -= 1
            if not self._held[holder]:
                del self._held[holder]

    def _is_full(self, holder: int | str, limit: int) -> bool:
        return bool(limit) and self._held[holder] >= limit


def network_behind(scope: dict[str, Any]) -> str:
    """The network that a socket comes from, as log-ins see it; empty where the connection has no address."""
    client = scope.get("client") or ("",)
    # A proxy may add a header of its own instead of going on in the one that came: together they are one list.
    forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    meta = {"REMOTE_ADDR": client[0], "HTTP_X_FORWARDED_FOR": forwarded.decode("latin-1")}
    return network_of(address_behind(meta, settings.TRUSTED_PROXIES))


counts = SocketCounts(settings.SOCKETS_PER_PERSON, settings.SOCKETS_PER_ADDRESS)
