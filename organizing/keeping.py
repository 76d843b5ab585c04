"""Keeps the stored meta-evaluations up to date beside the sockets, so that no page computes one."""

from django.utils import timezone

from organizing.actions import refresh_outdated_meta_evaluations
from serving.database_threads import look_again_and_again

LOOK_EVERY_S = 1.0


async def keep_meta_evaluations() -> None:
    """Computes the correlations whose figures changed, for as long as the server process runs."""
    await look_again_and_again(_refresh, every_s=LOOK_EVERY_S, name="meta-evaluation")


def _refresh() -> int:
    return refresh_outdated_meta_evaluations(at=timezone.now())
