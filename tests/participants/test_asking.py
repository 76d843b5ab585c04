"""One turn: what is sent again, what is not, and how each failure is typed."""

import asyncio
import json
import time
from datetime import UTC, datetime

import pytest

from participants.adapters import ADAPTERS, Adapter, BotAddress, Farewell, History, Reply, Utterance
from participants.adapters.asking import ask, pause_before_retry, say_goodbye
from participants.adapters.calls import STATE_LIMIT_BYTES, read_again, written
from participants.failures import BotFailure, FailureKind
from participants.outbound import Door
from participants.outbound.outages import is_unanswered
from reading.findings import sentence
from tests.fakes.raw_bots import CLOSE, http, raw_bot
from tests.participants.talking import ask_raw, call_of, door_to, failure_of, reply_to


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("!500", "http_5xx"), ("!404", "http_4xx"), ("!201", "bad_shape"), ("!redirect", "bad_shape"),
        ("!html", "bad_json"), ("!nan", "bad_json"), ("!twice", "bad_json"), ("!deep", "bad_json"),
        ("!latin", "bad_json"), ("!surrogate", "bad_shape"), ("!number", "bad_shape"), ("!null", "bad_shape"),
        ("!list", "bad_shape"), ("!without", "bad_shape"), ("!no-body", "empty"),
        ("!gzip", "bad_shape"), ("!big", "too_long"), ("!garbage", "bad_shape"), ("!headers", "bad_shape"),
        ("!reset", "connect"), ("!close", "connect"), ("!short", "bad_shape"),
    ],
)  # fmt: skip
async def test_every_failure_is_typed_and_sent_once_only(bot, text, kind):
    before = bot.seen[text]
    failure = await failure_of(bot, text)
    assert failure.kind == kind
    assert failure.fault == "bot"
    assert failure.reached_bot
    assert bot.seen[text] == before + 1, "bytes reached the bot: it must not be asked again by itself"


async def test_a_secret_that_the_bot_repeats_is_in_no_failure_and_no_try():
    busy = http(b"s3cret is busy", "Retry-After: 0", status="503 Service Unavailable")
    failure, _ = await ask_raw("huace/1", busy, http(b'{"text": "ok", "end": "s3cret"}'), deadline_s=10)
    assert failure.detail.in_english.startswith("end: ")
    assert (len(failure.tries), failure.tries[0].evidence) == (2, "*** is busy")
    for one in (failure, *failure.tries):
        assert "s3cret" not in one.detail.in_english + one.evidence
        assert "***" in one.detail.in_english + one.evidence


async def test_a_refused_connection_is_tried_again_within_the_deadline(bot):
    failure = await failure_of(bot, "x", url="http://127.0.0.1:9/", deadline_s=1.0)
    assert failure.kind == "blocked_address"  # port 9 was not named
    with pytest.raises(BotFailure) as refused:
        await reply_to(call_of(bot, "x", url="http://127.0.0.1:9/", deadline_s=1.0), ("127.0.0.1", 9))
    assert refused.value.kind == "connect"
    assert not refused.value.reached_bot


OK = http(b'{"text": "ok"}')
NOT_NOW = [("429 Too Many Requests", "http_4xx", 429), ("503 Service Unavailable", "http_5xx", 503)]


@pytest.mark.long
@pytest.mark.parametrize(("status", "kind", "code"), NOT_NOW)
@pytest.mark.parametrize(("headers", "pause_s"), [([], 1.0), (["Retry-After: 0"], 0.0), (["Retry-After: 2"], 2.0)])
async def test_a_bot_that_says_not_now_is_asked_once_more_when_it_says_or_after_a_short_pause(
    status, kind, code, headers, pause_s
):
    started, began_at = time.monotonic(), datetime.now(UTC)
    reply, asked = await ask_raw("huace/1", http(b"busy", *headers, status=status), OK, deadline_s=10)
    took_s = time.monotonic() - started
    assert reply.texts == ("ok",)
    assert len(asked) == 2
    assert took_s >= pause_s
    first, second = reply.tries
    assert (first.number, first.kind, first.status, first.evidence, first.has_left) == (1, kind, code, "busy", True)
    assert (second.number, second.kind, second.status, second.has_left) == (2, None, 200, True)
    assert began_at <= first.ended_at <= second.ended_at <= datetime.now(UTC)
    assert first.latency_ms + second.latency_ms <= reply.latency_ms - pause_s * 1000 + 2
    assert pause_s * 1000 <= reply.latency_ms <= took_s * 1000 + 1


@pytest.mark.parametrize(("status", "kind", "code"), NOT_NOW)
@pytest.mark.parametrize(
    ("headers", "deadline_s"),
    [
        ([], 0.9),
        (["Retry-After: 2"], 1.5),
        (["Retry-After: 11"], 60),
        (["Retry-After: Fri, 31 Dec 1999 23:59:59 GMT"], 60),
        (["Retry-After: soon"], 60),
    ],
)
async def test_a_bot_that_says_not_now_is_not_asked_where_the_pause_does_not_fit(
    status, kind, code, headers, deadline_s
):
    failure, asked = await ask_raw("huace/1", http(b"", *headers, status=status), deadline_s=deadline_s)
    assert (failure.kind, failure.status) == (kind, code)
    assert len(asked) == 1
    assert [(each.number, each.status) for each in failure.tries] == [(1, code)]


@pytest.mark.parametrize(("status", "kind", "code"), NOT_NOW)
async def test_a_bot_that_says_not_now_twice_has_failed(status, kind, code):
    failure, asked = await ask_raw("huace/1", http(b"", "Retry-After: 0", status=status))
    assert (failure.kind, len(asked)) == (kind, 2)
    assert [(each.number, each.kind, each.status) for each in failure.tries] == [(1, kind, code), (2, kind, code)]


@pytest.mark.parametrize(("status", "kind", "code"), NOT_NOW)
@pytest.mark.parametrize("headers", [[], ["Retry-After: 0"]])
async def test_an_answer_not_now_that_breaks_off_is_not_taken_at_its_word(status, kind, code, headers):
    broken = [http(b"busy", *headers, status=status, length=500), CLOSE]
    failure, asked = await ask_raw("huace/1", broken, OK)
    assert (failure.kind, failure.status, failure.evidence) == (kind, code, "busy")
    assert len(asked) == 1


@pytest.mark.parametrize("status", ["500 Internal Server Error", "502 Bad Gateway", "408 Request Timeout"])
async def test_no_other_status_is_asked_again_even_with_a_retry_after(status):
    failure, asked = await ask_raw("huace/1", http(b"", "Retry-After: 0", status=status), OK)
    assert failure.status == int(status[:3])
    assert len(asked) == 1


async def test_a_connection_that_was_refused_is_noted_as_a_try_that_never_left():
    """Nobody listens during the first try; the second, half a second later, is answered."""
    async with raw_bot(OK) as bot:
        port = bot.port
    door = Door(frozenset({("127.0.0.1", port)}))
    asking = asyncio.create_task(
        ask(call_of(None, "x", url=f"http://127.0.0.1:{port}/", deadline_s=10), door, lambda part: None, ADAPTERS)
    )
    await asyncio.sleep(0.2)
    async with raw_bot(OK, port=port) as bot:
        reply = await asking
    await door.close()
    *refused, answered = [(each.kind, each.has_left) for each in reply.tries]
    assert set(refused) == {("connect", False)}
    assert answered == (None, True)
    assert reply.latency_ms >= 500
    assert len(bot.asked) == 1


def test_only_what_never_arrived_is_sent_again():
    unsent = BotFailure(FailureKind.CONNECT, sentence(""), reached_bot=False)
    broken = BotFailure(FailureKind.CONNECT, sentence(""), reached_bot=True)
    assert [pause_before_retry(unsent, n, 0) for n in range(3)] == [0.5, 2.0, None]
    assert pause_before_retry(broken, 0, 0) is None
    busy = BotFailure(FailureKind.HTTP_5XX, sentence(""), retry_after_s=3)
    assert pause_before_retry(busy, 0, 0) == 3
    assert pause_before_retry(busy, 0, 1) is None
    assert pause_before_retry(BotFailure(FailureKind.HTTP_5XX, sentence(""), retry_after_s=11), 0, 0) is None


async def asked_twice(call, line, on_delta):
    """An adapter whose turn is two requests, as those of queues and of parameters are."""
    for _ in range(2):
        async with line.post(call.bot.url, b"{}", {}) as answer:
            await answer.body()
    raise AssertionError("The second request is not answered.")


@pytest.mark.long
@pytest.mark.parametrize("second", [[CLOSE], [5.0]], ids=["hangs up", "stays silent"])
async def test_what_a_bot_answered_earlier_in_a_turn_was_heard_in_it(second):
    async with raw_bot([http(b"{}")], second) as bot, door_to(bot) as door:
        call = call_of(bot, "x", protocol="twice", deadline_s=1.5)
        with pytest.raises(BotFailure) as failed:
            await ask(call, door, lambda part: None, {"twice": Adapter(send=asked_twice)})
    assert failed.value.status is None
    assert failed.value.heard_ago_s is not None
    assert not is_unanswered(failed.value)


@pytest.mark.long
async def test_of_half_an_answer_it_is_known_when_it_was_heard():
    failure, _ = await ask_raw("huace/1", [http(b'{"text": "o', length=50), 5.0], deadline_s=1.5)
    assert (failure.kind, failure.heard_ago_s > 0.2) == ("timeout_total", True)
    failure, _ = await ask_raw("huace/1", [5.0], deadline_s=0.2)
    assert (failure.kind, failure.heard_ago_s) == ("timeout_first_byte", None)


FAREWELL = Farewell(BotAddress("any", "http://a.example/", parallel=1), "d-1")


async def test_it_waits_for_a_place_at_the_bot_and_gives_it_back():
    door, begun, may_end = Door(), [], asyncio.Event()

    async def close(farewell, line):
        begun.append(farewell.dialogue)
        await may_end.wait()

    both = [asyncio.create_task(say_goodbye(FAREWELL, door, close, 5.0)) for _ in range(2)]
    await asyncio.sleep(0.01)
    assert begun == ["d-1"]
    may_end.set()
    await asyncio.gather(*both)
    assert begun == ["d-1", "d-1"]


async def test_one_that_hangs_is_left_and_its_place_is_free_again():
    door = Door()

    async def hang(farewell, line):
        await asyncio.sleep(60)

    async def close(farewell, line):
        pass

    with pytest.raises(TimeoutError):
        await say_goodbye(FAREWELL, door, hang, 0.05)
    await say_goodbye(FAREWELL, door, close, 5.0)


LARGEST = "好" * ((STATE_LIMIT_BYTES - 2) // 3)


@pytest.mark.parametrize(
    "state",
    [{}, [], 0, "", False, {"槽": ["京", None, 1.5, -(2**70)]}, "a\0b", {"b": 1, "a": {"d": 2, "c": 3}}, LARGEST],
)
def test_a_state_comes_back_as_it_was_in_the_same_order(state):
    text = written(state)
    assert json.dumps(read_again(text)) == json.dumps(state)
    assert "\0" not in text, "PostgreSQL stores no NUL"


@pytest.mark.parametrize("state", [LARGEST + "xxx", {"half": "\ud83d"}])
def test_one_that_is_too_large_or_no_text_is_a_bad_shape(state):
    with pytest.raises(BotFailure) as refused:
        written(state)
    assert (refused.value.kind, refused.value.fault) == ("bad_shape", "bot")
    assert refused.value.detail.in_english.startswith("state: ")


async def _ask(state):
    async def send(call, line, on_delta):
        return Reply(("好",), state=state)

    door = Door()
    try:
        call = call_of(None, "x", protocol="stateful", url="http://bot.example/")
        return await ask(call, door, print, {"stateful": Adapter(send)})
    finally:
        await door.close()


async def test_a_reply_whose_state_is_too_large_is_no_reply():
    with pytest.raises(BotFailure) as refused:
        await _ask({"seen": LARGEST})
    (only,) = refused.value.tries
    assert (only.kind, only.has_left, only.evidence[:8]) == ("bad_shape", True, '{"seen":')


async def test_one_that_fits_is_given_back():
    assert (await _ask({"n": 1})).state == {"n": 1}


def test_a_history_counts_its_latest_state_only():
    said = Utterance("bot", "好的")
    first = History().and_then(said, state={"a": 1})
    second = first.and_then(said, state=[0])
    assert (first.n_characters, second.n_characters, second.and_then(said).n_characters) == (2 + 7, 4 + 3, 6)
    assert second.state == [0]
    assert second.and_then(said).state is None
