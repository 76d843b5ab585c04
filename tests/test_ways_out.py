"""Whatever the platform connects to, the guard made the socket: each way out of the process is driven over a patched socket layer.

A feature that leaves the process has its line in `WAYS_OUT`. Left out are mails, which Django hands to the mail server that
the site names, and the database and Redis, whose addresses are the site's own, too.
"""

import re
import socket
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from campaigns.models import Campaign, Entry
from conformance.canary_calls import take_answers, taken_of, version_of
from conformance.examiner import NoReply
from conformance.guessing import guess_protocol
from conformance.keeper import Keeper
from conformance.lab import check_bot
from conformance.label_services import check_service
from conformance.models import Check
from conformance.subjects import Subject
from dialogues.models import Attempt
from dialogues.queries import ProbedBot
from language_models.transport import client_through
from notifications.models import Event, Kind
from notifications.postman import Postman
from participants.adapters import ADAPTERS, BotAddress, BotCall, Farewell
from participants.adapters.asking import ask
from participants.adapters.smp2018_task1 import label_sentences
from participants.bot_form import AddressForm
from participants.failures import BotFailure
from participants.outbound import Door
from participants.outbound.address_guard import AddressGuard
from team_desk.trying import Typed, find_protocol, try_address
from testing_console.live import floor
from tests.conformance.checking import SMALL
from tests.conftest import Admitted
from tests.fakes.raw_bots import http, raw_bot
from tests.test_house import ROOMS, ROOT, files_of

ANSWER = http(b'{"text": "ok", "resultsList": []}')


async def live_turn(url, settings, dialogue, tester):
    await Entry.objects.aupdate(url=url, options={"close": True})
    running = floor.Floor()
    try:
        await running.commands.take_turn(dialogue.pk, Admitted(tester), key="k", text="你好")
        await running.drain(10)
    finally:
        await running.close()


async def probe_of_a_paused_bot(url, settings, dialogue, tester):
    running = floor.Floor()
    try:
        await running.breakers._failure_of(ProbedBot(1, 1, BotAddress("huace/1", url), "zh", 1.0))
    finally:
        await running.close()


async def try_of_a_form(url, settings, dialogue, tester):
    typed = Typed(AddressForm(url=url, protocol="huace/1"), url, "", "你好")

    def try_it():
        try_address(campaign=Campaign.objects.get(), typed=typed, by=tester, at=timezone.now())

    await sync_to_async(try_it)()


async def question_of_a_form(url, settings, dialogue, tester):
    def find():
        find_protocol(campaign=Campaign.objects.get(), url=url, secret="", by=tester, at=timezone.now())

    await sync_to_async(find)()


async def entry_at(url):
    await Entry.objects.aupdate(url=url)
    return await Entry.objects.select_related("campaign", "bot__team").aget()


async def check_that_somebody_asked_for(url, settings, dialogue, tester):
    entry, keeper = await entry_at(url), Keeper(lambda entry: SMALL)
    check = await entry.checks.acreate(asked_at=timezone.now(), protocol="huace/1", url=url)
    try:
        await keeper.run(await Check.objects.select_related("entry__campaign", "entry__bot__team").aget(pk=check.pk))
    finally:
        await keeper.close()


async def fingerprint_that_is_due(url, settings, dialogue, tester):
    entry, keeper = await entry_at(url), Keeper(lambda entry: SMALL)
    begun = await entry.fingerprints.acreate(taken_at=timezone.now(), protocol="huace/1", url=url)
    begun.entry = entry
    try:
        await keeper.take(begun)
    finally:
        await keeper.close()


async def message_to_a_webhook(url, settings, dialogue, tester):
    postman = Postman()
    try:
        await sync_to_async(lambda: message_to(url, tester))()
        await postman.send()
    finally:
        await postman.close()


async def ask_through(url, door):
    async with client_through(door, 1.0) as client:
        await client.post(url, content=b"{}")


def message_to(url, person):
    campaign, at = Campaign.objects.get(), timezone.now()
    webhook = campaign.webhooks.create(url=url, secret="whsec_a2V5", made_by=person, made_at=at)
    event = Event.objects.create(key="test", kind=Kind.TEST, at=at, campaign=campaign)
    webhook.deliveries.create(event=event, path="/", made_at=at, next_try_at=at)


def through_the_door(act):
    """A way out whose caller gives it a door."""

    async def with_door(url, settings):
        door = Door(settings.OUTBOUND_ALLOW)
        try:
            await act(url, door)
        except (BotFailure, NoReply):
            pass
        finally:
            await door.close()

    return with_door


OPTIONS = {
    "mapping": {"request": '{"text": "{{text}}"}', "reply": "text"},
    "openai": {"model": "m"},
    "coze": {"bot_id": "7"},
}


def call_to(url, protocol):
    dialogue, bot = str(uuid4()), BotAddress(protocol, url, options=OPTIONS.get(protocol, {}))
    return BotCall(bot, dialogue, 1, "你好", f"{dialogue}:1", deadline_s=1.0)


def turn_by(protocol):
    return through_the_door(lambda url, door: ask(call_to(url, protocol), door, lambda part: None, ADAPTERS))


def farewell_by(protocol):
    def close(url, door):
        farewell = Farewell(BotAddress(protocol, url, options={"close": True}), str(uuid4()), {"session": "s"})
        return ADAPTERS[protocol].close(farewell, door.line(1.0))

    return through_the_door(close)


async def hear_a_socket(url, door):
    async with door.line(1.0).socket(url):
        pass


# Bots that connect to us are never connected to.
CALLED = [protocol for protocol in ADAPTERS if protocol != "dial-out"]
WAYS_OUT = {
    "a live turn": live_turn,
    "the probe of a bot that the platform paused": probe_of_a_paused_bot,
    "the test call of a form": try_of_a_form,
    "the question of a form which protocol it is": question_of_a_form,
    "a check that somebody asked for": check_that_somebody_asked_for,
    "a fingerprint that is due": fingerprint_that_is_due,
    "a message to a webhook": message_to_a_webhook,
}
# Those that need no database.
DOORS = {
    "a batch of an automatic task's service": through_the_door(
        lambda url, door: label_sentences(door, url, [(1, "你好")], deadline_s=1.0)
    ),
    "the check of a bot": through_the_door(
        lambda url, door: check_bot(BotAddress("huace/1", url), door, ADAPTERS, limits=SMALL)
    ),
    "the check of a service": through_the_door(lambda url, door: check_service(url, door, limits=SMALL)),
    "the fingerprint of a service": through_the_door(
        lambda url, door: taken_of(Subject("smp2018_task1", url), door, SMALL)
    ),
    "the answers of a fingerprint": through_the_door(
        lambda url, door: take_answers(BotAddress("huace/1", url), door, ADAPTERS, limits=SMALL)
    ),
    "the version of a fingerprint": through_the_door(
        lambda url, door: version_of(BotAddress("gradio", url), door, ADAPTERS)
    ),
    "a model that is asked": through_the_door(ask_through),
    "the guess of a protocol": through_the_door(lambda url, door: guess_protocol(url, door, ADAPTERS, limit_s=1.0)),
    "a WebSocket": through_the_door(hear_a_socket),
    **{f"a turn by {protocol}": turn_by(protocol) for protocol in CALLED},
    **{f"a farewell by {protocol}": farewell_by(protocol) for protocol in CALLED if ADAPTERS[protocol].close},
}


@pytest.fixture
def connected(monkeypatch):
    """Every connection that is tried: whether the guard made its socket, and where it leads. None leaves the loopback range."""
    made, tried = set(), []
    make, connect, connect_ex = AddressGuard.make_socket, socket.socket.connect, socket.socket.connect_ex

    def noted_make(self, info):
        made.add(one := make(self, info))
        return one

    def noted(really):
        def try_to(self, address):
            if self.family in {socket.AF_INET, socket.AF_INET6}:
                tried.append((self in made, address[0]))
                assert address[0] in {"127.0.0.1", "::1"}, "no test leaves this machine"
            return really(self, address)

        return try_to

    monkeypatch.setattr(AddressGuard, "make_socket", noted_make)
    monkeypatch.setattr(socket.socket, "connect", noted(connect))
    monkeypatch.setattr(socket.socket, "connect_ex", noted(connect_ex))
    return tried


async def drive(way, connected, settings, is_named, *stage):
    """What was connected to, and how many connections the bot saw."""
    async with raw_bot(ANSWER) as bot:
        settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", bot.port)} if is_named else ())
        await way(bot.url, settings, *stage)
        return {is_guarded for is_guarded, _ in connected}, bot.n_connections > 0


@pytest.mark.parametrize("way", DOORS)
async def test_the_guard_made_every_socket_and_none_for_what_is_not_named(way, connected, settings):
    assert await drive(DOORS[way], connected, settings, False) == (set(), False)
    assert await drive(DOORS[way], connected, settings, True) == ({True}, True)


async def test_a_turn_of_a_bot_that_connects_to_us_leaves_by_no_socket_of_ours(connected, settings, monkeypatch):
    """It waits for the bot to come: whatever stands where a URL would, nothing is connected to."""
    monkeypatch.setattr("participants.dial_out.exchange.RECONNECT_S", 0.0)
    monkeypatch.setattr("participants.adapters.asking.UNSENT_RETRY_PAUSES_S", (0.0, 0.0))
    assert await drive(turn_by("dial-out"), connected, settings, True) == (set(), False)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", WAYS_OUT)
async def test_features_go_the_same_way_out(way, connected, settings, dialogue, tester):
    assert await drive(WAYS_OUT[way], connected, settings, True, dialogue, tester) == ({True}, True)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", WAYS_OUT)
async def test_features_reach_nothing_that_is_not_named(way, connected, settings, dialogue, tester):
    assert await drive(WAYS_OUT[way], connected, settings, False, dialogue, tester) == (set(), False)
    if way == "a live turn":
        assert (await Attempt.objects.aget()).kind == "blocked_address"


def test_the_patched_layer_notes_a_call_past_the_guard(connected):
    with socket.socket() as server, socket.socket() as past:
        server.bind(("127.0.0.1", 0))
        server.listen()
        past.connect(server.getsockname())
    assert connected == [(False, "127.0.0.1")]


# What opens connections, and the files outside of the outbound room that import it all the same, with the reason.
OPENS = re.compile(
    r"^\s*(?:from|import) (?:aiohttp|ftplib|http\.client|httpx|requests|smtplib|socket|urllib\.request|websockets)\b",
    re.MULTILINE,
)
NOT_CALLS = {
    "analysis/sources.py": "a researcher's program: reads the bundle at the address that they name, and no page or task imports it",
    "language_models/asking.py": "calls through the transport beside it, which is the door",
    "language_models/transport.py": "a transport of httpx that hands every request to the door",
    "participants/bot_urls.py": "reads how an address is spelled",
    "participants/bridge/serving.py": "a program of a team's: listens beside its command, or connects to the platform",
    "serving/own_host.py": "finds out whether an address is this machine's, and connects to nothing",
    "serving/processes.py": "the machine's own name",
    "simulation/program.py": "a client of our own API: it calls the server that the command names",
    "serving/management/commands/serve.py": "looks for a free port",
    "serving/server/daphne_server.py": "listens",
}


def test_what_opens_connections_is_imported_by_the_outbound_room_alone():
    """The scripted testers of `demo` are clients of ours, not calls that the platform makes."""
    files = [path for room in ROOMS if room != "demo" for path in files_of(room) if "outbound" not in path.parts]
    found = {str(path.relative_to(ROOT)) for path in files if OPENS.search(path.read_text())}
    assert found == NOT_CALLS.keys()


# Who makes a door of its own, and the ways out above that drive it.
DOORKEEPERS = {
    "automatic_tasks/runs/worker.py": "a batch of an automatic task's service",
    "conformance/keeper.py": "a check that somebody asked for",
    "conformance/management/commands/conformance.py": "the check of a bot",
    "judging/management/commands/judge.py": "a model that is asked",
    "language_models/actions/endpoints.py": "a model that is asked",
    "language_models/management/commands/ask_model.py": "a model that is asked",
    "notifications/postman.py": "a message to a webhook",
    "replays/keeper.py": "a turn by huace/1",
    "simulation/management/commands/simulate.py": "a model that is asked",
    "team_desk/trying.py": "the test call of a form; the question of a form which protocol it is",
    "testing_console/live/floor.py": "a live turn",
}


def test_whoever_makes_a_door_is_driven_above():
    files = [path for room in ROOMS if room != "demo" for path in files_of(room)]
    makers = {str(path.relative_to(ROOT)) for path in files if re.search(r"\bDoor\(", path.read_text())}
    assert makers - {"participants/outbound/door.py"} == DOORKEEPERS.keys()
    assert {way for ways in DOORKEEPERS.values() for way in ways.split("; ")} <= WAYS_OUT.keys() | DOORS.keys()
