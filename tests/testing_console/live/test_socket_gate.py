"""What fails before a consumer runs is answered with a code."""

import pytest
from django.db import OperationalError

from testing_console.live.socket_limits import SocketGate


async def sent_when(error: Exception, *, after_accept: bool = False) -> list[dict]:
    sent: list[dict] = []

    async def inner(scope, receive, send):
        if after_accept:
            await send({"type": "websocket.accept"})
        raise error

    async def send(message):
        sent.append(message)

    await SocketGate(inner)({}, None, send)
    return sent


async def test_a_login_that_cannot_be_read_is_closed_with_a_code():
    assert await sent_when(OperationalError("away")) == [
        {"type": "websocket.accept"},
        {"type": "websocket.close", "code": 4503},
    ]


async def test_an_error_after_the_opening_is_the_consumers():
    with pytest.raises(OperationalError):
        await sent_when(OperationalError("away"), after_accept=True)


async def test_a_bug_stays_a_bug():
    with pytest.raises(ZeroDivisionError):
        await sent_when(ZeroDivisionError())
