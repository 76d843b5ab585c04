"""The post to the event loop: one letter that fails holds up no other."""

import asyncio

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
