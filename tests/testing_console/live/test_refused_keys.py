import pytest

from testing_console.live import socket_limits as refused_keys
from testing_console.live.socket_limits import TRIES_BURST, RefusedKeys, TooManyTries


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


def test_connections_without_an_address_share_no_limit(clock):
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
