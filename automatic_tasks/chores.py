"""The background work of automatic tasks and combined boards that server processes share."""

from django.utils import timezone

from automatic_tasks.checked_services import SERVICES
from automatic_tasks.combined.freezing import carry_out_combined_orders
from conformance.keeper import run_keeper
from serving.database_threads import look_again_and_again


async def keep_service_checks() -> None:
    """Runs checks of services for as long as the server process runs."""
    await run_keeper(SERVICES, lambda keeper: keeper.run_checks())


async def keep_service_fingerprints() -> None:
    """Takes fingerprints of services for as long as the server process runs, one at a time."""
    await run_keeper(SERVICES, lambda keeper: keeper.take_fingerprints())


LOOK_EVERY_S = 1.0


async def keep_combined_boards() -> None:
    """Looks for as long as the server process runs."""
    await look_again_and_again(look, every_s=LOOK_EVERY_S, name="combined-boards")


def look() -> int:
    return carry_out_combined_orders(at=timezone.now())
