"""The WebSocket of one dialogue (design §6): parse a frame, run one action, answer. No rule is decided here."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import parse_qs
from uuid import UUID

from autobahn.exception import Disconnected
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext_noop, override
from rest_framework.exceptions import AuthenticationFailed

from accounts.access import Access
from accounts.authentication import TokenAuthentication
from accounts.preferences import language_of_socket
from campaigns.models import Role
from dialogues.actions.ledger import Lines
from dialogues.events import PONG, ErrorFrame
from dialogues.models import Dialogue
from dialogues.queries import Arrival, arrival_at, events_after, look_up
from dialogues.turn_taking import (
    Refusal,
    RefusalCode,
    no_admission,
    unavailable,
)
from reading.digits import whole_or_none
from serving.background import supervised
from serving.server.close_codes import CLOSE_DRAINING, CLOSE_LOG_IN, CLOSE_ROLE, CLOSE_TOO_FAST, CLOSE_UNKNOWN
from serving.server.frames import SAY
from testing_console.live import floor
from testing_console.live.admission import SocketAdmission
from testing_console.live.socket_limits import (
    FRAMES_REFUSED_BEFORE_CLOSE,
    FrameBucket,
    counts,
    is_own_origin,
    network_behind,
)
from testing_console.socket_frames import asked_by, is_key, parsed_frame

logger = logging.getLogger("huace.consumers")

TOO_MANY = gettext_noop("Too many sockets of yours are open: close some of them.")
TOO_FAST = gettext_noop("More than %(rate)g frames per second: slow down.")

# Used as `seq` for events that are not stored.
PASSING = 0


def nothing() -> None:
    """What is done on leaving by a socket that was never counted."""


class DialogueConsumer(AsyncWebsocketConsumer):
    """One socket of one dialogue. It keeps nothing but the number of the last event it sent."""

    # Teams practise with their own systems.
    access = Access("roles", (Role.TESTER, Role.PARTICIPANT))
    # The switchboard serves all sockets; a channel layer for each would only cost memory.
    channel_layer_alias = "none"

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Takes frames in order, one after the other.

        Channels' own loop makes two tasks per frame, and visits the database thread; sockets here hold no connection.
        """
        self.scope, self.base_send, self.channel_layer = scope, send, None
        try:
            while True:
                message = await receive()
                await getattr(self, message["type"].replace(".", "_"))(message)
        except StopConsumer:
            pass
        except BaseException:
            # The socket ends without a `disconnect` then: the switchboard would keep it for ever.
            self._leave()
            raise

    # -- coming and going -----------------------------------------------------------------------------------------

    async def connect(self) -> None:
        self.dialogue_id: UUID | None = None
        self._bucket = FrameBucket(settings.FRAME_RATE)
        self._n_refused = 0
        self._is_open = False
        self._say_now: Callable[[str], None] | None = self.scope.get("extensions", {}).get(SAY)
        self._uncount: Callable[[], None] = nothing
        self._waiting: deque[tuple[int, str]] = deque()
        self._sender: asyncio.Task[None] | None = None
        asked = parse_qs(self.scope["query_string"].decode("latin-1"))
        self._last_seq = whole_or_none(asked.get("after", ["0"])[0]) or 0
        await self.accept()
        try:
            await self._open()
        except (OperationalError, InterfaceError) as away:
            logger.warning("A socket is sent away for now: the database is not available: %s", away)
            await self.close(CLOSE_DRAINING)

    async def _open(self) -> None:
        admission = await look_up(admission_of, self.scope)
        if admission is None:
            await self.close(CLOSE_LOG_IN)
            return
        self.admission = admission
        if not await self._is_counted():
            await self._refuse(Refusal(RefusalCode.TOO_MANY_SOCKETS, TOO_MANY), None)
            await self.close(CLOSE_TOO_FAST)
            return
        dialogue_id = self.scope["url_route"]["kwargs"]["dialogue_id"]
        self.floor = floor.current()
        # Join before reading the ledger: lines committed in between wait in `_waiting`, or they would be lost.
        self.floor.switchboard.join(dialogue_id, self)
        self.dialogue_id = dialogue_id
        welcome = await look_up(_welcome, dialogue_id, admission, self._last_seq)
        if isinstance(welcome, Welcome) and welcome.arrival.is_opening_due:
            welcome = await self._opened_by_bot(dialogue_id, admission)
        if isinstance(welcome, int):
            await self.close(welcome)
            return
        state = welcome.arrival.state
        # A client may claim to have seen more than there is; believed, it would miss every line up to that number.
        self._last_seq = min(self._last_seq, state.last_seq)
        try:
            await self.floor.briefings.meet(dialogue_id, welcome.arrival.about)
        except Refusal:
            # Deleted since it was looked up.
            await self.close(CLOSE_UNKNOWN)
            return
        # The state is the first frame; only now may lines go out, those that were missed before those that are new.
        await self._say(state.frame())
        self._is_open = True
        self.tell(welcome.missed)

    async def _is_counted(self) -> bool:
        network = network_behind(self.scope)
        if not await counts.enter(self.admission.person_id, network):
            return False
        self._uncount = partial(counts.leave, self.admission.person_id, network)
        return True

    async def _opened_by_bot(self, dialogue_id: UUID, admission: SocketAdmission) -> "int | Welcome":
        """How the dialogue stands once its bot is asked to open it: no frame of the tester's may come before that."""
        try:
            await self.floor.commands.have_bot_open(dialogue_id, admission)
        except Refusal as refusal:
            return CLOSE_LOG_IN if refusal.code is RefusalCode.FORBIDDEN else CLOSE_DRAINING
        return await look_up(_welcome, dialogue_id, admission, self._last_seq)

    async def disconnect(self, code: int) -> None:
        self._leave()

    def _leave(self) -> None:
        """Hears and sends nothing more."""
        self._is_open = False
        self._uncount()
        self._uncount = nothing
        if self.dialogue_id is not None:
            self.floor.switchboard.leave(self.dialogue_id, self)
        if self._sender is not None:
            self._sender.cancel()

    async def _say(self, frame: str) -> None:
        """Sends a frame; a peer that has just gone hears nothing more, and misses nothing when it comes back."""
        if self._say_now is not None:
            self._say_now(frame)
            return
        with suppress(Disconnected):
            await self.send(text_data=frame)

    # -- what this socket is told ---------------------------------------------------------------------------------

    def tell(self, lines: Lines) -> None:
        """Sends what is next: at once where the server takes frames so, else by a task, which also fills gaps."""
        self._waiting.extend(lines)
        if not self._is_open or self._sender is not None:
            return
        if self._say_now is not None:
            while (frame := self._next_frame()) is not None:
                self._say_now(frame)
                self._note_sent()
        if self._waiting:
            self._sender = asyncio.ensure_future(self._send())

    def _next_frame(self) -> str | None:
        """The frame to send next; drops lines that were sent before. None at a gap, or if nothing waits."""
        while self._waiting:
            seq, frame = self._waiting[0]
            if seq == PASSING or (seq == self._last_seq + 1 and frame):
                return frame
            if seq > self._last_seq:
                return None
            self._waiting.popleft()
        return None

    def _note_sent(self) -> None:
        # An event leaves the queue only once it is sent: after a failure the next sender starts with it.
        seq, _ = self._waiting.popleft()
        self._last_seq = max(self._last_seq, seq)

    def tell_passing(self, frame: str) -> None:
        self.tell([(PASSING, frame)])

    def expel(self) -> None:
        """Leaves the dialogue at once, so that nothing more is heard, then says why and closes."""
        self._leave()
        self._refusing = asyncio.ensure_future(self._refuse(no_admission(), None))

    def hand_over(self) -> None:
        """Leaves the dialogue and closes: its page connects to another server, or to this one once it is back."""
        if not self._is_open:
            # It comes, or has gone.
            return
        self._leave()
        self._closing = asyncio.ensure_future(self.close(CLOSE_DRAINING))

    async def _send(self) -> None:
        try:
            await supervised("The sender of a socket", self._send_waiting)
        finally:
            self._sender = None

    async def _send_waiting(self) -> None:
        assert self.dialogue_id is not None
        while self._waiting:
            while (frame := self._next_frame()) is not None:
                await self._say(frame)
                self._note_sent()
            if self._waiting:
                # Another process was faster: the ledger has the lines of the gap, and the one behind it.
                missed = await look_up(events_after, self.dialogue_id, self._last_seq)
                self._waiting.popleft()
                self._waiting.extendleft(reversed(missed))

    # -- what this socket asks for --------------------------------------------------------------------------------

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.dialogue_id is None:
            return
        frame: dict[str, Any] = {}
        try:
            self._check_rate()
            frame = parsed_frame(text_data)
            await self._act(frame)
        except Refusal as refusal:
            await self._refuse(refusal, frame.get("key"))
        except (OperationalError, InterfaceError) as away:
            logger.warning("A frame is refused for now: the database is not available: %s", away)
            await self._refuse(unavailable(), frame.get("key"))

    def _check_rate(self) -> None:
        """Comes before the frame is read: what is refused for its rate costs nothing but the refusal."""
        if not self._bucket.takes():
            self._n_refused += 1
            raise Refusal(RefusalCode.RATE_LIMITED, TOO_FAST, rate=settings.FRAME_RATE)

    async def _act(self, frame: dict[str, Any]) -> None:
        assert self.dialogue_id is not None
        where, commands = (self.dialogue_id, self.admission), self.floor.commands
        asked = asked_by(frame)
        match frame["type"]:
            case "turn.send":
                taken = await commands.take_turn(*where, **asked)
                if not taken.is_new:
                    await self._say(taken.accepted)
            case "turn.retry":
                await commands.retry_turn(*where, **asked)
            case "subtask.close":
                await commands.close_subtask(*where, **asked)
            case "dialogue.end":
                await commands.end_dialogue(*where, **asked)
            case "ping":
                await self._say(PONG)

    async def _refuse(self, refusal: Refusal, key: object) -> None:
        extra = {"key": key} if is_key(key) else {}
        with override(self.admission.language):
            frame = ErrorFrame(refusal.code, refusal.message, extra).frame()
        await self._say(frame)
        if refusal.code is RefusalCode.FORBIDDEN:
            await self.close(CLOSE_LOG_IN)
        elif self._n_refused > FRAMES_REFUSED_BEFORE_CLOSE:
            await self.close(CLOSE_TOO_FAST)


class UnknownSocket(AsyncWebsocketConsumer):
    """Every other path: Channels would answer with a traceback and 500."""

    access = Access("open")
    channel_layer_alias = "none"

    async def connect(self) -> None:
        await self.accept()
        await self.close(CLOSE_UNKNOWN)


def admission_of(scope: dict[str, Any]) -> SocketAdmission | None:
    """A program's token, or a browser's login together with an Origin that is ours; None for everybody else."""
    headers = dict(scope["headers"])
    authorization = headers.get(b"authorization", b"").split()
    if authorization:
        if len(authorization) != 2 or authorization[0].lower() != b"token":
            return None
        try:
            person, token = TokenAuthentication().authenticate_credentials(authorization[1])
        except (AuthenticationFailed, UnicodeDecodeError):
            return None
        # As requests with a token: what a program asks for, not what its person chose for pages.
        language = language_of_socket(scope, "")
        return SocketAdmission(person.pk, token_digest=token.digest, scope=person.scope, language=language)
    session = scope.get("session")
    if session is None or not is_own_origin(headers):
        return None
    user = scope["user"]
    if not user.is_authenticated:
        return None
    language = language_of_socket(scope, user.language)
    return SocketAdmission(user.pk, session_key=session.session_key, password=user.password, language=language)


class Welcome(NamedTuple):
    arrival: Arrival
    missed: Lines


def _welcome(dialogue_id: UUID, admission: SocketAdmission, after: int) -> int | Welcome:
    """Where the dialogue stands and what was missed, or the close code for a person who may not join it."""
    try:
        arrival = arrival_at(dialogue_id)
    except Dialogue.DoesNotExist:
        return CLOSE_UNKNOWN
    if arrival.tester_id != admission.person_id:
        return CLOSE_UNKNOWN
    role = Role.PARTICIPANT if arrival.is_practice else Role.TESTER
    is_covered = admission.scope.covers(role, arrival.campaign)
    if not is_covered or not admission.proof(arrival.assignment_id).answer():
        return CLOSE_ROLE
    return Welcome(arrival, events_after(dialogue_id, after) if arrival.state.last_seq > after else [])
