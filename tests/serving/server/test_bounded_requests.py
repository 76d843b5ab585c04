"""An answer in pieces waits for its client; what a body that is too large is answered with (that it is refused while it comes: tests/live)."""

import asyncio
from types import SimpleNamespace

import pytest
import pytest_asyncio
from twisted.internet.address import IPv4Address
from twisted.internet.error import ConnectionDone
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from serving.server.bounded_requests import BoundedHTTPFactory, refusal

MIB = 1024 * 1024


class HalfClosing(StringTransport):
    """The double of Twisted, which can end what is written alone, as connections can."""

    is_ended = False

    def loseWriteConnection(self):
        self.is_ended = True


def connection(made, *, is_draining=False):
    """A connection of the server whose requests are noted, and its other end."""
    server = SimpleNamespace(
        create_application=lambda protocol, scope: made.append(protocol) or asyncio.Queue(),
        protocol_connected=lambda protocol: None,
        protocol_disconnected=lambda protocol: None,
        log_action=lambda *told: None,
        server_name="Huace",
        is_draining=is_draining,
        request_buffer_size=8192,
        root_path="",
        proxy_forwarded_address_header=None,
        proxy_forwarded_port_header=None,
        proxy_forwarded_proto_header=None,
    )
    protocol = BoundedHTTPFactory(server).buildProtocol(IPv4Address("TCP", "127.0.0.1", 1))
    transport = HalfClosing()
    protocol.makeConnection(transport)
    return protocol, transport


@pytest_asyncio.fixture
async def exchange():
    """A request that Daphne is about to answer, and the connection to its client."""
    made = []
    protocol, transport = connection(made)
    protocol.dataReceived(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    (request,) = made
    request.handle_reply({"type": "http.response.start", "status": 200, "headers": []})
    return request, transport, protocol


def send(request, body, more_body):
    request.handle_reply({"type": "http.response.body", "body": body, "more_body": more_body})


async def is_held_back(request):
    try:
        async with asyncio.timeout(0.05):
            await request.until_taken()
    except TimeoutError:
        return True
    return False


async def test_an_answer_in_pieces_waits_while_its_client_is_behind(exchange):
    request, transport, _ = exchange
    send(request, b"first", more_body=True)
    assert not await is_held_back(request)
    transport.producer.pauseProducing()
    assert await is_held_back(request)
    transport.producer.resumeProducing()
    assert not await is_held_back(request)
    send(request, b"last", more_body=False)
    assert b"first" in transport.value()
    assert b"last" in transport.value()


async def test_nobody_waits_for_a_client_that_is_gone(exchange):
    request, transport, protocol = exchange
    send(request, b"first", more_body=True)
    transport.producer.pauseProducing()
    protocol.connectionLost(Failure(ConnectionDone()))
    assert not await is_held_back(request)


async def test_an_answer_in_one_piece_is_written_as_ever(exchange):
    request, transport, _ = exchange
    send(request, b"whole", more_body=False)
    assert b"whole" in transport.value()
    assert not await is_held_back(request)


@pytest.mark.parametrize(
    ("path", "mib", "is_refused"),
    [
        ("/campaigns/small/teams/data/", 60, False),
        ("/api/v1/campaigns/small/teams/data/?x=1", 60, False),
        ("/campaigns/small/teams/data/", 65, True),
        ("/campaigns/small/teams/", 3, True),
        ("/campaigns/small/teams/data/1/remove/", 3, True),
        ("/login/?next=/campaigns/small/teams/data/", 3, True),
        ("/campaigns/small/teams/", 1, False),
    ],
)
async def test_only_data_packages_may_be_large(path, mib, is_refused):
    protocol, transport = connection([])
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nCookie: sessionid=x\r\nContent-Length: {mib * MIB}\r\n\r\n"
    protocol.dataReceived(head.encode())
    assert transport.value().startswith(b"HTTP/1.1 413") is is_refused
    protocol, transport = connection([])
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nTransfer-Encoding: chunked\r\n\r\n{mib * MIB:x}\r\n"
    protocol.dataReceived(head.encode() + b"x" * mib * MIB)
    assert transport.value().startswith(b"HTTP/1.1 413") is is_refused


async def test_who_names_nobody_may_not_send_much():
    protocol, transport = connection([])
    protocol.dataReceived(b"POST /campaigns/small/teams/data/ HTTP/1.1\r\nHost: x\r\nContent-Length: 3145728\r\n\r\n")
    assert transport.value().startswith(b"HTTP/1.1 413")


async def test_what_comes_behind_a_refusal_is_dropped_so_that_nobody_is_reset():
    protocol, transport = connection([])
    protocol.dataReceived(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3145728\r\n\r\n")
    refused = transport.value()
    assert transport.is_ended
    protocol.dataReceived(b"x" * 3 * MIB)
    assert transport.value() == refused
    assert transport.disconnecting


async def test_while_the_server_drains_an_answer_ends_its_connection_and_none_becomes_a_socket():
    made = []
    protocol, transport = connection(made, is_draining=True)
    protocol.dataReceived(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    (request,) = made
    request.handle_reply({"type": "http.response.start", "status": 200, "headers": []})
    send(request, b"whole", more_body=False)
    assert b"\r\nconnection: close\r\n" in transport.value().lower()
    assert transport.disconnecting
    protocol, transport = connection(made, is_draining=True)
    protocol.dataReceived(b"GET /ws/ HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n")
    assert (transport.value(), transport.disconnecting, len(made)) == (b"", True, 1)


async def test_a_form_is_taken_apart_by_pages_alone():
    made = []
    protocol, _ = connection(made)
    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\n"
    protocol.dataReceived(head + b"a=1")
    (request,) = made
    assert request.args == {}


def test_a_browser_gets_the_page_in_both_languages():
    head, _, body = refusal("text/html,application/xhtml+xml,*/*;q=0.8", 2 * MIB).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 413 ")
    assert b"Content-Type: text/html; charset=utf-8" in head
    assert f"Content-Length: {len(body)}".encode() in head
    assert b'<section lang="en">' in body
    assert b'<section lang="zh-hans">' in body
    assert b"csrfmiddlewaretoken" not in body


def test_a_program_gets_a_sentence():
    for accepts in ("", "application/json", "*/*"):
        head, _, body = refusal(accepts, 2 * MIB + 1024).partition(b"\r\n\r\n")
        assert b"Content-Type: text/plain; charset=utf-8" in head
        assert body == b"The body is longer than 2 MiB."
