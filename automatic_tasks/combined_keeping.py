"""Freezes the combined boards that were ordered, beside the sockets."""

from django.db import close_old_connections
from django.utils import timezone

from automatic_tasks.actions.combined_freezing import carry_out_combined_orders
from leaderboards.publication.keeping import keep_looking


async def keep_combined_boards() -> None:
    """Looks for as long as the server process runs."""
    await keep_looking(look, thread_name="combined-boards")


def look() -> None:
    close_old_connections()
    try:
        carry_out_combined_orders(at=timezone.now())
    finally:
        close_old_connections()
