"""A request past aiohttp's session and one through it: hostile answers come to the same, on new and on kept connections."""

import asyncio
import inspect
import ssl
from types import SimpleNamespace

import aiohttp
import pytest
from aiohttp.client_proto import ResponseHandler
from hypothesis import example, given, settings
from hypothesis import strategies as st

from participants.failures import BotFailure, FailureKind
from participants.outbound.address_guard import AddressGuard
from participants.outbound.connections import Connections
from participants.outbound.door import failure_of
from participants.outbound.traffic import Traffic

OK = b"HTTP/1.1 200 OK\r\n"
LINE = SimpleNamespace(
    is_looking_up=False,
    is_on_new_connection=True,
    is_just_out_of_a_standstill=False,
    deadline_s=5.0,
    traffic=Traffic(),
)
# How long an answer that does not end is waited for; longer where the two ways differ, as they do on a busy machine.
PATIENCE_S = (0.15, 1.0, 5.0)


class Server:
    """Answers each request with the same bytes, in pieces, then keeps the connection or ends it."""

    def __init__(self, pieces: list[bytes], is_kept: bool) -> None:
        self.pieces, self.is_kept = pieces, is_kept
        self.n_connections = 0
        self.requests: list[bytes] = []

    async def __aenter__(self) -> "Server":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *error) -> None:
        self._server.close()

    async def _serve(self, reader, writer) -> None:
        self.n_connections += 1
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                _, _, rest = head.lower().partition(b"content-length:")
                length = int(rest.split()[0]) if rest else 0
                self.requests.append(head + await reader.readexactly(length))
                for piece in self.pieces:
                    writer.write(piece)
                    await asyncio.sleep(0)
                if not self.is_kept:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()


def guard_of(port: int) -> AddressGuard:
    return AddressGuard(frozenset({("127.0.0.1", port)}))


async def come_to(work, patience_s: float) -> tuple:
    """Status, headers and body, or the kind of failure that the door would make of the error."""
    try:
        async with asyncio.timeout(patience_s):
            return await work
    except TimeoutError:
        return ("waits",)
    except Exception as error:
        failure = failure_of(error, None, LINE)
        return ("failure", failure.kind if failure else repr(error))


async def by_the_short_way(connections: Connections, url: str) -> tuple:
    response = await connections.request("POST", url, b"{}", {"Content-Type": "application/json"})
    try:
        whole = response.whole()
        body = b"".join([chunk async for chunk in response.chunks()]) if whole is None else whole
        return response.status, sorted(response.headers.items()), body
    finally:
        response.close()


async def through_a_session(session: aiohttp.ClientSession, url: str) -> tuple:
    async with session.post(url, data=b"{}", allow_redirects=False) as response:
        return response.status, sorted(response.headers.items()), await response.content.read()


async def both_ways(
    pieces: list[bytes], is_kept: bool, n_calls: int = 2, patience_s: float = PATIENCE_S[-1]
) -> tuple[list, list, list[int]]:
    ends, n_connections = [], []
    for is_short in (True, False):
        async with Server(pieces, is_kept) as server:
            guard, url = guard_of(server.port), f"http://127.0.0.1:{server.port}/"
            connections = Connections(guard, guard.make_socket, ssl.create_default_context(), 5.0)
            connector = aiohttp.TCPConnector(resolver=guard, socket_factory=guard.make_socket)
            session = aiohttp.ClientSession(
                connector=connector, auto_decompress=False, cookie_jar=aiohttp.DummyCookieJar()
            )
            async with session:
                call = (by_the_short_way, connections) if is_short else (through_a_session, session)
                ends.append([await come_to(call[0](call[1], url), patience_s) for _ in range(n_calls)])
            await connections.close()
            n_connections.append(server.n_connections)
    return ends[0], ends[1], n_connections


names = st.sampled_from(
    ["Content-Length", "Transfer-Encoding", "Connection", "Content-Encoding", "Set-Cookie", "X", "Location"]
)
values = st.sampled_from(
    ["0", "2", "5", "-1", "1e3", "chunked", "gzip", "close", "keep-alive", "a=b", "ü", "", "/x", "2, 2"]
)
heads = st.sampled_from([
    OK, b"HTTP/1.0 200 OK\r\n", b"HTTP/1.1 204 No Content\r\n", b"HTTP/1.1 304 Not Modified\r\n",
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n", b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + OK,
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n", b"HTTP/1.1 302 Found\r\n",
    b"HTTP/1.1 503 Later\r\n", b"HTTP/1.1 999 ?\r\n", b"HTTP/2 200 OK\r\n", b"nonsense\r\n", b"HTTP/1.1 200\r\n", b"",
])  # fmt: skip
bodies = st.sampled_from([
    b"", b"{}", b"{}{}", b"2\r\n{}\r\n0\r\n\r\n", b"2\r\n{}\r\n0\r\nTrailer: x\r\n\r\n", b"zz\r\n{}\r\n", b"2\r\n{}",
    b"ffffffffffffffffff\r\n", b"x" * 300, OK + b"Content-Length: 2\r\n\r\n{}",
])  # fmt: skip


@st.composite
def answers(draw) -> list[bytes]:
    headers = draw(st.lists(st.tuples(names, values), max_size=4))
    lines = b"".join(f"{name}: {value}\r\n".encode() for name, value in headers)
    answer = draw(heads) + lines + draw(st.sampled_from([b"\r\n", b"\n", b""])) + draw(bodies)
    at = draw(st.integers(0, len(answer)))
    return [piece for piece in (answer[:at], answer[at:]) if piece]


@given(answers(), st.booleans())
@settings(max_examples=60, deadline=None)
@example([OK + b"Content-Length: 2\r\n\r\n{}"], True)
@example([OK + b"Content-Length: 2\r\n\r\n", b"{}"], True)
@example([OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"], True)
@example([OK + b"\r\n{}"], False)
@example([OK + b"Content-Length: 5\r\n\r\n{}"], False)
@example([OK + b"Content-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"], True)
@example([OK + b"Content-Length: 2\r\nContent-Encoding: gzip\r\n\r\n{}"], True)
@example([OK + b"X: " + b"x" * 9000 + b"\r\n\r\n"], True)
def test_hostile_answers_come_to_the_same_by_both_ways(pieces, is_kept):
    # A second piece may come when the first was a whole answer. Then a session takes it for the next one; we do not.
    n_calls = 2 if len(pieces) == 1 else 1
    for patience_s in PATIENCE_S:
        short, usual, n_connections = asyncio.run(both_ways(pieces, is_kept, n_calls, patience_s))
        if (short, n_connections[0]) == (usual, n_connections[1]):
            return
    assert short == usual
    assert n_connections[0] == n_connections[1]


async def test_a_connection_that_both_sides_keep_serves_the_next_call():
    *_, n_connections = await both_ways([OK + b"Content-Length: 2\r\n\r\n{}"], is_kept=True, n_calls=5)
    assert n_connections == [1, 1]


async def test_an_answer_that_is_left_half_read_ends_its_connection():
    async with Server([OK + b"Content-Length: 100000\r\n\r\n{}"], is_kept=True) as server:
        guard = guard_of(server.port)
        connections = Connections(guard, guard.make_socket, ssl.create_default_context(), 5.0)
        for _ in range(2):
            response = await connections.request("POST", f"http://127.0.0.1:{server.port}/", b"{}", {})
            assert response.whole() is None
            response.close()
        await connections.close()
        assert server.n_connections == 2


async def test_a_bot_that_is_about_to_answer_for_ever_is_left():
    async with Server([b"HTTP/1.1 100 Continue\r\n\r\n" * 1000, OK + b"\r\n"], is_kept=True) as server:
        guard = guard_of(server.port)
        connections = Connections(guard, guard.make_socket, ssl.create_default_context(), 5.0)
        with pytest.raises(ValueError, match="announced"):
            await connections.request("POST", f"http://127.0.0.1:{server.port}/", b"{}", {})
        await connections.close()


async def test_a_bot_that_answers_again_and_again_is_hung_up_on():
    answer = OK + b"Content-Length: 2\r\n\r\n{}"
    async with Server([answer * 1000], is_kept=True) as server:
        guard = guard_of(server.port)
        connections = Connections(guard, guard.make_socket, ssl.create_default_context(), 5.0)
        response = await connections.request("POST", f"http://127.0.0.1:{server.port}/", b"{}", {})
        assert response.whole() == b"{}"
        assert not response._connection.protocol.is_connected()
        response.close()
        await connections.close()


async def test_what_comes_unasked_over_a_kept_connection_is_not_parsed():
    async with Server([OK + b"Content-Length: 2\r\n\r\n{}"], is_kept=True) as server:
        guard = guard_of(server.port)
        connections = Connections(guard, guard.make_socket, ssl.create_default_context(), 5.0)
        response = await connections.request("POST", f"http://127.0.0.1:{server.port}/", b"{}", {})
        kept = response._connection.protocol
        response.close()
        kept.data_received(OK + b"Content-Length: 0\r\n\r\n")
        assert len(kept) == 0
        assert kept.should_close
        await connections.close()


async def test_the_request_is_what_its_url_and_headers_say():
    async with Server([OK + b"Content-Length: 2\r\n\r\n{}"], is_kept=True) as server:
        guard = guard_of(server.port)
        connections = Connections(guard, guard.make_socket, ssl.create_default_context(), 5.0)
        url = f"http://127.0.0.1:{server.port}/a%20b/%C3%BC?x=1&y=%20"
        (await connections.request("POST", url, b"[1]", {"Idempotency-Key": "k"})).close()
        await connections.close()
    assert server.requests == [
        b"POST /a%%20b/%%C3%%BC?x=1&y=%%20 HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUser-Agent: Huace\r\nAccept: */*\r\n"
        b"Content-Length: 3\r\nIdempotency-Key: k\r\n\r\n[1]" % server.port
    ]


@pytest.mark.parametrize("method", ["GET", "OPTIONS"])
async def test_a_question_has_no_body_and_no_length(method):
    async with Server([OK + b"Content-Length: 2\r\n\r\n{}"], is_kept=True) as server:
        guard = guard_of(server.port)
        connections = Connections(guard, guard.make_socket, ssl.create_default_context(), 5.0)
        (await connections.request(method, f"http://127.0.0.1:{server.port}/x", b"", {"A": "b"})).close()
        await connections.close()
    assert server.requests == [
        b"%b /x HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUser-Agent: Huace\r\nAccept: */*\r\nA: b\r\n\r\n"
        % (method.encode(), server.port)
    ]


@pytest.mark.parametrize("value", ["a\r\nX: y", "a\nb", "a\0", "schlüssel"])
async def test_a_header_that_would_become_two_or_is_no_ascii_is_never_sent(value):
    async with Server([OK + b"Content-Length: 0\r\n\r\n"], is_kept=True) as server:
        guard = guard_of(server.port)
        connections = Connections(guard, guard.make_socket, ssl.create_default_context(), 5.0)
        with pytest.raises(ValueError):  # noqa: PT011
            await connections.request("POST", f"http://127.0.0.1:{server.port}/", b"{}", {"Authorization": value})
        await connections.close()
        assert server.n_connections == 0


def test_the_insides_that_the_short_way_leans_on_are_there():
    """aiohttp may rename what stands between its session, its connector and its parser; then this fails first."""
    assert {"read_until_eof", "auto_decompress"} <= inspect.signature(
        ResponseHandler.set_response_params
    ).parameters.keys()
    assert list(inspect.signature(aiohttp.TCPConnector.connect).parameters) == ["self", "req", "traces", "timeout"]
    assert inspect.iscoroutinefunction(ResponseHandler.read)
    assert isinstance(ResponseHandler.should_close, property)
    assert "_factory" in aiohttp.BaseConnector.__init__.__code__.co_names
    assert "_parser" in ResponseHandler.set_response_params.__code__.co_names
    assert {"read_nowait", "is_eof", "read"} <= set(dir(aiohttp.StreamReader))


CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"


async def pieces_of(answer: bytes) -> list[int]:
    """How long the pieces are in which the body is read. Errors: `BotFailure`, aiohttp's."""
    async with Server([answer], is_kept=False) as server:
        guard = guard_of(server.port)
        connections = Connections(guard, guard.make_socket, ssl.create_default_context(), 5.0)
        response = await connections.request("POST", f"http://127.0.0.1:{server.port}/", b"{}", {}, Traffic())
        try:
            return [len(piece) async for piece in response.chunks()]
        finally:
            response.close()
            await connections.close()


async def test_chunks_of_one_byte_are_read_a_few_hundred_at_a_time():
    n_chunks = 20_000
    pieces = await pieces_of(CHUNKED + b"1\r\nx\r\n" * n_chunks + b"0\r\n\r\n")
    assert sum(pieces) == n_chunks
    # The other turns come in between any two of them, and a chunk of one byte costs a microsecond.
    assert max(pieces) <= 1024


async def test_an_answer_that_is_little_but_framing_is_too_long():
    with pytest.raises(BotFailure) as failed:
        await pieces_of(CHUNKED + b"1\r\nx\r\n" * 250_000 + b"0\r\n\r\n")
    assert failed.value.kind == FailureKind.TOO_LONG
    with pytest.raises(BotFailure):
        await pieces_of(CHUNKED + b"1;" + b"a" * 2_000_000 + b"\r\nx\r\n0\r\n\r\n")


async def test_an_answer_in_ordinary_chunks_may_be_as_long_as_it_likes():
    chunk = b"12c\r\n" + b"x" * 300 + b"\r\n"
    assert sum(await pieces_of(CHUNKED + chunk * 10_000 + b"0\r\n\r\n")) == 3_000_000
