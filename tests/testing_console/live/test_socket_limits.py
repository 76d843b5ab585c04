import asyncio
import shutil

import pytest
from django.db import OperationalError
from django.test import override_settings

from serving.leases import Leases
from testing_console.live import socket_limits as refused_keys
from testing_console.live.socket_limits import (
    TRIES_BURST,
    RefusedKeys,
    SocketCounts,
    SocketGate,
    TooManyTries,
    is_own_origin,
    network_behind,
)
from tests.live.databases import RedisServer


async def sent_when(error: Exception, *, after_accept: bool = False) -> list[dict]:
    sent: list[dict] = []

    async def inner(scope, receive, send):
        if after_accept:
            await send({"type": "websocket.accept"})
        raise error

    async def send(message):
        sent.append(message)

    await SocketGate(inner)({"path": "/ws/dialogues/1/"}, None, send)
    return sent


async def test_a_login_that_cannot_be_read_is_closed_with_a_code():
    assert await sent_when(OperationalError("away")) == [
        {"type": "websocket.accept"},
        {"type": "websocket.close", "code": 4503},
    ]


async def test_an_error_after_the_opening_is_the_consumers():
    with pytest.raises(OperationalError):
        await sent_when(OperationalError("away"), after_accept=True)


async def test_a_bug_stays_a_bug():
    with pytest.raises(ZeroDivisionError):
        await sent_when(ZeroDivisionError())


async def test_a_person_at_the_limit_opens_no_more_until_one_is_closed():
    counts = SocketCounts(per_person=2, per_network=0)
    assert [await counts.enter(7, "") for _ in range(3)] == [True, True, False]
    assert await counts.enter(8, "")
    counts.leave(7, "")
    assert [await counts.enter(7, "") for _ in range(2)] == [True, False]


async def test_people_of_one_network_share_its_limit():
    counts = SocketCounts(per_person=0, per_network=2)
    assert [await counts.enter(person, "203.0.113.7") for person in (1, 2, 3)] == [True, True, False]
    assert await counts.enter(3, "203.0.113.8")


async def test_what_was_refused_is_not_counted():
    counts = SocketCounts(per_person=1, per_network=2)
    assert [await counts.enter(person, "a") for person in (1, 1, 2, 3)] == [True, False, True, False]


async def test_a_limit_of_nothing_lets_everything_through():
    counts = SocketCounts(per_person=0, per_network=0)
    assert all([await counts.enter(1, "a") for _ in range(1000)])


async def test_connections_without_an_address_share_no_limit():
    counts = SocketCounts(per_person=0, per_network=1)
    assert all([await counts.enter(person, "") for person in range(3)])


@pytest.fixture
def machines():
    """The counts of two machines on one Redis: three sockets a person, four a network."""
    redis = RedisServer()
    redis.start()
    begun = [Leases(redis.client(), "here") for _ in range(2)]
    yield [SocketCounts(3, 4, over_all=lambda one=one: one) for one in begun]
    for one in begun:
        one.close()
    redis.stop()


@pytest.mark.skipif(not shutil.which("redis-server"), reason="needs redis-server")
async def test_the_limits_of_a_person_and_of_a_network_hold_over_machines(machines):
    one, other = machines
    of_person = await asyncio.gather(*(counts.enter(7, "") for counts in (one, other) * 3))
    assert sorted(of_person) == [False] * 3 + [True] * 3
    assert [await one.enter(8, "a"), await other.enter(8, "a"), await one.enter(9, "a")] == [True] * 3
    assert [await other.enter(9, "a"), await one.enter(10, "a")] == [True, False]


@pytest.mark.skipif(not shutil.which("redis-server"), reason="needs redis-server")
async def test_what_one_machine_refused_or_let_go_is_left_to_the_others(machines):
    one, other = machines
    for _ in range(3):
        assert await one.enter(7, "a")
    # Refused for the person, it counts nothing for the network.
    assert [await other.enter(7, "a"), await other.enter(8, "a")] == [False, True]
    one.leave(7, "a")
    async with asyncio.timeout(10):
        while not await other.enter(7, "a"):
            pass


@pytest.mark.parametrize(("n_proxies", "network"), [(0, "192.0.2.1"), (1, "2001:0db8:0000:0001")])
def test_the_network_is_the_one_behind_our_own_proxies(n_proxies, network):
    scope = {"client": ["192.0.2.1", 999], "headers": [(b"x-forwarded-for", b"6.6.6.6, 2001:db8:0:1::5")]}
    with override_settings(TRUSTED_PROXIES=n_proxies):
        assert network_behind(scope) == network


def test_headers_that_proxies_add_one_by_one_are_one_list_as_they_are_for_pages():
    headers = [(b"x-forwarded-for", b"6.6.6.6, 192.0.2.7"), (b"x-forwarded-for", b"10.0.0.1")]
    with override_settings(TRUSTED_PROXIES=2):
        assert network_behind({"client": ["10.0.0.2", 9], "headers": headers}) == "192.0.2.7"


def test_a_connection_without_an_address_has_no_network():
    assert network_behind({"client": None, "headers": []}) == ""


@pytest.mark.parametrize(
    ("origin", "host", "is_own"),
    [
        ("http://localhost:8000", "localhost:8000", True),
        ("https://localhost", "localhost", True),
        ("http://[::1]:8000", "[::1]:8000", True),
        ("http://localhost:8001", "localhost:8000", False),
        ("http://evil.example", "localhost:8000", False),
        ("http://evil.example", "evil.example", False),
        ("null", "localhost:8000", False),
        ("", "", False),
        ("ftp://localhost", "localhost", False),
    ],
)
def test_only_a_page_of_ours_opens_a_socket(settings, origin, host, is_own):
    settings.ALLOWED_HOSTS = ["localhost", "[::1]"]
    assert is_own_origin({b"origin": origin.encode(), b"host": host.encode()}) is is_own


def test_the_configured_site_opens_sockets_whatever_host_its_proxy_names(settings):
    headers = {b"origin": b"https://huace.example.org", b"host": b"127.0.0.1:8000"}
    assert not is_own_origin(headers)
    settings.SITE_URL = "https://huace.example.org"
    assert is_own_origin(headers)


def is_shut(refused, network):
    try:
        refused.check(network)
    except TooManyTries:
        return True
    return False


@pytest.fixture
def clock(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    return now


def test_a_network_that_tries_too_many_keys_is_shut_for_a_while_and_others_are_not(clock):
    refused = RefusedKeys()
    for _ in range(TRIES_BURST):
        refused.note("a")
    assert not is_shut(refused, "a")
    refused.note("a")
    assert (is_shut(refused, "a"), is_shut(refused, "b")) == (True, False)
    clock[0] += 5.0
    assert not is_shut(refused, "a")


def test_one_key_per_second_is_never_too_many(clock):
    refused = RefusedKeys()
    for _ in range(1000):
        refused.note("a")
        clock[0] += 1.0
    assert not is_shut(refused, "a")


def test_keys_from_connections_without_an_address_share_no_limit(clock):
    refused = RefusedKeys()
    for _ in range(2 * TRIES_BURST):
        refused.note("")
    assert not is_shut(refused, "")


def test_no_more_networks_are_remembered_than_the_limit(clock, monkeypatch):
    monkeypatch.setattr(refused_keys, "NETWORKS_LIMIT", 2)
    refused = RefusedKeys()
    for network in ("a", "b", "c"):
        for _ in range(TRIES_BURST + 1):
            refused.note(network)
    assert [is_shut(refused, network) for network in ("a", "b", "c")] == [False, True, True]
