"""The frames of bots that connect to the platform."""

import json

import pytest

from participants.dial_out.frames import BadFrame, bot_frame, close_frame, error_frame, handed_again, turn_frame


def test_a_turn_is_the_native_request_with_a_head():
    assert json.loads(turn_frame("t1", b'{"dialogue":"d","text":"\xe4\xbd\xa0"}')) == {
        "type": "turn",
        "id": "t1",
        "again": False,
        "dialogue": "d",
        "text": "你",
    }


def test_the_end_of_a_dialogue_is_the_native_farewell_with_a_head():
    said = b'{"dialogue":"d","close":true}'
    assert json.loads(close_frame(said)) == {"type": "close", "dialogue": "d", "close": True}


def test_a_turn_that_is_handed_again_has_the_same_id_a_mark_and_the_time_that_is_left():
    again = json.loads(handed_again(turn_frame("t1", b'{"text":"x","deadline_ms":5000}'), 2.5))
    assert again == {"type": "turn", "id": "t1", "again": True, "text": "x", "deadline_ms": 2500}


def test_a_reply_names_its_turn():
    frame = bot_frame({"type": "reply", "id": "t1", "text": "好"})
    assert (frame.kind, frame.turn_id, frame.is_last) == ("reply", "t1", True)
    assert not bot_frame({"type": "delta", "id": "t1", "text": "好"}).is_last


def test_pings_are_about_no_turn():
    assert (bot_frame({"type": "ping"}), bot_frame({"type": "pong"})) == ("ping", "pong")


@pytest.mark.parametrize(
    "said",
    [
        [],
        "reply",
        None,
        {},
        {"type": 1},
        {"type": ["reply"]},
        {"type": "turn", "id": "t1"},
        {"type": "reply"},
        {"type": "reply", "id": 7},
        {"type": "reply", "id": ""},
        {"type": "reply", "id": "x" * 65},
        {"type": "reply", "id": "a\x00b"},
    ],
)
def test_what_no_bot_should_send_is_about_no_turn(said):
    with pytest.raises(BadFrame) as bad:
        bot_frame(said)
    assert bad.value.code == "bad_frame"


def test_an_error_of_ours_names_the_turn_if_there_is_one():
    assert json.loads(error_frame("unknown_turn", "x", "t1")) == {
        "type": "error",
        "code": "unknown_turn",
        "message": "x",
        "id": "t1",
    }
    assert "id" not in json.loads(error_frame("bad_json", "x"))
