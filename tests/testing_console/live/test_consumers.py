"""What a socket is told arrives in order and whole, even if sending or reading the ledger fails in between."""

import asyncio
from collections import deque
from types import SimpleNamespace
from uuid import UUID

import pytest
from autobahn.exception import Disconnected
from django.db import OperationalError

from accounts.models import ApiToken
from accounts.scopes import Scope
from serving import background
from serving.server.close_codes import CLOSE_ROLE
from testing_console.live import consumers
from testing_console.live.admission import SocketAdmission
from testing_console.live.consumers import DialogueConsumer
from testing_console.live.switchboard import Switchboard


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(background, "FIRST_PAUSE_S", 0.01)


@pytest.fixture
def consumer():
    """An open socket of a dialogue that has seen nothing yet; `sent` is what the browser received."""
    made = DialogueConsumer()
    made.dialogue_id, made._last_seq, made._is_open = UUID(int=1), 0, True
    made._waiting, made._sender, made._say_now, made._uncount = deque(), None, None, consumers.nothing
    made.sent, made.errors = [], []

    async def send(text_data):
        if made.errors:
            raise made.errors.pop(0)
        made.sent.append(text_data)

    made.send = send
    return made


async def sent(consumer, n_frames):
    async with asyncio.timeout(10):
        while len(consumer.sent) < n_frames or consumer._sender is not None:
            await asyncio.sleep(0.01)
    return consumer.sent


async def test_an_event_that_could_not_be_sent_is_sent_again(consumer, caplog):
    consumer.errors = [ZeroDivisionError("a bug"), RuntimeError("another")]
    consumer.tell([(1, "one"), (2, "two")])
    assert await sent(consumer, 2) == ["one", "two"]
    assert "The sender of a socket failed" in caplog.text


async def test_a_peer_that_has_gone_is_told_nothing_twice(consumer):
    consumer.errors = [Disconnected("gone")]
    consumer.tell([(1, "one"), (2, "two")])
    assert await sent(consumer, 1) == ["two"]


async def test_a_gap_is_filled_once_the_database_is_back(consumer, monkeypatch):
    n_reads = 0

    async def look_up(query, dialogue_id, after):
        nonlocal n_reads
        n_reads += 1
        if n_reads < 3:
            raise OperationalError("server closed the connection unexpectedly")
        return [(1, "one"), (2, "two"), (3, "three")][after:]

    monkeypatch.setattr(consumers, "look_up", look_up)
    consumer.tell([(3, "")])
    consumer.tell([(4, "four")])
    assert await sent(consumer, 4) == ["one", "two", "three", "four"]


@pytest.fixture
def quick(consumer):
    """The same on a server that takes frames at once: nothing that is next waits for a task."""
    consumer._say_now = consumer.sent.append
    return consumer


async def test_what_is_next_is_sent_before_anybody_else_runs(quick):
    quick.tell([(1, "one"), (2, "two")])
    quick.tell_passing("delta")
    quick.tell([(2, ""), (1, "one"), (3, "three")])
    assert quick.sent == ["one", "two", "delta", "three"]
    assert quick._sender is None


async def test_what_is_behind_a_gap_waits_for_the_ledger_and_for_its_turn(quick, monkeypatch):
    async def look_up(query, dialogue_id, after):
        await asyncio.sleep(0)
        return [(1, "one"), (2, "two"), (3, "three")][after:]

    monkeypatch.setattr(consumers, "look_up", look_up)
    quick.tell([(1, "one"), (3, "three")])
    quick.tell([(4, "four")])
    quick.tell_passing("delta")
    assert quick.sent == ["one"]
    assert await sent(quick, 5) == ["one", "two", "three", "four", "delta"]


async def test_a_socket_that_has_left_is_told_nothing(quick):
    quick._is_open = False
    quick.tell([(1, "one")])
    assert quick.sent == []


async def test_a_socket_that_a_bug_ends_is_not_told_anything_any_more(quick, monkeypatch):
    """Daphne closes it with a code once it sees the error; nobody calls `disconnect`."""

    async def receive():
        return {"type": "websocket.receive", "text": "{}"}

    async def bug(self, **frame):
        raise ZeroDivisionError

    monkeypatch.setattr(DialogueConsumer, "receive", bug)
    switchboard = Switchboard()
    quick.floor = SimpleNamespace(switchboard=switchboard)
    switchboard.join(quick.dialogue_id, quick)
    with pytest.raises(ZeroDivisionError):
        await quick({}, receive, None)
    assert not switchboard.has_listeners(quick.dialogue_id)
    quick.tell([(1, "one")])
    assert quick.sent == []


@pytest.mark.django_db
def test_a_token_of_another_campaign_or_role_opens_no_socket(dialogue, tester):
    token, _ = ApiToken.objects.create(user=tester)

    def welcome(scope):
        return consumers._welcome(dialogue.pk, SocketAdmission(tester.pk, token_digest=token.digest, scope=scope), 0)

    assert welcome(Scope("tester", "other")) == welcome(Scope("organizer", "small")) == CLOSE_ROLE
    assert not isinstance(welcome(Scope("tester", "small")), int)
