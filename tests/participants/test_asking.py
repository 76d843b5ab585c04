"""One turn: what is sent again, what is not, and how each failure is typed."""

import time

import pytest

from participants.adapters.asking import pause_before_retry
from participants.failures import BotFailure, FailureKind
from tests.participants.talking import call_of, failure_of, reply_to, talk


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("!500", "http_5xx"), ("!404", "http_4xx"), ("!201", "bad_shape"), ("!redirect", "bad_shape"),
        ("!html", "bad_json"), ("!nan", "bad_json"), ("!twice", "bad_json"), ("!deep", "bad_json"),
        ("!latin", "bad_json"), ("!surrogate", "bad_shape"), ("!number", "bad_shape"), ("!null", "bad_shape"),
        ("!list", "bad_shape"), ("!without", "bad_shape"), ("!no-body", "empty"), ("!no-texts", "empty"),
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


async def test_a_refused_connection_is_tried_again_within_the_deadline(bot):
    started = time.monotonic()
    failure = await failure_of(bot, "x", url="http://127.0.0.1:9/", deadline_s=1.0)
    assert failure.kind == "blocked_address"  # port 9 was not named
    with pytest.raises(BotFailure) as refused:
        await reply_to(call_of(bot, "x", url="http://127.0.0.1:9/", deadline_s=1.0), ("127.0.0.1", 9))
    assert refused.value.kind == "connect"
    assert not refused.value.reached_bot
    assert 0.4 < time.monotonic() - started < 1.5


async def test_a_bot_that_asks_to_wait_a_little_is_asked_once_more(bot):
    assert (await talk(bot, "!later bitte", deadline_s=4)).texts == ("收到：!later bitte",)
    assert bot.seen["!later bitte"] == 2


def test_only_what_never_arrived_is_sent_again():
    unsent = BotFailure(FailureKind.CONNECT, "", reached_bot=False)
    broken = BotFailure(FailureKind.CONNECT, "", reached_bot=True)
    assert [pause_before_retry(unsent, n, 0) for n in range(3)] == [0.5, 2.0, None]
    assert pause_before_retry(broken, 0, 0) is None
    busy = BotFailure(FailureKind.HTTP_5XX, "", retry_after_s=3)
    assert pause_before_retry(busy, 0, 0) == 3
    assert pause_before_retry(busy, 0, 1) is None
    assert pause_before_retry(BotFailure(FailureKind.HTTP_5XX, "", retry_after_s=11), 0, 0) is None
