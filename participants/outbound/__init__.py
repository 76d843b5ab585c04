"""The only door to the network: every call the platform makes goes through `Door`."""

from participants.outbound.address_guard import AddressGuard, BlockedAddress
from participants.outbound.door import Answer, Door

__all__ = ["AddressGuard", "Answer", "BlockedAddress", "Door"]
