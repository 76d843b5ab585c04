"""What a request was on the wire, as the API gives it."""

from typing import TypedDict


class WireDocument(TypedDict):
    """`request_id` is what the bot got as `X-Request-Id`; null where something is not known."""

    request_id: str
    request_bytes: int | None
    response_bytes: int | None
    connect_ms: int | None
    first_byte_ms: int | None
    last_byte_ms: int | None
    waited_ms: int | None
