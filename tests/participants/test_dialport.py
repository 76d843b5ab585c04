"""DialPort's agents: sessions that begin, go on and end."""

from datetime import UTC, datetime

import pytest

from participants.adapters import ADAPTERS, BotAddress, Context, Farewell, History
from participants.adapters.contract import Heard
from participants.adapters.dialport import QUESTIONS, beginning_of, clue_in, reply_of, time_stamp, turn_of, url_of
from participants.failures import BotFailure
from participants.outbound import Door
from reading.strict_json import loads
from tests.fakes.dialport_bot import dialport_bot
from tests.fakes.raw_bots import http
from tests.participants.talking import ask_raw, call_of, talk

AT = datetime(2026, 11, 22, 1, 2, 3, 45_678, tzinfo=UTC)


async def say(bot, text, state=None, **named):
    return await talk(bot, text, protocol="dialport", history=History(state=state), **named)


async def say_goodbye(bot, state):
    door = Door(frozenset({("127.0.0.1", bot.port)}))
    try:
        farewell = Farewell(BotAddress("dialport", bot.url), "d-1", state)
        await ADAPTERS["dialport"].close(farewell, door.line(2.0))
    finally:
        await door.close()


@pytest.mark.parametrize("names_sessions", [False, True])
async def test_the_first_turn_begins_the_session_and_the_end_ends_it(names_sessions):
    with dialport_bot(names_sessions=names_sessions) as bot:
        first = await say(bot, "去上海", turn=1)
        second = await say(bot, "明天", first.state, turn=2)
        await say_goodbye(bot, second.state)
    session = "own-1" if names_sessions else "huace-d-1"
    assert (first.texts, second.texts) == (("1: 去上海",), ("2: 明天",))
    assert second.state == {"session": session, "is_over": False, "version": "0.1"}
    assert [path for path, _ in bot.asked] == ["/init", "/next", "/next", "/end"]
    assert [body["sessionID"] for _, body in bot.asked] == ["huace-d-1", session, session, session]
    assert bot.turns == {}


async def test_a_bot_that_opens_the_dialogue_says_its_greeting():
    with dialport_bot() as bot:
        opening = await say(bot, "", turn=0)
        first = await say(bot, "你好", opening.state, turn=1)
    assert (opening.texts, first.texts) == (("Welcome",), ("1: 你好",))
    assert [path for path, _ in bot.asked] == ["/init", "/next"]


async def test_an_agent_ends_the_dialogue_and_is_not_told_so_again():
    with dialport_bot() as bot:
        last = await say(bot, "bye", turn=1)
        await say_goodbye(bot, last.state)
        assert (last.texts, last.end) == (("Goodbye",), True)
        assert [path for path, _ in bot.asked] == ["/init", "/next"]
        # Where bots end no dialogue, the tester goes on.
        assert (await say(bot, "你好", last.state, turn=2)).texts == ("1: 你好",)


async def test_a_greeting_that_ends_the_session_is_the_reply():
    with dialport_bot(greets_and_ends=True) as bot:
        reply = await say(bot, "你好", turn=1)
    assert (reply.texts, reply.end, len(bot.asked)) == (("Welcome",), True, 1)


async def test_a_session_that_was_not_begun_needs_no_end():
    with dialport_bot() as bot:
        await say_goodbye(bot, None)
        assert bot.asked == []


def test_times_are_those_of_the_api():
    assert time_stamp(AT) == "2026-11-21T21-02-03.045"


def test_what_is_sent():
    call = call_of(None, "你好", protocol="dialport", url="http://a.example/", context=Context({"kb": 1}))
    about = {"userID": "d-1", "timeStamp": "2026-11-21T21-02-03.045", "language": "zh", "context": {"kb": 1}}
    assert loads(beginning_of(call, AT)) == {"sessionID": "huace-d-1", **about}
    assert loads(turn_of(call, "s", AT)) == {"sessionID": "s", "text": "你好", "asrConf": 1.0, **about}


@pytest.mark.parametrize(
    "given", ["http://a.example", "http://a.example/", "http://a.example/next", "http://a.example/init/"]
)
def test_the_url_may_be_that_of_an_endpoint(given):
    assert url_of(given, "/end") == "http://a.example/end"


def test_the_picture_beside_an_answer_is_named():
    assert reply_of({"sys": "好", "imageurl": "https://a.example/x.png"}, "d-1").images == ("https://a.example/x.png",)
    for none in ("", None, []):
        assert reply_of({"sys": "好", "imageurl": none}, "d-1").images == ()


@pytest.mark.parametrize("body", [[], {}, {"sys": None}, {"sys": "好", "terminal": "no"}])
def test_what_is_no_answer_is_a_bad_shape(body):
    with pytest.raises(BotFailure) as failed:
        reply_of(body, "d-1")
    assert failed.value.kind == "bad_shape"


def test_endpoints_that_take_posts_speak_for_it():
    takes, takes_not = Heard(405, {"allow": "OPTIONS, post"}, b""), Heard(200, {"allow": "GET, HEAD"}, b"")
    assert clue_in(dict.fromkeys(QUESTIONS, takes)).in_english.startswith("It takes POST at /init")
    assert clue_in({QUESTIONS[0]: takes, QUESTIONS[1]: takes_not}) is clue_in({QUESTIONS[0]: takes}) is None


async def test_an_agent_that_puts_a_turn_off_is_not_asked_to_begin_again():
    begun, put_off = http(b'{"sys": "hi", "sessionID": "own-1"}'), http(b"", "Retry-After: 0", status="503 Busy")
    reply, asked = await ask_raw("dialport", begun, put_off, http(b'{"sys": "a"}'), turn=1)
    assert reply.texts == ("a",)
    assert [(body["sessionID"], body.get("text")) for body in asked] == [
        ("huace-d-1", None), ("own-1", "订票"), ("own-1", "订票"),
    ]  # fmt: skip
