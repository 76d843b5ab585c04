"""Freezes the combined boards that were ordered, beside the sockets."""

from django.utils import timezone

from automatic_tasks.actions.combined_freezing import carry_out_combined_orders
from serving.database_threads import look_again_and_again

LOOK_EVERY_S = 1.0


async def keep_combined_boards() -> None:
    """Looks for as long as the server process runs."""
    await look_again_and_again(look, every_s=LOOK_EVERY_S, name="combined-boards")


def look() -> None:
    carry_out_combined_orders(at=timezone.now())
