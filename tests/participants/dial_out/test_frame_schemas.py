"""What a bot's socket sends, and what it takes, fits the schema of its frames."""

import json

import pytest
from jsonschema import Draft202012Validator

from participants.adapters.calls import BotAddress, BotCall, Farewell, History, Utterance
from participants.adapters.native import farewell_of, request_of
from participants.dial_out.frame_schemas import OF_THE_BOT, bot_frames
from participants.dial_out.frames import (
    PONG_FRAME,
    BadFrame,
    bot_frame,
    close_frame,
    error_frame,
    handed_again,
    ready_frame,
    turn_frame,
)

BOT = BotAddress("dial-out", "dial-out:1")
CALL = BotCall(BOT, "d-1", 1, "订票", "d-1:1", History([Utterance("bot", "您好")]))
TURN = turn_frame("t1", request_of(CALL, 5.0))
SENT = [
    ready_frame("一号"),
    TURN,
    handed_again(TURN, 2.0),
    close_frame(farewell_of(Farewell(BOT, "d-1", None, "zh"))),
    error_frame("bad_frame", "No."),
    error_frame("unknown_turn", "No.", "t1"),
    PONG_FRAME,
]


def validator(name):
    return Draft202012Validator({"$defs": bot_frames(), "$ref": f"#/$defs/{name}"})


@pytest.mark.parametrize("text", SENT, ids=lambda text: json.loads(text)["type"])
def test_what_is_sent_fits_its_schema(text):
    frame = json.loads(text)
    schema = validator(f"platform.{frame['type']}")
    schema.validate(frame)
    assert not schema.is_valid({**frame, "type": "other"})


@pytest.mark.parametrize("kind", OF_THE_BOT)
def test_what_a_bot_may_send_is_what_is_heard(kind):
    frame = {"type": kind, "id": "t1", "text": "好", "message": "no"}
    validator(f"bot.{kind}").validate(frame)
    bot_frame(frame)
    nameless = {"type": kind, "text": "好"}
    if validator(f"bot.{kind}").is_valid(nameless):
        bot_frame(nameless)
    else:
        with pytest.raises(BadFrame):
            bot_frame(nameless)
