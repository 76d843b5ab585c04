"""What is known of a dialogue's calls is kept for a while, read anew beside the turns, and never used when it is old."""

import asyncio
from uuid import UUID

import pytest

from serving.background import Background
from testing_console.live import briefings
from testing_console.live.briefings import KEPT_S, OLD_SERVES_S, Briefings

DIALOGUE, OTHER = UUID(int=1), UUID(int=2)


@pytest.fixture
async def kept(monkeypatch):
    """Briefings on a clock of their own; `n_reads` counts, and each reading gives its number."""

    async def look_up(query, dialogue_id):
        made.n_reads += 1
        return f"read {made.n_reads}"

    monkeypatch.setattr(briefings, "look_up", look_up)
    made = Briefings(Background(asyncio.get_running_loop()))
    made.n_reads, made.seconds = 0, 0.0
    made._now = lambda: made.seconds
    made.keep(DIALOGUE, "from the opening")
    return made


async def test_a_new_one_is_taken_as_it_is(kept):
    kept.seconds = KEPT_S
    assert await kept.of(DIALOGUE) == "from the opening"
    await asyncio.sleep(0)
    assert kept.n_reads == 0


async def test_one_that_gets_old_serves_once_more_while_it_is_read_anew(kept):
    kept.seconds = KEPT_S + 1
    assert kept.known(DIALOGUE) == kept.known(DIALOGUE) == "from the opening"
    await asyncio.sleep(0.01)
    assert kept.known(DIALOGUE) == "read 1"
    assert kept.n_reads == 1


async def test_one_that_is_old_is_read_before_it_serves(kept):
    kept.seconds = KEPT_S + OLD_SERVES_S + 1
    assert kept.known(DIALOGUE) is None
    assert await kept.of(DIALOGUE) == "read 1"


async def test_what_is_old_and_about_no_open_dialogue_is_dropped(kept):
    kept.keep(OTHER, "other")
    kept.seconds = KEPT_S
    kept.drop(but=[OTHER])
    assert kept.known(DIALOGUE) is None
    assert kept.known(OTHER) == "other"
