"""What a request was on the wire, as the API gives it."""

from typing import TypedDict

from participants.failures import Wire


class WireDocument(TypedDict):
    """`request_id` is what the bot got as `X-Request-Id`; null where something is not known."""

    request_id: str
    request_bytes: int | None
    response_bytes: int | None
    connect_ms: int | None
    first_byte_ms: int | None
    last_byte_ms: int | None
    waited_ms: int | None


def wire_document(wire: Wire) -> WireDocument:
    return {
        "request_id": wire.request_id,
        "request_bytes": wire.request_bytes,
        "response_bytes": wire.response_bytes,
        "connect_ms": wire.connect_ms,
        "first_byte_ms": wire.first_byte_ms,
        "last_byte_ms": wire.last_byte_ms,
        "waited_ms": wire.waited_ms,
    }
