"""The address guard: a permission belongs to the host that the organizer named, not to the address it leads to."""

import ipaddress
import socket

import pytest

from participants.failures import BotFailure
from participants.outbound import Door
from participants.outbound.address_guard import URLS_REMEMBERED, AddressGuard, BlockedAddress, is_public, is_web_port
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
