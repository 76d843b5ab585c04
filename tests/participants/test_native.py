"""The native protocol, huace/1, against a bot on a real socket."""

from participants.adapters import Context, History, Utterance
from tests.participants.talking import talk


async def test_the_native_protocol_carries_what_design_says(bot):
    history = History((Utterance("user", "你好"), Utterance("bot", "您好")))
    reply = await talk(bot, "订票", history=history, context=Context({"kb": [1]}), language="en")
    assert reply.texts == ("收到：订票",)
    request, headers = bot.requests[-1], bot.headers[-1]
    assert request == {
        "protocol": "huace/1", "dialogue": "d-1", "turn": 3, "text": "订票",
        "history": [{"role": "user", "text": "你好"}, {"role": "bot", "text": "您好"}],
        "context": {"kb": [1]}, "language": "en", "deadline_ms": request["deadline_ms"],
    }  # fmt: skip
    assert 0 < request["deadline_ms"] <= 2000
    assert headers["idempotency-key"] == "d-1:3"
    assert headers["authorization"] == "Bearer s3cret"
    assert headers["accept-encoding"] == "identity"
    assert "cookie" not in headers


async def test_several_texts_are_one_turn(bot):
    assert (await talk(bot, "!two")).texts == ("一", "二")


async def test_a_blank_text_is_a_reply(bot):
    assert (await talk(bot, "!blank")).texts == ("  ",)


async def test_no_message_at_all_in_a_proper_answer_is_an_empty_reply(bot):
    assert (await talk(bot, "!no-texts")).texts == ("",)


async def test_a_bot_that_opens_the_dialogue_gets_turn_0_with_an_empty_text(bot):
    await talk(bot, "", turn=0)
    assert (bot.requests[-1]["turn"], bot.requests[-1]["text"], bot.requests[-1]["history"]) == (0, "", [])
