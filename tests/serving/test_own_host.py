"""The platform knows itself by its listening port, on every address of the machine, and by the names of the site."""

import ipaddress
import os
import socket
import sys
from types import SimpleNamespace

import pytest
from django.core.management import call_command

from automatic_tasks.management.commands import work
from serving import own_host
from serving.management.commands.serve import run_process
from serving.own_host import is_here, is_own_address, is_own_name, listens_at

LISTENING = 8123


@pytest.fixture(autouse=True)
def site(monkeypatch, settings):
    monkeypatch.setattr(own_host, "_listening", set())
    listens_at(LISTENING)
    settings.ALLOWED_HOSTS = [
        "localhost",
        "127.0.0.1",
        "[::1]",
        "Huace.example.org",
        ".campus.example.org",
        "话测.example.org",
        "*",
    ]
    settings.SITE_URL = "https://www.example.org:8443"


@pytest.mark.parametrize(
    ("host", "port", "is_own"),
    [
        ("localhost", LISTENING, True),
        ("::1", LISTENING, True),
        ("huace.example.org", LISTENING, True),
        ("huace.example.org", 443, True),
        ("huace.example.org", 80, True),
        ("www.example.org", 8443, True),
        ("campus.example.org", 443, True),
        # However it is typed: an ideographic full stop, a dot at the end, letters or punycode.
        ("huace。example.org", 443, True),
        ("HUACE.example.org.", 443, True),
        ("话测.example.org", 443, True),
        ("xn--0zw156d.example.org", 443, True),
        # Others of the same machine, domain or port.
        ("localhost", 80, False),
        ("huace.example.org", 9000, False),
        ("bot.campus.example.org", 443, False),
        ("bot.example.net", LISTENING, False),
        ("bot.example.net", 443, False),
    ],
)
def test_a_name_and_a_port_of_the_site_mean_the_platform(host, port, is_own):
    assert is_own_name(host, port) is is_own


def test_an_organizer_may_name_a_path_of_the_proxy_and_never_the_listening_port():
    allowed = {("huace.example.org", 443), ("huace.example.org", LISTENING), ("www.example.org", 8443)}
    assert [is_own_name(host, port, allowed) for host, port in sorted(allowed)] == [False, True, False]


@pytest.mark.parametrize(
    ("address", "is_ours"), [("127.0.0.1", True), ("127.8.9.1", True), ("192.0.2.1", False), ("2001:db8::1", False)]
)
def test_an_address_is_ours_where_a_socket_can_be_bound_to_it(address, is_ours):
    address = ipaddress.ip_address(address)
    assert is_here(address) is is_ours
    assert is_own_address(address, LISTENING) is is_ours
    assert not is_own_address(address, LISTENING + 1)


def test_an_address_is_known_in_the_other_family_too_and_nothing_is_where_nobody_listens(monkeypatch):
    assert is_own_address(ipaddress.ip_address("::ffff:127.0.0.1"), LISTENING)
    monkeypatch.setattr(own_host, "_listening", set())
    assert not is_own_address(ipaddress.ip_address("127.0.0.1"), LISTENING)
    assert not is_own_name("localhost", LISTENING)


def test_server_and_worker_know_the_port_before_anything_is_called(monkeypatch):
    class Began(Exception):
        pass

    def begins(*said, **named):
        raise Began

    monkeypatch.setattr(own_host, "_listening", set())
    monkeypatch.setitem(sys.modules, "serving.server.daphne_server", SimpleNamespace(serve=begins))
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        with pytest.raises(Began):
            run_process(listening, 1.0)
    assert is_own_name("localhost", port)
    monkeypatch.setattr(os, "nice", lambda by: None)
    monkeypatch.setattr(work, "renew_openings", begins)
    with pytest.raises(Began):
        call_command("work", "--beside-port", str(port + 1))
    assert is_own_name("localhost", port + 1)
