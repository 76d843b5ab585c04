"""The short way of frames and the libraries' own: the same bytes give the same messages, answers and endings."""

import asyncio
import inspect
import socket

import pytest
from daphne.server import Server
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from hypothesis import example, given, settings
from hypothesis import strategies as st
from twisted.internet import abstract, tcp
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport

from serving.server.frames import (
    LOOK_EVERY_S,
    UNREAD_LIMIT_BYTES,
    WAITING_LIMIT,
    ShortWayProtocol,
    frame_of,
    is_idle,
    unread_bytes,
    whole_text,
)

LIMIT = 64 * 1024
HANDSHAKE = (
    b"GET /ws/ HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Wire(StringTransport):
    """Twisted's own connections have no quarrel with a producer that was never registered."""

    is_aborted = False

    def unregisterProducer(self):
        self.producer = None

    def abortConnection(self):
        self.is_aborted = True


class Application:
    """What Daphne's server is to its protocols, as far as a socket needs it."""

    root_path, proxy_forwarded_address_header = "", None

    def __init__(self):
        self.queue = asyncio.Queue()

    def protocol_connected(self, protocol):
        pass

    protocol_disconnected = protocol_connected

    def log_action(self, *arguments):
        pass

    def create_application(self, protocol, scope):
        return self.queue


def opened(kind: type[WebSocketProtocol]) -> WebSocketProtocol:
    """A socket that is accepted; what it was sent until then is forgotten."""
    factory = WebSocketFactory(Application())
    factory.protocol = kind
    factory.setProtocolOptions(maxFramePayloadSize=LIMIT, maxMessagePayloadSize=LIMIT, autoPingTimeout=0)
    made = factory.buildProtocol(None)
    made._raw_query_string = b""
    made.makeConnection(Wire())
    made.dataReceived(HANDSHAKE)
    made.serverAccept()
    made.transport.clear()
    made.application_queue.get_nowait()
    return made


def heard(protocol: WebSocketProtocol) -> list:
    messages = []
    while not protocol.application_queue.empty():
        messages.append(protocol.application_queue.get_nowait())
    return messages


def ending(protocol: WebSocketProtocol) -> tuple:
    return protocol.state, protocol.transport.disconnecting, protocol.transport.is_aborted


def frame(
    payload: bytes, *, first: int = 0x81, mask: bytes | None = b"\x01\xf2\x73\x04", as_long: bool = False
) -> bytes:
    length, masked = len(payload), 0x80 if mask is not None else 0
    if length > 0xFFFF:
        head = bytes([first, masked | 127]) + length.to_bytes(8, "big")
    elif length > 125 or as_long:
        head = bytes([first, masked | 126]) + length.to_bytes(2, "big")
    else:
        head = bytes([first, masked | length])
    if mask is None:
        return head + payload
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


texts = st.text(max_size=60).map(str.encode)
payloads = st.one_of(texts, st.binary(max_size=200), st.integers(120, 300).map(lambda n: b"x" * n))
frames = st.one_of(
    st.builds(frame, texts),
    st.builds(
        frame,
        payloads,
        first=st.sampled_from([0x81, 0x81, 0x01, 0x80, 0x00, 0x82, 0x88, 0x89, 0x8A, 0xC1, 0x83]),
        mask=st.sampled_from([b"\x01\xf2\x73\x04", b"\x00\x00\x00\x00", None]),
        as_long=st.booleans(),
    ),
    st.binary(max_size=30),
)


@st.composite
def segments(draw) -> list[bytes]:
    """Frames as the network may deliver them: one by one, in pieces, or several together."""
    delivered = []
    for one in draw(st.lists(frames, min_size=1, max_size=6)):
        cut = draw(st.integers(0, len(one))) if draw(st.booleans()) else len(one)
        delivered += [piece for piece in (one[:cut], one[cut:]) if piece]
    if delivered and draw(st.booleans()):
        delivered = [b"".join(delivered[:2]), *delivered[2:]]
    return delivered


@given(segments())
@settings(max_examples=400, deadline=None)
@example([frame("你好".encode())])
@example([frame(b"")])
@example([frame(b"a", as_long=True)])
@example([frame(b"\xff")])
@example([frame(b"a", first=0x01), frame(b"whole"), frame(b"b", first=0x80)])
@example([frame(b"a")[:3], frame(b"a")[3:] + frame(b"b")])
@example([frame(b"", first=0x88), frame(b"after the close")])
@example([frame(b"x" * 65535), frame(b"x" * 65536), frame(b"x" * 65537)])
def test_hostile_frames_come_to_the_same_by_both_ways(delivered):
    loop = asyncio.new_event_loop()
    try:
        usual, short = opened(WebSocketProtocol), opened(ShortWayProtocol)
        for data in delivered:
            usual.dataReceived(data)
            short.dataReceived(data)
            assert heard(short) == heard(usual)
            assert short.transport.value() == usual.transport.value()
            assert ending(short) == ending(usual)
    finally:
        loop.close()


def test_a_whole_text_takes_the_short_way():
    protocol = opened(ShortWayProtocol)
    protocol._dataReceived = None
    protocol.dataReceived(frame("你好".encode()))
    protocol.dataReceived(frame(b"x" * 300))
    assert [message["text"] for message in heard(protocol)] == ["你好", "x" * 300]


@pytest.mark.parametrize("kind", [WebSocketProtocol, ShortWayProtocol])
def test_a_text_is_a_sign_of_life_while_a_ping_waits_for_its_pong(kind):
    class Timer:
        is_cancelled = False

        def cancel(self):
            self.is_cancelled = True

    protocol = opened(kind)
    timer = protocol.autoPingTimeoutCall = Timer()
    protocol.dataReceived(frame(b"alive"))
    assert timer.is_cancelled
    assert protocol.autoPingTimeoutCall is None
    assert [message["text"] for message in heard(protocol)] == ["alive"]


@pytest.mark.parametrize("first", [0x81, 0x82], ids=["the short way", "the usual way"])
def test_a_peer_that_writes_faster_than_its_frames_are_taken_has_to_wait(first):
    protocol, clock = opened(ShortWayProtocol), Clock()
    protocol.factory.reactor = clock
    n_taken = 0
    for _ in range(WAITING_LIMIT + 1):
        assert protocol.transport.producerState == "producing"
        protocol.dataReceived(frame(b"x" * 60000, first=first))
    clock.advance(LOOK_EVERY_S)
    assert protocol.transport.producerState == "paused"
    n_taken += len(heard(protocol))
    clock.advance(LOOK_EVERY_S)
    assert protocol.transport.producerState == "producing"
    assert n_taken == WAITING_LIMIT + 1
    assert not clock.getDelayedCalls()


@given(st.binary(max_size=200))
def test_no_bytes_confuse_the_reader_of_whole_texts(data):
    text = whole_text(data)
    assert text is None or frame(text.encode(), mask=data[-len(text.encode()) - 4 :][:4]) == data


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65535, 65536])
def test_a_text_is_sent_as_the_library_frames_it(length):
    usual, short = opened(WebSocketProtocol), opened(ShortWayProtocol)
    usual.sendMessage(b"x" * length)
    short.say("x" * length)
    assert short.transport.value() == usual.transport.value()


def test_a_socket_that_is_closing_is_sent_nothing_more():
    protocol = opened(ShortWayProtocol)
    protocol.sendClose(1000)
    protocol.transport.clear()
    protocol.say("zu spät")
    assert protocol.transport.value() == b""


# -- a real connection, whose peer reads or does not ------------------------------------------------------------------


class Connection(tcp.Connection):
    """A connection of Twisted's over a real socket, whose reactor only notes what it is asked to watch."""

    class Reactor:
        def __init__(self):
            self.n_watched = 0

        def addWriter(self, writer):
            self.n_watched += 1

        def removeWriter(self, writer):
            pass

        removeReader = addReader = removeWriter

    def __init__(self, own: socket.socket) -> None:
        super().__init__(own, None, reactor=self.Reactor())
        self.connected = 1


@pytest.fixture
def pair():
    own, peer = socket.socketpair()
    own.setblocking(False)
    with own, peer:
        yield Connection(own), peer


def on(connection) -> ShortWayProtocol:
    protocol = opened(ShortWayProtocol)
    protocol.transport = connection
    return protocol


def test_a_peer_that_reads_gets_its_frame_without_the_reactor(pair):
    connection, peer = pair
    on(connection).say("你好")
    assert peer.recv(100) == frame_of("你好".encode())
    assert connection.reactor.n_watched == 0


def test_what_a_slow_peer_does_not_take_waits_in_order(pair):
    connection, peer = pair
    protocol, sent = on(connection), b""
    for number in range(200):
        text = f"{number}" * 3000
        protocol.say(text)
        sent += frame_of(text.encode())
    assert connection.reactor.n_watched > 0
    assert not is_idle(connection)
    received = b""
    while len(received) < len(sent):
        received += peer.recv(2**20)
        connection.doWrite()
    assert received == sent
    assert is_idle(connection)


def test_a_peer_that_reads_nothing_is_cut_by_the_bytes_that_wait(pair, monkeypatch):
    connection, _ = pair
    cuts = []
    monkeypatch.setattr(connection, "abortConnection", lambda: cuts.append(unread_bytes(connection)))
    protocol = on(connection)
    text = "x" * 50_000
    for _ in range(UNREAD_LIMIT_BYTES // len(text) + 1):
        protocol.say(text)
        connection.doWrite()
    assert cuts == []
    for _ in range(20):
        protocol.say(text)
    assert cuts
    assert UNREAD_LIMIT_BYTES < cuts[0] < UNREAD_LIMIT_BYTES + 2 * len(text)


def test_a_peer_that_reads_slowly_is_not_cut(pair, monkeypatch):
    connection, peer = pair
    monkeypatch.setattr(connection, "abortConnection", lambda: pytest.fail("cut"))
    protocol = on(connection)
    for _ in range(UNREAD_LIMIT_BYTES // 10_000):
        protocol.say("x" * 20_000)
        peer.recv(40_000)
        connection.doWrite()


def test_a_peer_that_has_gone_is_left_to_twisted(pair):
    connection, peer = pair
    peer.close()
    on(connection).say("weg")
    assert connection.reactor.n_watched == 1


def test_of_another_transport_nothing_is_assumed():
    assert not is_idle(StringTransport())


def test_the_insides_that_the_short_way_leans_on_are_there():
    """A library that renames one of them fails here, not on the day."""
    protocol = opened(ShortWayProtocol)
    assert protocol.data == b""
    assert protocol.current_frame is None
    assert (protocol.inside_message, protocol.muted, len(protocol.send_queue)) == (False, False, 0)
    assert protocol.autoPingTimeoutCall is None
    assert {"_tempDataBuffer", "dataBuffer", "connected", "disconnecting"} <= set(dir(abstract.FileDescriptor)) | set(
        inspect.getsource(abstract.FileDescriptor.__init__).replace(":", " ").replace("self.", " ").split()
    )
    assert callable(tcp.Connection.writeSomeData)
    assert "application_queue.put_nowait" in inspect.getsource(WebSocketProtocol.onMessage)
    assert list(inspect.signature(Server.create_application).parameters) == ["self", "protocol", "scope"]
