"""What comes of every bot of tests/fakes/misbehaving.py: the ledger, the retry, the count, and the tester's words."""

import asyncio
import json
import socket
import ssl
from datetime import timedelta
from unittest.mock import patch
from uuid import UUID

import pytest
from django.utils import timezone
from django.utils.translation import override

from dialogues import turn_taking
from dialogues.actions import record_failure, record_reply, retry_turn, take_turn
from dialogues.masking import masker_of
from dialogues.models import Attempt, Turn
from dialogues.turn_taking import shown_reply
from participants.adapters import ADAPTERS, BotAddress, BotCall, Reply, asking
from participants.adapters.asking import ask
from participants.failures import BotFailure, FailureKind, Fault
from participants.outbound import Door
from reading.findings import sentence
from serving import own_host
from testing_console.console_strings import console_strings
from tests.fakes.authority import NOW, Authority
from tests.fakes.misbehaving import BOTS, ROWS, UNREACHABLE, Bot, said
from tests.fakes.raw_bots import RawBot, raw_bot
from tests.participants.test_tls import NAMES, bot_behind

pytestmark = pytest.mark.django_db
# Bots that let the deadline pass get a short one; the others answer long before theirs.
DEADLINE_S, SHORT_DEADLINE_S = 20.0, 0.4
# Made once: to read the machine's authorities takes longer than a call.
TRUSTS_NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def test_every_way_to_misbehave_has_its_bot():
    assert {bot.row for bot in BOTS} | {"certificate", "late"} == set(ROWS)


@pytest.fixture(autouse=True)
def names(monkeypatch, settings):
    """Names that end in `.bot` are answered here: one leads inside, the others nowhere. Nothing is paused for long."""
    settings.ALLOWED_HOSTS = ["huace.bot"]
    original = socket.getaddrinfo

    def look_up(host, port, *args, **named):
        if host == "inside.bot":
            return original("10.0.0.1", port, *args, **named)
        if str(host).endswith(".bot"):
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        return original(host, port, *args, **named)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(asking, "UNSENT_RETRY_PAUSES_S", (0.01, 0.02))


def closed_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def call_of(bot: Bot, url: str, asked) -> BotCall:
    turn = asked.turn
    return BotCall(
        BotAddress(bot.protocol, url),
        str(turn.dialogue_id),
        turn.number,
        turn.text,
        f"{turn.dialogue_id}:{turn.number}",
        history=asked.history,
        deadline_s=SHORT_DEADLINE_S if bot.waits else DEADLINE_S,
    )


async def answer_of(bot: Bot, asked) -> tuple[Reply | BotFailure, RawBot]:
    closed = closed_port()
    async with raw_bot(*(bot.answers or (b"",))) as raw:
        listening = {raw.port} if bot.is_at_our_port else set()
        url = (bot.url or raw.url).format(port=raw.port, closed=closed)
        allowed = frozenset({("127.0.0.1", raw.port), ("127.0.0.1", closed), ("nowhere.bot", raw.port)})
        door = Door(allowed, ssl_context=TRUSTS_NOBODY)
        try:
            with patch.object(own_host, "_listening", listening):
                async with asyncio.timeout(60):
                    return await ask(call_of(bot, url, asked), door, lambda part: None, ADAPTERS), raw
        except BotFailure as failure:
            return failure, raw
        finally:
            await door.close()


def taken(dialogue, admission, key="k"):
    return take_turn(
        dialogue_id=dialogue.pk, admission=admission, key=key, text="订票", at=timezone.now(), owner="here:1:x"
    ).asked


def settled(asked, came: Reply | BotFailure, masked=()):
    """The turn as it is stored, and the frames that its sockets hear."""
    if isinstance(came, Reply):
        shown = shown_reply(came.texts, masker_of(masked), came.latency_ms)
        outcome = record_reply(asked=asked, reply=came, shown=shown, at=timezone.now())
    else:
        outcome = record_failure(asked=asked, failure=came, at=timezone.now())
    return Turn.objects.get(pk=asked.turn.id), [json.loads(frame) for told in outcome.told for _, frame in told.lines]


def retried(asked, admission):
    return retry_turn(
        dialogue_id=asked.turn.dialogue_id, admission=admission, number=asked.turn.number, at=timezone.now(),
        owner="here:1:x",
    ).asked  # fmt: skip


def words_for(frame) -> tuple[str, str]:
    """What the console says of the failure (static/testing_console/failures.js), in Chinese and English."""
    found = []
    for language in ("zh-hans", "en"):
        with override(language):
            strings = console_strings()
            found.append(strings.get(f"failed.{frame['kind']}") or strings[f"fault.{frame['fault']}"])
    return found[0], found[1]


@pytest.mark.parametrize("bot", [bot for bot in BOTS if bot.kind], ids=str)
def test_a_failure_is_named_booked_told_and_may_be_asked_again_twice(bot, dialogue, admission):
    asked = taken(dialogue, admission)
    failure, raw = asyncio.run(answer_of(bot, asked))
    assert isinstance(failure, BotFailure)
    assert (failure.kind, failure.fault, len(raw.asked)) == (bot.kind, Fault.BOT, bot.n_asked)
    assert bot.detail in f"{failure.detail.in_english} {failure.evidence}"
    turn, (frame,) = settled(asked, failure)
    assert turn.status == "failed"
    assert (frame["type"], frame["kind"], frame["fault"]) == ("turn.failed", bot.kind, "bot")
    assert (frame["retryable"], frame["retries_left"]) == (True, 2)
    assert words_for(frame) == bot.words
    # It fails the same way at every retry: then the part is the bot's failure, and the dialogue goes on.
    for _ in range(2):
        again = retried(asked, admission)
        _turn, frames = settled(again, the_same(failure))
    assert [frame["type"] for frame in frames] == ["turn.failed", "subtask.closed"]
    assert (frames[0]["retryable"], frames[1]["status"]) == (False, "failed")
    dialogue.refresh_from_db()
    assert (dialogue.status, dialogue.turns_used) == ("open", 1)


def the_same(failure: BotFailure) -> BotFailure:
    again = BotFailure(failure.kind, failure.detail, reached_bot=failure.reached_bot)
    again.tries = failure.tries
    return again


@pytest.mark.parametrize("bot", [bot for bot in BOTS if not bot.kind], ids=str)
def test_an_answer_is_shown_and_flagged(bot, dialogue, admission, monkeypatch):
    monkeypatch.setattr(turn_taking, "SLOW_AFTER_MS", bot.slow_after_ms)
    asked = taken(dialogue, admission)
    reply, raw = asyncio.run(answer_of(bot, asked))
    assert isinstance(reply, Reply)
    assert len(raw.asked) == bot.n_asked
    turn, (frame,) = settled(asked, reply, bot.masked)
    assert turn.status == "answered"
    assert (frame["type"], tuple(frame["texts"]), tuple(frame.get("flags") or ())) == (
        "reply.done",
        bot.texts,
        bot.flags,
    )
    # What it wrote is kept where it is shown otherwise.
    kept = Attempt.objects.filter(turn=turn, outcome="reply").first()
    assert tuple(kept.texts if kept else turn.texts) == reply.texts


def test_a_bot_that_failed_once_answers_at_the_retry_under_the_same_turn_id(dialogue, admission):
    (bot,) = (one for one in BOTS if one.row == "once_500")
    asked = taken(dialogue, admission)

    async def both():
        async with raw_bot(*bot.answers) as raw:
            door = Door(frozenset({("127.0.0.1", raw.port)}), ssl_context=TRUSTS_NOBODY)
            try:
                await ask(call_of(bot, raw.url, asked), door, lambda part: None, ADAPTERS)
            except BotFailure as failure:
                n_before = len(raw.asked)
                reply = await ask(call_of(bot, raw.url, asked), door, lambda part: None, ADAPTERS)
                return failure, n_before, reply, raw.asked
            finally:
                await door.close()

    failure, n_before, reply, requests = asyncio.run(both())
    assert (n_before, len(requests)) == (1, 2)
    assert [(one["dialogue"], one["turn"]) for one in requests] == [(str(dialogue.pk), 1)] * 2
    settled(asked, failure)
    turn, frames = settled(retried(asked, admission), reply)
    assert (turn.status, turn.number, frames[-1]["texts"]) == ("answered", 1, ["好"])


def test_what_cannot_be_connected_to_is_tried_three_times_and_never_by_a_request(dialogue, admission):
    for bot in (one for one in BOTS if one.row == "unreachable"):
        asked = taken(dialogue, admission, key=bot.name)
        failure, raw = asyncio.run(answer_of(bot, asked))
        assert [one.has_left for one in failure.tries] == [False] * 3
        assert raw.asked == []
        settled(asked, failure)


@pytest.mark.parametrize("came", ["reply", "failure"])
def test_what_comes_after_a_retry_is_stored_as_late_and_shown_to_nobody(came, dialogue, admission):
    asked = taken(dialogue, admission)
    settled(asked, BotFailure(FailureKind.TIMEOUT_TOTAL, sentence("late")))
    again = retried(asked, admission)
    late = Reply(("晚了",), latency_ms=9) if came == "reply" else BotFailure(FailureKind.HTTP_5XX, sentence("late"))
    turn, frames = settled(asked, late)
    assert (frames, turn.status) == ([], "waiting")
    turn, frames = settled(again, Reply(("好",), latency_ms=5))
    assert [frame["texts"] for frame in frames] == [["好"]]
    assert list(turn.attempts.order_by("pk").values_list("outcome", "is_current"))[-1] == ("late", False)


def test_what_comes_after_the_deadline_is_not_even_read(dialogue, admission):
    bot = Bot("late", "answers too late", ([SHORT_DEADLINE_S * 2, said("晚了")],), "timeout_first_byte", waits=True)
    failure, _raw = asyncio.run(answer_of(bot, taken(dialogue, admission)))
    assert (failure.kind, failure.fault) == ("timeout_first_byte", "bot")


@pytest.mark.parametrize("name", ["another's", "forgets after a restart"])
def test_a_bot_that_mixes_up_or_forgets_is_told_which_dialogue_it_is_and_all_that_was_said(name, dialogue, admission):
    (bot,) = (one for one in BOTS if one.name == name)
    settled(taken(dialogue, admission, "1"), Reply(("请问去哪里？",)))
    _reply, raw = asyncio.run(answer_of(bot, taken(dialogue, admission, "2")))
    (request,) = raw.asked
    assert UUID(request["dialogue"]).version == 4
    assert [one["text"] for one in request["history"]] == ["订票", "请问去哪里？"]


@pytest.mark.parametrize("wrong", ["self-signed", "wrong name", "expired"])
def test_a_bot_whose_certificate_does_not_hold_is_sent_nothing(wrong, tmp_path, dialogue, admission):
    authority, asked = Authority(), taken(dialogue, admission)
    until = NOW + timedelta(days=-1 if wrong == "expired" else 1)
    context = authority.server_context(tmp_path, [NAMES["elsewhere" if wrong == "wrong name" else "127.0.0.1"]], until)

    async def call():
        async with bot_behind(context) as raw:
            trusted = None if wrong == "self-signed" else authority.client_context()
            door = Door(frozenset({("127.0.0.1", raw.port)}), ssl_context=trusted)
            bot = Bot("certificate", wrong)
            try:
                await ask(call_of(bot, f"https://127.0.0.1:{raw.port}/", asked), door, lambda part: None, ADAPTERS)
            except BotFailure as failure:
                return failure, raw.asked
            finally:
                await door.close()

    failure, requests = asyncio.run(call())
    assert (failure.kind, failure.fault, failure.reached_bot, requests) == ("tls", "bot", False, [])
    _turn, (frame,) = settled(asked, failure)
    assert words_for(frame) == UNREACHABLE
