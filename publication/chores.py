"""Freezes what was ordered and notes publications whose day has come, beside the sockets."""

from django.utils import timezone

from publication.actions.freezing import carry_out_orders
from publication.actions.publishing import follow_publications
from serving.database_threads import look_again_and_again

LOOK_EVERY_S = 1.0


async def keep_publications() -> None:
    """Looks for as long as the server process runs."""
    # A thread of its own: a bundle may take a minute, and boards are computed meanwhile.
    await look_again_and_again(look, every_s=LOOK_EVERY_S, name="publications")


def look() -> int:
    return follow_publications(at=timezone.now()) + carry_out_orders(at=timezone.now())
