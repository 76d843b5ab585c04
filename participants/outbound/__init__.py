"""The only door to the network: every call the platform makes goes through `Door`."""

from participants.outbound.address_guard import AddressGuard, BlockedAddress
from participants.outbound.answer import Answer
from participants.outbound.door import Door
from participants.outbound.line import OWN_WAIT_LIMIT_S, Line
from participants.outbound.web_socket import WebSocket

__all__ = ["OWN_WAIT_LIMIT_S", "AddressGuard", "Answer", "BlockedAddress", "Door", "Line", "WebSocket"]
