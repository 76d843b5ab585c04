"""An httpx transport over the outbound door: guard, byte cap and deadline are the door's, and no redirect is followed.

`httpx` brings what a client of today's servers needs (URLs, headers, encodings); the connection is the door's own, as for bots.
"""

import httpx

from participants import failure_sentences as sentences
from participants.failures import BotFailure, FailureKind
from participants.outbound import Door
from reading.findings import sentence

# The door writes its own: one more line of them would be a second header of that name.
OF_THE_DOOR = {
    "host",
    "content-length",
    "connection",
    "accept-encoding",
    "user-agent",
    "content-type",
    "transfer-encoding",
}


class DoorTransport(httpx.AsyncBaseTransport):
    """Every request is a line of its own with `deadline_s` for all of it. Errors: `BotFailure`, as the door raises them."""

    def __init__(self, door: Door, deadline_s: float) -> None:
        self._door = door
        self._deadline_s = deadline_s

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        content = await request.aread()
        headers = {name: value for name, value in request.headers.items() if name not in OF_THE_DOOR}
        line = self._door.line(self._deadline_s)
        url = str(request.url)
        if request.method == "POST":
            question = line.post(url, content, headers, is_any_status_an_answer=True)
        elif request.method == "GET":
            question = line.get(url, headers, is_any_status_an_answer=True)
        else:
            raise ValueError(f"the door has no {request.method}")
        async with question as answer:
            body, response = await answer.body(), answer.response
            if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
                raise BotFailure(FailureKind.BAD_SHAPE, sentence(sentences.COMPRESSED))
            kept = [(name, value) for name, value in response.headers.items() if name.lower() == "retry-after"]
            return httpx.Response(response.status, headers=kept, content=body, request=request)


def client_through(door: Door, deadline_s: float) -> httpx.AsyncClient:
    """Close it after use; the door stays open."""
    return httpx.AsyncClient(
        transport=DoorTransport(door, deadline_s), trust_env=False, follow_redirects=False, timeout=None
    )
