"""The WebSocket of a campaign's live wall: it only listens. No rule is decided here."""

import asyncio
import json
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import parse_qs

from autobahn.exception import Disconnected
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.access import Access
from campaigns.models import Role
from dialogues.events import PONG, ErrorFrame
from dialogues.queries import look_up
from dialogues.turn_taking import RefusalCode
from organizing.wall import live
from organizing.wall.live import admitted
from serving.server.close_codes import CLOSE_DRAINING, CLOSE_LOG_IN, CLOSE_TOO_FAST, CLOSE_UNKNOWN
from serving.server.frames import SAY
from testing_console.live.socket_limits import FRAMES_REFUSED_BEFORE_CLOSE, FrameBucket, counts, network_behind

logger = logging.getLogger("huace.wall")


class WallConsumer(AsyncWebsocketConsumer):
    """One socket of one wall. It holds nothing but who looks."""

    access = Access("roles", (Role.ORGANIZER,))
    # Sockets hear from the wall; a channel of their own each would cost memory and say nothing more.
    channel_layer_alias = "none"
    campaign_id: int | None = None
    _uncount: Callable[[], None] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            # A socket that fails or is cancelled ends without `disconnect`: its wall and its place would be held for ever.
            self._leave()

    async def connect(self) -> None:
        self._bucket, self._n_refused = FrameBucket(settings.FRAME_RATE), 0
        self._say_now: Callable[[str], None] | None = self.scope.get("extensions", {}).get(SAY)
        self.language = language_of(parse_qs(self.scope["query_string"].decode("latin-1")))
        await self.accept()
        try:
            found = await look_up(admitted, self.scope, self.scope["url_route"]["kwargs"]["slug"])
        except (OperationalError, InterfaceError) as away:
            logger.warning("A wall is sent away for now: the database is not available: %s", away)
            await self.close(CLOSE_DRAINING)
            return
        if found is None:
            await self.close(CLOSE_LOG_IN)
            return
        self.admission, campaign_id = found
        if campaign_id is None:
            await self.close(CLOSE_UNKNOWN)
            return
        network = network_behind(self.scope)
        if not await counts.enter(self.admission.person_id, network):
            await self.close(CLOSE_TOO_FAST)
            return
        self._uncount = partial(counts.leave, self.admission.person_id, network)
        self.campaign_id = campaign_id
        live.current().join(campaign_id, self)

    async def disconnect(self, code: int) -> None:
        self._leave()

    def _leave(self) -> None:
        # The place first: a wall that cannot be left must not keep it.
        uncount, self._uncount = self._uncount, None
        if uncount is not None:
            uncount()
        campaign_id, self.campaign_id = self.campaign_id, None
        if campaign_id is not None:
            live.current().leave(campaign_id, self)

    # -- what this socket is told ---------------------------------------------------------------------------------

    def show(self, frame: str) -> None:
        if self._say_now is not None:
            self._say_now(frame)
        else:
            # Held by the consumer: the loop itself would let go of a task that nobody holds.
            self._saying = asyncio.ensure_future(self._say(frame))

    async def _say(self, frame: str) -> None:
        with suppress(Disconnected):
            await self.send(text_data=frame)

    def expel(self) -> None:
        """Leaves at once, so that nothing more is shown, then closes."""
        self._leave()
        self._closing = asyncio.ensure_future(self.close(CLOSE_LOG_IN))

    # -- what this socket asks for --------------------------------------------------------------------------------

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.campaign_id is None:
            return
        if not self._bucket.takes():
            self._n_refused += 1
            if self._n_refused > FRAMES_REFUSED_BEFORE_CLOSE:
                await self.close(CLOSE_TOO_FAST)
        elif is_ping(text_data):
            await self._say(PONG)
        else:
            with override(self.language):
                refused = ErrorFrame(RefusalCode.BAD_FRAME, _("The wall accepts only ping frames.")).frame()
            await self._say(refused)


def is_ping(text: str | None) -> bool:
    """Whether the frame is a ping, the only one that a wall takes."""
    if text is None or len(text) > 200:
        return False
    try:
        frame = json.loads(text)
        return isinstance(frame, dict) and frame.get("type") == "ping"
    except (ValueError, RecursionError):
        return False


def language_of(query: dict[str, list[str]]) -> str:
    """The language that the page speaks, or the site's own."""
    wanted = query.get("language", [""])[0]
    return wanted if wanted in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
