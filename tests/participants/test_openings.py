"""What staff open: bounded at each connection, whatever was written, however an address is spelled, wherever a name leads."""

import ipaddress
import socket
from datetime import UTC, datetime

import pytest
from django.utils import translation

from accounts.models import Person
from participants.actions import allow_address, take_address_back
from participants.allowed_addresses import CannotAllow, renew_openings
from participants.bot_urls import check_bot_url
from participants.outbound import Door
from participants.outbound import openings as the_openings
from participants.outbound.address_guard import AddressGuard, BlockedAddress
from participants.outbound.openings import Opening, Openings, opened
from reading.kinds import Wrong
from tests.fakes.bots import fake_bot

NOW = datetime(2026, 11, 27, 2, tzinfo=UTC)
LABS = tuple(map(ipaddress.ip_network, ["10.0.0.0/8", "fc00::/7"]))
ANYWHERE = tuple(map(ipaddress.ip_network, ["0.0.0.0/0", "::/0"]))


@pytest.fixture
def leads_to(monkeypatch):
    places = {}

    def look_up(host, port, *_):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in places[host.lower()]]

    monkeypatch.setattr("participants.outbound.address_guard.socket.getaddrinfo", look_up)
    return places


@pytest.fixture(autouse=True)
def as_before():
    yield
    opened.become((), ())


def having(*places, within=LABS):
    openings = Openings()
    openings.become([Opening(*place) if isinstance(place, tuple) else Opening(place) for place in places], within)
    return openings


def connects(guard, address, port=8000):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    guard.make_socket((family, socket.SOCK_STREAM, 6, "", (address, port))).close()


def test_an_allowed_network_is_open_and_its_neighbour_is_not():
    guard = AddressGuard(openings=having("10.1.2.0/24"))
    connects(guard, "10.1.2.9")
    for other in ("10.1.3.9", "192.168.1.1", "fd00::9"):
        with pytest.raises(BlockedAddress, match="Ask the staff"):
            connects(guard, other)


def test_a_port_opens_itself_alone_and_ports_of_other_services_stay_closed():
    guard = AddressGuard(openings=having(("10.1.2.0/24", 8000)))
    connects(guard, "10.1.2.9", 8000)
    with pytest.raises(BlockedAddress):
        connects(guard, "10.1.2.9", 8001)
    with pytest.raises(BlockedAddress):
        connects(AddressGuard(openings=having("10.1.2.0/24")), "10.1.2.9", 6379)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.0.0.2", "0.0.0.0", "169.254.169.254", "100.100.100.200", "168.63.129.16", "224.0.0.1",
        "::1", "::", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "fe80::1", "fd00:ec2::254", "64:ff9b::7f00:1",
        "64:ff9b::a01:209", "2002:a01:209::1", "::a01:209",
    ],
)  # fmt: skip
def test_who_opens_everything_opens_neither_the_platform_nor_what_is_never_reached(address):
    openings = having("0.0.0.0/0", "::/0", within=ANYWHERE)
    assert not openings.opens(ipaddress.ip_address(address), 8000)


def test_a_mapped_address_is_the_one_that_it_holds():
    openings = having("10.1.2.0/24")
    assert openings.opens(ipaddress.ip_address("::ffff:10.1.2.9"), 8000)
    assert not openings.opens(ipaddress.ip_address("::ffff:10.1.3.9"), 8000)


def test_an_address_of_this_machine_stays_closed_on_every_port_within_an_allowed_network(monkeypatch):
    monkeypatch.setattr(the_openings, "is_here", lambda address: str(address) == "10.1.2.5")
    openings = having("10.1.2.0/24")
    assert openings.opens(ipaddress.ip_address("10.1.2.4"), 8000)
    assert not openings.opens(ipaddress.ip_address("10.1.2.5"), 9999)
    assert not openings.opens(ipaddress.ip_address("::ffff:10.1.2.5"), 9999)


async def test_an_allowed_name_opens_what_it_leads_to_within_the_bounds_alone(leads_to):
    leads_to["bot.lab"] = ["10.1.2.9"]
    guard = AddressGuard(openings=having("bot.lab"))
    (found,) = await guard.resolve("Bot.Lab", 8000)
    guard.make_socket((socket.AF_INET, socket.SOCK_STREAM, 6, "", (found["host"], 8000))).close()
    with pytest.raises(BlockedAddress):
        connects(guard, "10.1.2.9")
    # The name leads elsewhere later, or to several: each address is judged.
    for elsewhere in (["192.168.1.1"], ["127.0.0.1"], ["169.254.169.254"], ["10.1.2.9", "127.0.0.1"]):
        leads_to["bot.lab"] = elsewhere
        with pytest.raises(BlockedAddress):
            await guard.resolve("bot.lab", 8000)


def test_narrower_bounds_close_what_was_allowed_under_wider_ones():
    openings = having("10.1.2.0/24")
    assert openings.become([Opening("10.1.2.0/24")], LABS[1:])
    assert not openings.opens(ipaddress.ip_address("10.1.2.9"), 8000)


async def test_a_kept_connection_ends_when_its_address_is_taken_back(monkeypatch):
    monkeypatch.setattr(the_openings, "is_here", lambda address: False)
    with fake_bot() as bot:
        opened.become([Opening("127.0.0.0/8", bot.port)], ANYWHERE)
        door = Door()
        try:
            url = f"http://127.0.0.1:{bot.port}/"

            async def ask():
                async with door.line(60).post(url, b'{"text": "hello"}', {}) as answer:
                    return answer

            await ask()
            opened.become((), ANYWHERE)
            with pytest.raises(Exception, match="not a public address"):
                await ask()
        finally:
            await door.close()


async def test_a_name_that_is_taken_back_is_not_reached_by_what_was_looked_up_before(monkeypatch, leads_to):
    monkeypatch.setattr(the_openings, "is_here", lambda address: False)
    leads_to["bot.lab"] = ["127.0.0.1"]
    with fake_bot() as bot:
        opened.become([Opening("bot.lab", bot.port)], ANYWHERE)
        door = Door()
        try:

            async def ask():
                async with door.line(60).post(f"http://bot.lab:{bot.port}/", b'{"text": "hello"}', {}) as answer:
                    return answer

            await ask()
            opened.become((), ANYWHERE)
            for _ in range(2):
                with pytest.raises(Exception, match="not a public address"):
                    await ask()
        finally:
            await door.close()


@pytest.mark.django_db
class TestOnThePage:
    @pytest.fixture
    def staff(self):
        return Person.objects.create_user("staff", is_staff=True)

    def test_this_process_learns_what_was_allowed_and_taken_back(self, staff, settings):
        settings.OUTBOUND_MAY_ALLOW = LABS
        with pytest.raises(Wrong, match="Ask the staff"):
            check_bot_url("http://10.1.2.9:8000/", ())
        allowed = allow_address(place="10.1.2.0/24", port=0, by=staff, at=NOW)
        renew_openings()
        assert check_bot_url("http://10.1.2.9:8000/", ()) == "http://10.1.2.9:8000/"
        take_address_back(allowed=allowed, by=staff, at=NOW)
        renew_openings()
        with pytest.raises(Wrong, match="private network"):
            check_bot_url("http://10.1.2.9:8000/", ())

    @pytest.mark.parametrize(
        ("place", "port"),
        [
            ("0.0.0.0/0", 0), ("127.0.0.1", 0), ("127.0.0.0/8", 0), ("169.254.169.254", 0), ("::ffff:127.0.0.1", 0), ("8.8.8.8", 0),
            ("fd00:ec2::254", 0), ("10.0.0.1/8", 0), ("127.1", 0), ("0x7f.1", 0), ("2130706433", 0), ("bot lab", 0), ("", 0),
            ("10.1.2.0/24", 22), ("10.1.2.0/24", 6379), ("a/b", 0), ("x" * 300, 0),
        ],
    )  # fmt: skip
    def test_what_lies_outside_or_cannot_be_read_is_refused(self, staff, settings, place, port):
        settings.OUTBOUND_MAY_ALLOW = LABS
        with pytest.raises(CannotAllow):
            allow_address(place=place, port=port, by=staff, at=NOW)

    def test_an_address_is_allowed_once(self, staff, settings):
        settings.OUTBOUND_MAY_ALLOW = LABS
        allow_address(place="Bots.Lab.", port=0, by=staff, at=NOW)
        with translation.override("en"), pytest.raises(CannotAllow, match="already"):
            allow_address(place="bots.lab", port=0, by=staff, at=NOW)
