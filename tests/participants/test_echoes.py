"""An answer that names another dialogue is not for this one; a name of the bot's own says nothing."""

import json

import pytest

from participants.adapters.calls import BotAddress, BotCall
from participants.adapters.echoes import check_name, check_names, name_of
from participants.failures import BotFailure, FailureKind, Fault
from tests.fakes.raw_bots import CLOSE, http
from tests.participants.talking import ask_raw

OURS, OTHER = "0b7c1a52-9e1f-4d0a-8f53-2f6a4f0e9b11", "f2f0c1c4-6a1b-4c53-9d7e-0d4c6a5b8e22"
STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


def call(turn=3):
    return BotCall(BotAddress("huace/1", "http://bot.example/"), OURS, turn, "订票", f"{OURS}:{turn}")


@pytest.mark.parametrize("said", [{}, {"dialogue": None, "turn": None}, {"dialogue": OURS, "turn": 3}, {"turn": 3.0}])
def test_an_answer_that_names_nothing_or_what_was_asked_is_one(said):
    check_names({"text": "好", **said}, call())


@pytest.mark.parametrize(
    ("said", "place"),
    [({"dialogue": OTHER}, "dialogue"), ({"dialogue": "x"}, "dialogue"), ({"dialogue": OURS, "turn": 2}, "turn"),
     ({"turn": "3"}, "turn"), ({"dialogue": 7}, "dialogue")],
)  # fmt: skip
def test_an_answer_that_names_another_dialogue_or_turn_is_none(said, place):
    with pytest.raises(BotFailure) as failed:
        check_names({"text": "好", **said}, call())
    assert (failed.value.kind, failed.value.fault) == (FailureKind.OTHER_DIALOGUE, Fault.BOT)
    assert failed.value.detail.in_english.startswith(f"{place}: names ")


def test_true_is_no_first_turn():
    with pytest.raises(BotFailure):
        check_names({"turn": True}, call(turn=1))


# The bot's own random UUIDs among them: only a name that the platform gave tells of another dialogue of its.
OWN_NAMES = [None, 7, "", "default", "user-17", OURS, OTHER, f"{name_of(OTHER)}-x", f"x-{name_of(OTHER)}"]


@pytest.mark.parametrize("named", [*OWN_NAMES, name_of(OURS), name_of(OURS).upper()])
def test_a_name_of_the_bots_own_says_nothing(named):
    check_name(named, OURS, "recipient_id")


def test_a_name_that_another_dialogue_was_given_is_one_mixed_up():
    said = f"recipient_id: names {name_of(OTHER)}, but what was asked is {name_of(OURS)}"
    with pytest.raises(BotFailure, match=said):
        check_name(name_of(OTHER), OURS, "recipient_id")


def json_of(body):
    return http(json.dumps(body, ensure_ascii=False).encode())


@pytest.mark.parametrize(
    ("protocol", "answers"),
    [
        ("huace/1", [json_of({"text": "成都出发？", "dialogue": OTHER})]),
        ("rasa", [json_of([{"recipient_id": "huace-d-1", "text": "好"}, {"recipient_id": name_of(OTHER), "text": "成都出发？"}])]),
        ("botframework", [json_of({"activities": [
            {"type": "message", "text": "成都出发？", "conversation": {"id": name_of(OTHER)}},
        ]})]),
        ("dialport", [json_of({"sessionID": "own-1", "sys": "hi"}), json_of({"sessionID": "own-2", "sys": "成都出发？"})]),
        ("dialport", [json_of({"sys": "hi"}), json_of({"sessionID": name_of(OTHER), "sys": "成都出发？"})]),
        ("dialport", [json_of({"sessionID": OTHER, "sys": "hi"}), json_of({"sessionID": OURS, "sys": "成都出发？"})]),
    ],
)  # fmt: skip
async def test_the_failure_holds_what_the_bot_wrote(protocol, answers):
    failure, _ = await ask_raw(protocol, *answers)
    assert failure.kind == FailureKind.OTHER_DIALOGUE
    assert "成都出发" in failure.evidence or "\\u6210" in failure.evidence
    assert failure.tries[-1].kind == FailureKind.OTHER_DIALOGUE


@pytest.mark.parametrize(
    ("protocol", "answers"),
    [
        ("huace/1", [json_of({"text": "好", "dialogue": "d-1", "turn": 3})]),
        ("rasa", [json_of([{"recipient_id": "default", "text": "好"}])]),
        ("rasa", [json_of([{"recipient_id": OTHER, "text": "好"}])]),
        ("botframework", [json_of({"activities": [
            {"type": "message", "text": "好", "conversation": {"id": OTHER}},
        ]})]),
        ("botframework", [json_of({"activities": [
            {"type": "message", "text": "好", "conversation": {"id": "mine"}},
        ]})]),
        ("botframework", [json_of({"activities": [{"type": "message", "text": "好", "conversation": None}]})]),
        ("dialport", [json_of({"sys": "hi"}), json_of({"sessionID": "own-1", "sys": "好"})]),
        ("dialport", [json_of({"sys": "hi"}), json_of({"sessionID": OTHER, "sys": "好"})]),
        ("dialport", [json_of({"sessionID": OTHER, "sys": "hi"}), json_of({"sessionID": OTHER, "sys": "好"})]),
    ],
)  # fmt: skip
async def test_a_bot_that_names_what_was_asked_or_its_own_is_heard(protocol, answers):
    reply, _ = await ask_raw(protocol, *answers)
    assert reply.texts == ("好",)


async def test_of_a_stream_about_another_dialogue_nothing_is_shown():
    heard = []
    said = json.dumps({"delta": "成都", "dialogue": OTHER}, ensure_ascii=False).encode()
    failure, _ = await ask_raw("huace/1", [STREAM, b"data: %b\n\n" % said, CLOSE], heard=heard)
    assert (failure.kind, heard) == (FailureKind.OTHER_DIALOGUE, [])


async def test_a_session_that_is_begun_under_the_name_of_another_dialogue_is_not_gone_on_with():
    failure, asked = await ask_raw("dialport", json_of({"sessionID": name_of(OTHER), "sys": "hi"}))
    assert (failure.kind, len(asked)) == (FailureKind.OTHER_DIALOGUE, 1)
