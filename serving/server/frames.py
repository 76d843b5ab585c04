"""Whole text frames of an open socket, past the detours: read in one step, written in one step.

Autobahn and Twisted take a frame through a dozen calls, a log line each, and two changes of what the system watches.
Nearly all our frames are one whole, masked text that comes alone, or one short text to a peer that reads. Those are
handled here; everything else (handshake, control frames, fragments, extensions, frames in pieces, what breaks the
protocol, a peer that does not read) goes the libraries' way. This file alone leans on their insides;
tests/serving/server/test_frames.py puts the same bytes through both ways, and fails where an attribute is gone.

What comes by either way waits for the application in a queue that Daphne does not limit; here it has a limit.
"""

import time
from typing import Any

from daphne.ws_protocol import WebSocketProtocol

# How an application finds `say` in the scope of its socket.
SAY = "huace.say"

WHOLE_TEXT = 0x81
IS_MASKED, LENGTH_BITS, TWO_BYTES_FOLLOW = 0x80, 0x7F, 126
LONGEST_SHORT, LONGEST = 125, 0xFFFF
# How many messages may wait for their application, and how often a full queue is looked at.
WAITING_LIMIT = 64
LOOK_EVERY_S = 0.05
# How much may wait for a peer that does not read. A page that resumes a dialogue is sent all it missed at once: the longest replies to a hundred turns fit.
UNREAD_LIMIT_BYTES = 4 << 20


class ShortWayProtocol(WebSocketProtocol):
    """Daphne's WebSocket, with a short way for whole text frames in both directions."""

    def dataReceived(self, data: bytes) -> None:
        # While a ping waits for its pong any frame is a sign of life, which the library takes note of.
        is_usual = self.state == self.STATE_OPEN and not self.muted and self.autoPingTimeoutCall is None
        # Between two frames and two messages only: in the middle of one these bytes mean something else.
        is_between = is_usual and not self.data and self.current_frame is None and not self.inside_message
        text = whole_text(data) if is_between else None
        if text is None:
            super().dataReceived(data)
        else:
            self.last_ping = time.time()
            self.application_queue.put_nowait({"type": "websocket.receive", "text": text})
        if self.state == self.STATE_OPEN and self.application_queue.qsize() > WAITING_LIMIT:
            self._read_later()

    def _read_later(self) -> None:
        """Reads nothing more until the application has taken what waits: a peer that writes faster has to wait itself.

        Else it would fill the memory while the application waits for the database.
        """
        self.transport.pauseProducing()
        self.factory.reactor.callLater(LOOK_EVERY_S, self._read_again)

    def _read_again(self) -> None:
        if self.state != self.STATE_CLOSED and self.application_queue.qsize() > WAITING_LIMIT:
            self.factory.reactor.callLater(LOOK_EVERY_S, self._read_again)
        elif self.transport.connected:
            self.transport.resumeProducing()

    def say(self, text: str) -> None:
        """Sends a text frame; to a peer that has gone it sends nothing."""
        if self.state != self.STATE_OPEN:
            return
        if unread_bytes(self.transport) > UNREAD_LIMIT_BYTES:
            # A close frame would wait behind what is not read; the page comes back and asks for what it missed.
            self.transport.abortConnection()
            return
        payload = text.encode()
        if len(payload) > LONGEST or self.send_queue:
            self.sendMessage(payload)
        else:
            self._write(frame_of(payload))

    def _write(self, frame: bytes) -> None:
        """Hands the frame to the system at once; what it does not take waits behind what already waits, in order."""
        transport = self.transport
        if not is_idle(transport):
            transport.write(frame)
            return
        n_sent = transport.writeSomeData(frame)
        if not isinstance(n_sent, int):
            transport.write(frame)  # the connection is lost, and Twisted finds out how
        elif n_sent < len(frame):
            transport.write(frame[n_sent:])


def unread_bytes(transport: Any) -> int:
    """What a plain TCP connection was given and the system has not taken yet; 0 where nothing is known (TLS)."""
    return (
        len(getattr(transport, "dataBuffer", b""))
        - getattr(transport, "offset", 0)
        + getattr(transport, "_tempDataLen", 0)
    )


def is_idle(transport: Any) -> bool:
    """Whether a plain TCP connection has nothing to send; of any other transport (TLS) nothing is known."""
    waiting = getattr(transport, "_tempDataBuffer", None)
    return waiting == [] and not transport.dataBuffer and bool(transport.connected) and not transport.disconnecting


def frame_of(payload: bytes) -> bytes:
    """An unmasked text frame, as a server sends it."""
    length = len(payload)
    if length <= LONGEST_SHORT:
        return b"%c%c%b" % (WHOLE_TEXT, length, payload)
    return b"%c%c%b%b" % (WHOLE_TEXT, TWO_BYTES_FOLLOW, length.to_bytes(2, "big"), payload)


def whole_text(data: bytes) -> str | None:
    """The text, if `data` is exactly one masked text frame of at most 64 KiB in UTF-8; None for everything else."""
    if len(data) < 6 or data[0] != WHOLE_TEXT or not data[1] & IS_MASKED:
        return None
    length, at = data[1] & LENGTH_BITS, 2
    if length == TWO_BYTES_FOLLOW:
        length, at = int.from_bytes(data[2:4], "big"), 4
        if length <= LONGEST_SHORT:
            return None
    elif length > LONGEST_SHORT:
        return None
    if len(data) != at + 4 + length:
        return None
    mask, masked = data[at : at + 4] * (length // 4 + 1), data[at + 4 :]
    plain = int.from_bytes(masked, "little") ^ int.from_bytes(mask[:length], "little")
    try:
        return plain.to_bytes(length, "little").decode()
    except UnicodeDecodeError:
        return None
