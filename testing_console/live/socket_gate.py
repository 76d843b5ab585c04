"""What fails before a socket's login is read is answered with a close code that pages understand."""

import logging
from typing import Any

from django.db import InterfaceError, OperationalError

from serving.close_codes import CLOSE_DRAINING

logger = logging.getLogger("huace.socket_gate")


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
            await self._inner(scope, receive, send_and_note)
        except (OperationalError, InterfaceError) as away:
            if has_answered:
                raise
            logger.warning("A socket is sent away for now: the database is not available: %s", away)
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": CLOSE_DRAINING})
