"""Keeps the stored leaderboards and their statistics up to date beside the sockets, so that no page computes one."""

import threading

from django.utils import timezone

from leaderboards.actions import (
    compute_asked_previews,
    refresh_outdated_leaderboards,
    refresh_outdated_pictures,
    refresh_outdated_slices,
    refresh_outdated_statistics,
)
from serving.database_threads import look_again_and_again

LOOK_EVERY_S = 0.5
LOOK_FOR_STATISTICS_EVERY_S = 5.0


class Ended(Exception):
    """The process is ending; computations under way are dropped."""


async def keep_leaderboards() -> None:
    """Computes leaderboards that lag behind their scores, for as long as the server process runs."""
    await look_again_and_again(_refresh, every_s=LOOK_EVERY_S, name="leaderboards")


async def keep_statistics() -> None:
    """Computes the statistics of those leaderboards, in a thread of their own: no board waits for them."""
    has_ended = threading.Event()
    try:
        await look_again_and_again(
            lambda: _refresh_statistics(has_ended), every_s=LOOK_FOR_STATISTICS_EVERY_S, name="statistics"
        )
    finally:
        has_ended.set()


def _refresh() -> int:
    return refresh_outdated_leaderboards(at=timezone.now()) + compute_asked_previews(at=timezone.now())


def _refresh_statistics(has_ended: threading.Event) -> int:
    def stop_at_the_end(share: float) -> None:
        if has_ended.is_set():
            raise Ended

    try:
        n_computed = refresh_outdated_statistics(at=timezone.now(), report_progress=stop_at_the_end)
        n_computed += refresh_outdated_slices(at=timezone.now())
        return n_computed + refresh_outdated_pictures(at=timezone.now())
    except Ended:
        return 0
