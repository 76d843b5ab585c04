"""Streams are read in time linear in their length, however they are cut."""

import asyncio

import pytest

from participants.adapters.streams import EVENTS_AT_A_TIME, GrowingText, json_lines, sent_events
from participants.failures import BotFailure
from tests.linear_time import assert_linear


class Chunks:
    def __init__(self, chunks):
        self._chunks = chunks

    async def chunks(self, limit_bytes):
        for chunk in self._chunks:
            yield chunk


def fed(chunks):
    async def read():
        return [payload async for _, payload in sent_events(Chunks(chunks))]

    return asyncio.run(read())


def test_events_are_the_same_however_the_stream_is_cut():
    stream = 'data: {"a": "您好"}\r\n\r\n: comment\ndata:\nevent: x\ndata:two\n\ndata: [DONE]\n'.encode()
    for size in (1, 2, 3, 7, len(stream)):
        chunks = [stream[i : i + size] for i in range(0, len(stream), size)]
        assert fed(chunks) == ['{"a": "您好"}'.encode(), b"two", b"[DONE]"]


def test_an_event_is_not_kept_beyond_its_limit():
    with pytest.raises(BotFailure) as failed:
        fed([b"data: ", *[b"x" * 1024] * 257])
    assert failed.value.kind == "too_long"


@pytest.mark.parametrize(
    "unit",
    [
        b"x",
        b"\r",
        b"data: ",
        b"\n",
        b"data: x\n",
    ],
)
def test_long_streams_in_small_chunks_are_cut_in_linear_time(unit, monkeypatch):
    monkeypatch.setattr("participants.adapters.streams.EVENT_LIMIT_BYTES", 4_000_000)

    def chunks(size):
        text = unit * (size // len(unit))
        return [text[i : i + 64] for i in range(0, len(text), 64)]

    assert_linear(fed, chunks)


@pytest.mark.parametrize("parts", [["x"], ["\ud83d", "\ude00"], ["字😀"]])
def test_texts_of_many_small_parts_are_joined_in_linear_time(parts, monkeypatch):
    monkeypatch.setattr("participants.adapters.streams.TEXT_LIMIT_BYTES", 9_000_000)

    def hear(said):
        text = GrowingText()
        for part in said:
            text.hear(part, "the text")
        return text.whole("the text")

    assert_linear(hear, lambda size: parts * (size // 40 // len(parts)))


class NeverWaiting:
    """An answer whose bot writes faster than anybody reads: no read of it ever waits."""

    async def chunks(self, limit_bytes):
        for _ in range(10):
            yield b"data: x\n" * 2000


@pytest.mark.parametrize("read", [sent_events, json_lines])
async def test_other_turns_come_in_between_every_few_events_however_fast_a_bot_writes(read):
    n_others = 0

    async def other_turns():
        nonlocal n_others
        while True:
            n_others += 1
            await asyncio.sleep(0)

    others = asyncio.create_task(other_turns())
    n_events = len([event async for event in read(NeverWaiting())])
    others.cancel()
    assert n_events in {20_000, 20_001}
    assert n_others >= n_events // EVENTS_AT_A_TIME
