"""Keeps the boards of pairs up to date beside the sockets, so that no page computes one."""

from django.utils import timezone

from pairs.actions.boards import refresh_outdated_pair_boards
from serving.database_threads import look_again_and_again

LOOK_EVERY_S = 5.0


async def keep_pair_boards() -> None:
    """Computes boards of pairs that lag behind their votes, for as long as the server process runs."""
    await look_again_and_again(_refresh, every_s=LOOK_EVERY_S, name="pair-boards")


def _refresh() -> int:
    return refresh_outdated_pair_boards(at=timezone.now())
