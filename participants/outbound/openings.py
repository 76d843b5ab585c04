"""What staff have opened beyond public addresses, on a page instead of by a restart: hosts and networks, never the platform.

Each process holds the rows as they were seconds ago. What an opening may reach is bounded again at every connection:
by `HUACE_OUTBOUND_MAY_ALLOW`, by what is never reached, and by the addresses of this machine, whatever the row says.
"""

import ipaddress
from collections.abc import Collection
from dataclasses import dataclass

from participants.outbound.addresses import IPAddress, Network, is_never_reached, is_translated, is_web_port, plain
from serving.own_host import as_requested, is_here


@dataclass(frozen=True, slots=True)
class Opening:
    """A host or a network (`place`), on one port or, with 0, on every port that is open to systems."""

    place: str
    port: int = 0

    @property
    def network(self) -> Network | None:
        """None of a host."""
        try:
            return ipaddress.ip_network(self.place)
        except ValueError:
            return None

    def has_port(self, port: int) -> bool:
        return is_web_port(port) and self.port in {0, port}


class Openings:
    """Those of this process. `generation` moves with them, so that kept connections notice."""

    def __init__(self) -> None:
        self.generation = 0
        self._within: tuple[Network, ...] = ()
        self._all: frozenset[Opening] = frozenset()
        self._networks: list[tuple[Network, Opening]] = []
        self._hosts: list[Opening] = []

    def become(self, openings: Collection[Opening], within: Collection[Network]) -> bool:
        """Whether anything changed."""
        found, bounds = frozenset(openings), tuple(within)
        if (found, bounds) == (self._all, self._within):
            return False
        networks = [(network, one) for one in found if (network := one.network) is not None]
        hosts = [one for one in found if one.network is None]
        self._all, self._within, self._networks, self._hosts = found, bounds, networks, hosts
        self.generation += 1
        return True

    def names(self, host: str, port: int) -> bool:
        """Whether the host itself was opened; where it leads is for `may_reach` to judge."""
        return any(one.has_port(port) and one.place == as_requested(host) for one in self._hosts)

    def opens(self, address: IPAddress, port: int) -> bool:
        """Whether a network was opened that holds the address."""
        address = plain(address)
        return any(
            address.version == network.version and address in network and one.has_port(port)
            for network, one in self._networks
        ) and self.may_reach(address)

    def may_reach(self, address: IPAddress) -> bool:
        """Whether anything that staff open may lead there."""
        address = plain(address)
        if is_never_reached(address) or is_translated(address) or address.is_multicast or address.is_unspecified:
            return False
        if not any(address.version == network.version and address in network for network in self._within):
            return False
        # Databases, brokers and the platform's own port are at addresses of this machine.
        return not is_here(address)


# Of this process; `participants.allowed_addresses` fills it.
opened = Openings()
