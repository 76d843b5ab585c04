"""One Daphne server process with an end that loses nothing: drain, say why to every socket, then stop."""

import asyncio
import gc
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from serving.background import Background
from serving.server.bounded_requests import BoundedHTTPFactory, BoundedRequest
from serving.server.close_codes import CLOSE_DRAINING
from serving.server.event_loop import Server, twisted_loop
from serving.server.frames import SAY, ShortWayProtocol

# Only now: the loop above chose the reactor.
from twisted.internet import reactor  # isort: skip

SOCKET_MESSAGE_LIMIT_BYTES = 64 * 1024
CLOSE_HANDSHAKE_S = 0.5
SUPERVISOR_LOOK_S = 0.5


class Floor(Protocol):
    """What lives in a server process beside its pages; made on first use, on the event loop."""

    async def drain(self, limit_s: float) -> None: ...

    async def close(self) -> None: ...


class DrainingServer(Server):
    """One server process: it adopts the supervisor's listening socket, and drains open dialogues before it ends."""

    def __init__(self, listening: socket.socket, drain_s: float, supervisor: int | None) -> None:
        super().__init__(
            import_string(settings.ASGI_APPLICATION),
            endpoints=["adopted below"],
            signal_handlers=False,
            websocket_timeout=-1,
            websocket_max_message_size=SOCKET_MESSAGE_LIMIT_BYTES,
            websocket_max_frame_size=SOCKET_MESSAGE_LIMIT_BYTES,
            ready_callable=self._adopt,
            verbosity=0,
            server_name="Huace",
        )
        self.endpoints: list[str] = []
        self.connections: dict[Any, dict[str, Any]] = {}
        self._floor: Callable[[], Floor] = import_string(settings.SERVING_FLOOR)
        self._chores = Background(twisted_loop)
        self._listening = listening
        self._drain_s = drain_s
        self._supervisor = supervisor
        self._port: Any = None
        self._ending: asyncio.Task[None] | None = None

    def _adopt(self) -> None:
        self.http_factory = BoundedHTTPFactory(self)
        self.ws_factory.protocol = ShortWayProtocol
        self._port = reactor.adoptStreamPort(self._listening.fileno(), self._listening.family, self.http_factory)
        for number in (signal.SIGTERM, signal.SIGINT):
            twisted_loop.add_signal_handler(number, self._end)
        twisted_loop.call_soon(self._floor)
        for name, path in settings.SERVING_CHORES.items():
            self._chores.keep(name, import_string(path))
        if self._supervisor is not None:
            self._watch_supervisor()

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        if isinstance(protocol, ShortWayProtocol):
            scope["extensions"] = {SAY: protocol.say}
        return super().create_application(protocol, scope)

    def _watch_supervisor(self) -> None:
        """A process whose supervisor was killed would hold the port for ever: it ends as if it had been told to."""
        if os.getppid() != self._supervisor:
            self._end()
        else:
            twisted_loop.call_later(SUPERVISOR_LOOK_S, self._watch_supervisor)

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        await super().handle_reply(protocol, message)
        if isinstance(protocol, BoundedRequest):
            # Without this a download would lie in memory as a whole whenever its client is slower than the database.
            await protocol.until_taken()

    @property
    def is_draining(self) -> bool:
        return self._ending is not None

    def _end(self) -> None:
        if not self.is_draining:
            self._ending = twisted_loop.create_task(self._drain_and_stop())

    async def _drain_and_stop(self) -> None:
        """Stops listening, lets turns in flight settle, closes sockets with a code that pages understand."""
        self._port.stopListening()
        # The port listens on a copy. While this one is open, the system accepts connections that are never answered.
        self._listening.close()
        self._chores.cancel()
        floor = self._floor()
        await floor.drain(self._drain_s)
        for protocol in list(self.connections):
            if hasattr(protocol, "sendClose"):
                protocol.sendClose(code=CLOSE_DRAINING)
        await asyncio.sleep(CLOSE_HANDSHAKE_S)
        await floor.close()
        # Daphne's own shutdown hook expects an application behind every connection; upgraded ones have none.
        self.connections = {
            protocol: details for protocol, details in self.connections.items() if "application_instance" in details
        }
        reactor.stop()  # type: ignore[misc]


# The writer thread gives up the interpreter at every statement; with Python's usual 5 ms it would wait that long for
# the event loop each time.
SWITCH_INTERVAL_S = 0.0005
# Most of what the process holds lives as long as it does; collecting rarely costs less than it frees.
COLLECT_AFTER = (20_000, 20, 100)


# Each dialogue may hold two: its socket, and the connection to its bot. Systems often begin at 1,024.
OPEN_FILES_WANTED = 16_384


def raise_limit_of_open_files() -> None:
    """As many as this process may allow itself, up to what it can use."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = OPEN_FILES_WANTED if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES_WANTED)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def serve(listening: socket.socket, drain_s: float, supervisor: int | None) -> None:
    sys.stderr.flush()
    raise_limit_of_open_files()
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
    DrainingServer(listening, drain_s, supervisor).run()
