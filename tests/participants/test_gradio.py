"""Gradio's queue, against an independent fake of what three versions of it write; tests/real_bots asks the real ones."""

import json

import pytest

from participants.adapters import ADAPTERS, History, Utterance
from participants.adapters.contract import Heard
from participants.adapters.gradio import ADAPTER, ASKED, Copies, _Outputs, edited, said_before, said_in
from participants.adapters.gradio_functions import function_of
from participants.failures import BotFailure
from tests.fakes.gradio_bot import gradio_bot
from tests.participants.talking import call_of, reply_to
from tests.participants.test_gradio_functions import config


async def talk(bot, text, *, dialogue="d-1", heard=None, **named):
    call = call_of(bot, text, protocol="gradio", **named)
    object.__setattr__(call, "dialogue", dialogue)
    return await reply_to(call, ("127.0.0.1", bot.port), heard=heard)


@pytest.mark.parametrize("version", [4, 5, 6])
async def test_edits_of_the_queue_are_heard_as_parts(version):
    heard = []
    async with gradio_bot(version) as bot:
        reply = await talk(bot, "你好！", heard=heard)
    assert (reply.texts, heard) == (("1:你好！",), ["1", ":你", "好！"])
    assert bot.joined[0]["fn_index"] == 18
    assert bot.joined[0]["data"] == ["你好！", None, 0.7]


async def test_a_dialogue_is_a_session_and_the_function_is_looked_up_once():
    async with gradio_bot(6) as bot:
        first = await talk(bot, "a")
        await talk(bot, "b", dialogue="e-2")
        again = await talk(bot, "c", history=History(state=json.loads(json.dumps(first.state))))
    assert again.texts == ("2:c",)
    assert [one["session_hash"] for one in bot.joined] == ["d1", "e2", "d1"]
    assert [path.rpartition("/")[2] for path in bot.paths] == [
        "config", "join", "data", "config", "join", "data", "join", "data",
    ]  # fmt: skip


async def test_a_text_that_is_rewritten_is_stored_as_it_became():
    heard = []
    async with gradio_bot(5) as bot:
        reply = await talk(bot, "!edits", heard=heard)
    assert (reply.texts, "".join(heard)) == (("1:!edits",), "1wrong")


@pytest.mark.parametrize(("text", "detail"), [("!error", "no GPU"), ("!full", "queue_full"), ("!broken", "broke off")])
async def test_what_the_queue_says_in_place_of_a_reply_is_a_failure(text, detail):
    async with gradio_bot(5) as bot:
        with pytest.raises(BotFailure, match=detail) as failed:
            await talk(bot, text)
    assert failed.value.kind == "bad_shape"


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        ("no GPU", "no GPU"),
        ({"message": "no GPU", "code": 3}, "no GPU"),
        ({"code": 5}, '{"code": 5}'),
        ("x" * 600, "x" * 500),
    ],
)
def test_an_error_of_the_app_is_told_as_those_of_other_protocols_are(error, shown):
    message = {"msg": "process_completed", "event_id": "e", "output": {"error": error}, "success": False}
    with pytest.raises(BotFailure) as failed:
        _Outputs("e", 0).hear(message)
    assert failed.value.detail.in_english == f"body: is an error of the system's: {shown}"


async def test_a_turn_that_was_joined_is_not_joined_again():
    async with gradio_bot(5) as bot:
        bot.n_busy = 1
        with pytest.raises(BotFailure, match="503"):
            await talk(bot, "a")
    assert len(bot.joined) == 1


async def test_messages_of_other_events_are_passed_over():
    async with gradio_bot(5) as bot:
        reply = await talk(bot, "!others")
    assert reply.texts == ("1:!others",)


@pytest.mark.parametrize(
    "message", [{}, {"msg": []}, {"msg": {}, "event_id": []}, {"msg": "process_completed", "event_id": 1}]
)
def test_a_message_of_no_kind_or_another_event_is_passed_over(message):
    outputs = _Outputs("e", 0)
    assert (outputs.hear(message), outputs.is_complete) == ("", False)


@pytest.mark.parametrize(
    ("message", "detail"),
    [
        ([], "body: must be an object"),
        ({"msg": "process_completed"}, "output: must be an object"),
        ({"msg": "process_completed", "output": {"data": 1}}, "output.data: must be a list"),
        ({"msg": "process_completed", "output": {"data": []}}, "output.data: has no text at its place"),
    ],
)
def test_a_message_of_another_shape_is_a_failure_of_the_bot(message, detail):
    with pytest.raises(BotFailure, match=detail) as failed:
        _Outputs("e", 0).hear(message)
    assert failed.value.kind == "bad_shape"


def test_an_app_of_blocks_is_given_the_history_it_shows():
    function = function_of(config({"id": 1, "api_name": "respond", "inputs": [8, 1], "outputs": [8, 1]}), "")
    assert (function.typed, function.said, function.said_as, function.spoken) == (0, 1, "messages", 1)
    said = (Utterance("bot", "您好"), Utterance("user", "一"), Utterance("bot", "二"), Utterance("user", "三"))
    assert said_before(said, "pairs") == [[None, "您好"], ["一", "二"], ["三", None]]
    assert said_before(said[:2], "messages") == [
        {"role": "assistant", "content": "您好"},
        {"role": "user", "content": "一"},
    ]
    # Gradio 6 refuses a content that is a text.
    assert said_before(said[:1], "parts") == [{"role": "assistant", "content": [{"type": "text", "text": "您好"}]}]


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("好", "好"),
        (None, ""),
        ([["问", "好"]], "好"),
        ([{"role": "user", "content": "问"}, {"role": "assistant", "content": "好"}], "好"),
        ([{"role": "assistant", "content": [{"type": "text", "text": "好"}, {"type": "text", "text": "的"}]}], "好的"),
        ([{"role": "assistant", "content": "前"}, {"role": "user", "content": "问"}], ""),
        ({"text": "好", "files": []}, "好"),
        ([], ""),
    ],
)
def test_the_answer_is_found_in_whatever_shows_it(output, text):
    assert said_in(output, "output", Copies()) == text


def test_parts_that_are_looked_at_again_and_again_come_to_an_end():
    parts, copies = [{"type": "text", "text": ""}] * 1000, Copies(2 * 256_000)
    assert [said_in(parts, "output", copies) for _ in range(2)] == ["", ""]
    with pytest.raises(BotFailure, match="rewritten too often"):
        said_in(parts, "output", copies)


def test_a_configuration_of_gradio_is_the_clue_also_where_it_was_cut_off():
    body = json.dumps(
        {"version": "5.50.0", "api_prefix": "/gradio_api", "dependencies": []}, separators=(",", ":")
    ).encode()
    assert ADAPTER.clue_in({ASKED: Heard(200, {}, body)}).in_english == "GET config is answered as Gradio 5.50.0 does."
    assert "5.50.0" in ADAPTER.clue_in({ASKED: Heard(200, {}, body[:60])}).in_english
    assert ADAPTER.version_in({ASKED: Heard(200, {}, body)}) == "Gradio 5.50.0"
    assert ADAPTER.clue_in({ASKED: Heard(404, {}, body)}) is None
    assert ADAPTER.clue_in({ASKED: Heard(200, {}, b'{"version":"1"}')}) is None
    assert ADAPTER.clue_in({}) is None
    assert ADAPTERS["gradio"].questions == (ASKED,)


@pytest.mark.parametrize(
    ("value", "edits", "became"),
    [
        ("a", [["append", [], "b"], ["append", [], "c"]], "abc"),
        ("a", [["replace", [], "b"]], "b"),
        ([["q", "a"]], [["append", [0, 1], "b"]], [["q", "ab"]]),
        ([["q", "a"]], [["add", [1], ["r", "s"]]], [["q", "a"], ["r", "s"]]),
        ([{"content": "a"}], [["replace", [0, "content"], "b"], ["add", [0, "n"], 1]], [{"content": "b", "n": 1}]),
        ([1, 2], [["delete", [0], None]], [2]),
        ("a", [], "a"),
        (None, [["replace", [], "b"]], "b"),
    ],
)
def test_edits_are_made_in_their_order(value, edits, became):
    assert edited(value, edits, "x", Copies()) == became


@pytest.mark.parametrize(
    "edits",
    [
        "append",
        [["append", [5], "b"]],
        [["append", ["x"], "b"]],
        [["append", [], 3]],
        [["explode", [], "b"]],
        [["append"]],
        [7],
        [["append", 7, "b"]],
        [["append", [0] * 100, "b"]],
        [["add", [10**30], "b"]],
        [[["append"], [], "b"]],
    ],
)
def test_what_is_no_edit_of_the_value_is_a_bad_shape(edits):
    with pytest.raises(BotFailure) as failed:
        edited(["a"], edits, "x", Copies())
    assert failed.value.kind == "bad_shape"


@pytest.mark.parametrize(
    ("value", "edit"),
    [
        ("a" * 1000, ["append", [], ""]),
        ([["a" * 1000]], ["append", [0, 0], ""]),
        ([""] * 1000, ["add", [0], ""]),
        ([""] * 1000, ["delete", [0], None]),
    ],
)
def test_short_edits_of_a_long_value_come_to_an_end(value, edit):
    """Each copies a thousand characters or places."""
    edited(value, [edit] * 4, "x", Copies(5000))
    with pytest.raises(BotFailure, match="rewritten too often") as failed:
        edited(value, [edit] * 6, "x", Copies(4000))
    assert failed.value.kind == "too_long"


def test_a_list_that_is_added_to_is_not_copied():
    value = [""] * 1000
    assert edited(value, [["append", [], ["a"]], ["append", [], ["b"]]], "x", Copies(0)) is value
    assert value[-2:] == ["a", "b"]
