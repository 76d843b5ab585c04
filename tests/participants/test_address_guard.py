"""The address guard: a permission belongs to the host that the organizer named, not to the address it leads to."""

import asyncio
import contextlib
import ipaddress
import itertools
import re
import socket

import pytest

from participants.failures import BotFailure
from participants.outbound import Door, look_ups
from participants.outbound.address_guard import (
    URLS_REMEMBERED,
    AddressGuard,
    BlockedAddress,
    NamedAddress,
    is_public,
    is_web_port,
)
from tests.fakes.bots import fake_bot

PORT = 8101


@pytest.fixture
def leads_to(monkeypatch):
    """Every name leads where the test says; nothing is asked of a real resolver."""
    places = {}

    def look_up(host, port, *_):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (places[host.lower()], port))]

    monkeypatch.setattr("participants.outbound.address_guard.socket.getaddrinfo", look_up)
    return places


def info_of(result):
    return (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (result["host"], result["port"]))


async def test_a_named_host_may_lead_into_the_own_network(leads_to):
    leads_to["bot.internal"] = "10.0.0.5"
    guard = AddressGuard(frozenset({("bot.internal", PORT)}))
    (found,) = await guard.resolve("Bot.Internal", PORT)
    guard.make_socket(info_of(found)).close()


async def test_a_named_host_does_not_open_its_address_to_others(leads_to):
    leads_to |= {"bot.internal": "10.0.0.5", "evil.example": "10.0.0.5"}
    guard = AddressGuard(frozenset({("bot.internal", PORT)}))
    await guard.resolve("bot.internal", PORT)
    with pytest.raises(BlockedAddress):
        await guard.resolve("evil.example", PORT)
    literal = (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", ("10.0.0.5", PORT))
    with pytest.raises(BlockedAddress, match="not a public address"):
        guard.make_socket(literal)


async def test_a_named_host_is_named_with_its_port(leads_to):
    leads_to["bot.internal"] = "10.0.0.5"
    guard = AddressGuard(frozenset({("bot.internal", PORT)}))
    with pytest.raises(BlockedAddress):
        await guard.resolve("bot.internal", PORT + 1)


def test_a_named_address_is_open_as_an_address():
    guard = AddressGuard(frozenset({("127.0.0.1", PORT)}))
    guard.make_socket((socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", PORT))).close()
    with pytest.raises(BlockedAddress):
        guard.make_socket((socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", PORT + 1)))


def test_what_is_remembered_of_urls_is_bounded():
    guard = AddressGuard()
    for number in range(URLS_REMEMBERED + 50):
        guard.check_url(f"http://bot-{number}.example/")
    assert guard._check_url.cache_info().currsize == URLS_REMEMBERED


@pytest.mark.parametrize(
    "url",
    ["ftp://a.example/", "http:///x", "http://user@a.example/", "http://a.example:22/", "http://a.example:99999/"],
)
def test_a_refused_url_is_refused_each_time(url):
    guard = AddressGuard()
    for _ in range(2):
        with pytest.raises(BlockedAddress):
            guard.check_url(url)


@pytest.mark.parametrize(
    "address",
    [
        "10.0.0.1", "127.0.0.1", "169.254.169.254", "172.31.0.1", "192.168.1.1", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "fec0::1", "::ffff:10.0.0.1",
        "64:ff9b::a00:1", "2002:a00:1::", "::a00:1",
    ],
)  # fmt: skip
def test_addresses_inside_are_not_public(address):
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_addresses_outside_are_public(address):
    assert is_public(ipaddress.ip_address(address))


def test_ports_of_other_services_are_no_web_ports():
    assert [port for port in (22, 25, 80, 443, 1023, 1024, 5432, 6379, 8101, 65535) if is_web_port(port)] == [
        80, 443, 1024, 8101, 65535,
    ]  # fmt: skip


async def test_through_the_door_only_the_named_host_gets_in(monkeypatch):
    """The permission lives through the connection library, too."""
    real = socket.getaddrinfo
    monkeypatch.setattr(
        "participants.outbound.address_guard.socket.getaddrinfo", lambda host, *rest: real("127.0.0.1", *rest)
    )
    with fake_bot() as bot:
        port = int(bot.url.rstrip("/").rpartition(":")[2])
        door = Door(frozenset({("bot.internal", port)}))
        try:
            async with door.line(5).post(f"http://bot.internal:{port}/", b'{"text": "a", "turn": 1}', {}) as answer:
                assert b"text" in await answer.body()
            for host in ("evil.example", "127.0.0.1"):
                with pytest.raises(BotFailure) as blocked:
                    async with door.line(5).post(f"http://{host}:{port}/", b"{}", {}):
                        pass
                assert blocked.value.kind == "blocked_address"
        finally:
            await door.close()


NEVER = [
    "169.254.169.254", "169.254.0.1", "fe80::1", "fd00:ec2::254", "100.100.100.200", "168.63.129.16", "192.0.0.192",
    "::ffff:169.254.169.254", "::169.254.169.254", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a9fe:a9fe", "2002:a9fe:a9fe::1",
    "::ffff:0:169.254.169.254", "2001:0:a9fe:a9fe::1", "2001:0:808:808:0:0:5601:5601",
]  # fmt: skip


@pytest.mark.parametrize("address", NEVER)
async def test_no_name_leads_to_link_local_or_metadata_not_even_one_that_is_allowed(address, leads_to):
    leads_to["bot.internal"] = address
    guard = AddressGuard(frozenset({("bot.internal", PORT), (address, PORT)}))
    with pytest.raises(BlockedAddress, match="never called"):
        await guard.resolve("bot.internal", PORT)
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    for held in (address, NamedAddress(address)):
        with pytest.raises(BlockedAddress, match="never called"):
            guard.make_socket((family, socket.SOCK_STREAM, 6, "", (held, PORT)))
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["10.0.0.5", "127.0.0.1", "::1", "fd12::1", "::ffff:10.0.0.5", "2002:a00:5::1"])
async def test_a_named_host_reaches_every_other_inner_address(address, leads_to):
    leads_to["bot.internal"] = address
    (found,) = await AddressGuard(frozenset({("bot.internal", PORT)})).resolve("bot.internal", PORT)
    assert found["host"] == str(ipaddress.ip_address(address))


# Ways to write an inner address that some library, resolver or browser has once taken for it. `{}` is the port.
INNER_SPELLINGS = [
    # as it is, short, as one number; decimal, octal, hex, mixed; with a dot at its end
    "127.0.0.1", "127.1", "127.0.1", "127.255.255.254", "2130706433", "017700000001", "0x7f000001", "0x7f.0.0.1",
    "0x7f.1", "0177.0.0.1", "0177.1", "0X7F.0x0.0x0.0x1", "127.0x0.1", "127.000.000.001", "127.0.0.1.", "0", "0.0.0.0",
    "0x0", "00000177.0.0.1", "0x0000007f.1",
    # names, letters and digits of other scripts
    "localhost", "LOCALHOST", "localhost.", "ip6-localhost", "１２７.０.０.１", "①②⑦.⓪.⓪.①", "127。0。0。1", "ⓛocalhost",
    "%31%32%37.0.0.1", "127%2e0%2e0%2e1", "inner.example", "INNER.example.", "mixed.example",
    # IPv6: loopback, any, mapped, compatible, translated, with a zone
    "[::1]", "[0:0:0:0:0:0:0:1]", "[0000:0000:0000:0000:0000:0000:0000:0001]", "[::]", "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:7f00:1]", "[::FFFF:7F00:1]", "[::127.0.0.1]", "[::7f00:1]", "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2002:7f00:1::1]",
    "[2001:0:7f00:1::]", "[::1%25lo]", "[::1%lo]", "[fe80::1]", "[fe80::1%25eth0]", "[fe80::1%eth0]", "[fc00::1]",
    "[fd00:ec2::254]", "[fec0::1]", "[ff02::1]", "[::ffff:169.254.169.254]", "[::ffff:10.0.0.1]",
    # user info, and what is taken for it
    "user@127.0.0.1", "user:word@127.0.0.1", "example.org@127.0.0.1", "example.org:80@127.0.0.1", "@127.0.0.1",
    "127.0.0.1:80@127.0.0.1", "example.org\\@127.0.0.1", "127.0.0.1\\@example.org", "example.org#@127.0.0.1",
    # private, shared, link-local, metadata, and what is nobody's
    "10.0.0.1", "10.1", "167772161", "172.16.0.1", "172.31.255.255", "192.168.0.1", "0xc0a80001", "169.254.169.254",
    "2852039166", "0xa9fea9fe", "100.64.0.1", "100.100.100.200", "192.0.0.192", "198.18.0.1", "224.0.0.1", "255.255.255.255",
]  # fmt: skip


@pytest.fixture
async def inside(monkeypatch):
    """A port on which loopback listens, in both families, and every connection that was tried; names lead inside or nowhere."""
    tried, servers = [], []
    real, connect = socket.getaddrinfo, socket.socket.connect

    def look_up(host, port, *about, **named):
        name = str(host).lower().rstrip(".")
        if name == "mixed.example":
            return [*real("8.8.8.8", port, *about), *real("127.0.0.1", port, *about)]
        if name == "inner.example":
            return real("127.0.0.1", port, *about)
        if name.endswith("localhost") or not re.search("[g-wyz]", name):
            return real(host, port, *about, **named)
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    def noted(self, address):
        tried.append(address)
        raise ConnectionRefusedError("no test leaves this machine")

    async def hear(reader, writer):
        tried.append("heard")
        writer.close()

    servers.append(await asyncio.start_server(hear, "127.0.0.1", 0))
    port = servers[0].sockets[0].getsockname()[1]
    with contextlib.suppress(OSError):
        servers.append(await asyncio.start_server(hear, "::1", port))
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket.socket, "connect", noted)
    yield port, tried
    monkeypatch.setattr(socket.socket, "connect", connect)
    for server in servers:
        server.close()


async def outcome_of(asking):
    with pytest.raises(BotFailure) as failed:
        async with asking:
            pass
    return failed.value


def test_there_are_sixty_spellings():
    assert len(set(INNER_SPELLINGS)) == len(INNER_SPELLINGS) >= 60


async def test_no_spelling_of_an_inner_address_is_connected_to(inside):
    port, tried = inside
    door = Door()
    reached = {}
    for spelling in INNER_SPELLINGS:
        for url in (f"http://{spelling}:{port}/", f"https://{spelling}:{port}/x?y#z", f"http://{spelling}/"):
            line = door.line(5)
            for asking in (line.post(url, b"{}", {}), line.get(url), line.socket(url)):
                failure = await outcome_of(asking)
                assert failure.kind in {"blocked_address", "dns"}, (url, failure)
                assert not failure.reached_bot
        if tried:
            reached[spelling] = tried.copy()
            tried.clear()
    await door.close()
    assert reached == {}


async def test_a_name_that_is_rebound_between_look_up_and_connection_is_not_connected_to(inside, monkeypatch):
    """It leads outside when it is looked at and inside when it is looked at again, in every order of the two."""
    port, tried = inside
    monkeypatch.setattr(look_ups, "KEPT_S", 0.0)
    for answers in (["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["8.8.8.8", "::1"], ["::ffff:127.0.0.1", "8.8.8.8"]):
        turns = itertools.cycle(answers)

        def look_up(host, port, *_, turns=turns):
            address = next(turns)
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            rest = (0, 0) if family == socket.AF_INET6 else ()
            return [(family, socket.SOCK_STREAM, 6, "", (address, port, *rest))]

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        door = Door()
        for _ in range(4):
            failure = await outcome_of(door.line(5).get(f"http://rebound.example:{port}/"))
            assert failure.kind in {"blocked_address", "connect"}
        await door.close()
    assert {address[0] for address in tried} == {"8.8.8.8"}
