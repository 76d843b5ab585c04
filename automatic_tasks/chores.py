"""The background work of automatic tasks and combined boards that server processes share."""

from dataclasses import replace

from django.utils import timezone

from automatic_tasks.actions.combined_freezing import carry_out_combined_orders
from automatic_tasks.actions.service_checks import (
    checks_of_services,
    claim_service_check,
    claim_service_fingerprint,
    end_service_check,
    finish_service_fingerprint,
)
from automatic_tasks.models import Service
from conformance.checking import Subject
from conformance.examining import USUAL, Limits
from conformance.keeping import Work, run_keeper
from conformance.label_services import CALLS_IN_A_ROW
from conformance.print_times import limit_of_service_s
from serving.database_threads import look_again_and_again


async def keep_service_checks() -> None:
    """Runs checks of services for as long as the server process runs."""
    await run_keeper(SERVICES, lambda keeper: keeper.run_checks())


async def keep_service_fingerprints() -> None:
    """Takes fingerprints of services for as long as the server process runs, one at a time."""
    await run_keeper(SERVICES, lambda keeper: keeper.take_fingerprints())


def subject_of(service: Service) -> Subject:
    """As its runs ask it. Errors: `SecretLost`."""
    return Subject(service.protocol, service.url, service.secret, batch=service.task.batch_size)


def limits_of(service: Service) -> Limits:
    """Slow is what a run would not wait for; the time is enough for all calls at the deadline."""
    deadline_s = service.task.deadline_s
    total_s = max(USUAL.total_s, (CALLS_IN_A_ROW + 1) * deadline_s)
    print_s = limit_of_service_s(deadline_s, service.task.batch_size)
    return replace(USUAL, deadline_s=deadline_s, slow_ms=round(deadline_s * 1000), total_s=total_s, print_s=print_s)


SERVICES = Work(
    checks=checks_of_services,
    claim_check=claim_service_check,
    end_check=end_service_check,
    claim_fingerprint=claim_service_fingerprint,
    finish_fingerprint=finish_service_fingerprint,
    subject_of=subject_of,
    limits_of=limits_of,
)


LOOK_EVERY_S = 1.0


async def keep_combined_boards() -> None:
    """Looks for as long as the server process runs."""
    await look_again_and_again(look, every_s=LOOK_EVERY_S, name="combined-boards")


def look() -> None:
    carry_out_combined_orders(at=timezone.now())
