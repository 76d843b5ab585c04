"""The post to the event loop: one letter that fails holds up no other."""

import asyncio

from asgiref.sync import sync_to_async

from serving.database_threads import RequestThreads
from serving.loop_post import LoopPost


async def test_work_that_fails_does_not_hold_up_what_was_posted_after_it(caplog):
    post, done = LoopPost(asyncio.get_running_loop()), []

    def fail():
        raise ZeroDivisionError

    for work in (fail, lambda: done.append(1), fail, lambda: done.append(2)):
        post.post(work)
    await asyncio.sleep(0.05)
    assert done == [1, 2]
    assert sum(record.exc_info is not None for record in caplog.records) == 2


async def test_a_task_that_a_request_begins_reads_on_after_the_request_has_ended():
    loop, has_ended, begun = asyncio.get_running_loop(), asyncio.Event(), asyncio.Queue()

    async def read_later():
        await has_ended.wait()
        return await sync_to_async(lambda: "read")()

    async with RequestThreads().lent():
        post = LoopPost(loop)
        await sync_to_async(post.post)(lambda: begun.put_nowait(loop.create_task(read_later())))
        task = await begun.get()
    has_ended.set()
    assert await task == "read"
