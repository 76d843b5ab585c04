"""Large texts are worked on beside the event loop, small ones at once."""

import asyncio
import threading

import pytest

from serving import large_texts
from serving.large_texts import LARGE, apart, loads_apart


def thread_of_work(*parts: str, end: str = "") -> tuple[str, int]:
    return "".join(parts) + end, threading.get_ident()


async def test_a_small_text_is_worked_on_at_once():
    result, thread = await apart(LARGE, thread_of_work, "a", "b", end="c")
    assert (result, thread) == ("abc", threading.get_ident())


async def test_a_large_text_is_worked_on_in_another_thread_with_the_same_result():
    result, thread = await apart(LARGE + 1, thread_of_work, "a", "b", end="c")
    assert result == "abc"
    assert thread != threading.get_ident()


async def test_the_event_loop_goes_on_beside_a_large_text():
    may_end = threading.Event()
    work = asyncio.create_task(apart(LARGE + 1, may_end.wait, 10))
    await asyncio.sleep(0)
    assert not work.done()
    may_end.set()
    assert await work is True


@pytest.mark.parametrize("size", [1, LARGE + 1])
async def test_an_error_of_the_work_reaches_the_caller(size):
    with pytest.raises(ValueError, match="invalid literal"):
        await apart(size, int, "x")


async def test_a_large_text_is_read_in_a_thread_and_a_small_one_at_once(monkeypatch):
    threads = []
    usual = large_texts.loads
    monkeypatch.setattr(large_texts, "loads", lambda text: (threads.append(threading.current_thread()), usual(text))[1])
    assert await loads_apart(b'{"a": 1}') == {"a": 1}
    assert await loads_apart(b'"' + b"x" * 70_000 + b'"') == "x" * 70_000
    assert threads[0] is threading.main_thread()
    assert threads[1] is not threading.main_thread()
