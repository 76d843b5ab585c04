"""Large texts are worked on beside the event loop, small ones at once."""

import asyncio
import threading

import pytest

from participants.large_texts import LARGE, apart


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
