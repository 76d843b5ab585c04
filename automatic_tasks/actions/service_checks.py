"""Asks for checks of services, and makes a service green by what they find."""

from collections.abc import Sequence
from datetime import datetime

from django.db import IntegrityError, transaction

from accounts.models import Person
from audit.actions import record
from automatic_tasks.actions.registering import held_service
from automatic_tasks.acts import SERVICE_CHECK_ASKED, SERVICE_CHECKED
from automatic_tasks.models import Service, ServiceCheck
from campaigns.actions.ended import refuse_if_ended
from conformance.actions.leases import CannotCheck, claim, end, refuse_unless_checkable
from conformance.models import CheckQuerySet, CheckState
from conformance.results import Result, is_green, verdict_of


@transaction.atomic
def ask_service_check(*, service: Service, by: Person | None, at: datetime) -> ServiceCheck:
    """The check waits for a worker. Errors: `CannotCheck`, `NotNow` once the campaign ended."""
    refuse_if_ended(service.campaign, at)
    refuse_unless_checkable(service, at)
    try:
        with transaction.atomic():
            check = ServiceCheck.objects.create(
                service=service, asked_by=by, asked_at=at, protocol=service.protocol, url=service.url
            )
    except IntegrityError as taken:
        # Two people at the same time: the constraint lets one of them through.
        raise CannotCheck("checking") from taken
    details = {"team": service.team.name}
    record(SERVICE_CHECK_ASKED, by=by, at=at, campaign=service.campaign.slug, about=service.task.key, details=details)
    return check


def checks_of_services() -> CheckQuerySet:
    """With what a worker needs of the service."""
    checks: CheckQuerySet = ServiceCheck.objects.select_related("service__task__campaign", "service__team")
    return checks


def claim_service_check(*, worker: str, at: datetime) -> ServiceCheck | None:
    """The check of a service whose turn it is, now this worker's."""
    claimed: ServiceCheck | None = claim(checks_of_services(), team="service__team", worker=worker, at=at)
    return claimed


@transaction.atomic
def end_service_check(*, check: ServiceCheck, worker: str, results: Sequence[Result], at: datetime) -> bool:
    """Stores the report; the service is green from now on or no longer, unless it has another address by now.

    A report that the platform could not finish, and in which nothing failed, changes nothing about the service.
    """
    ended = end(check=check, worker=worker, results=results, at=at)
    if ended != CheckState.DONE:
        return ended is not None
    verdict = verdict_of(results)
    # Held until the commit: a change that comes in between would leave the service green for what it was.
    service = held_service(check.service)
    if service.url == check.url:
        service.green_at = at if is_green(verdict) else None
        service.save(update_fields=["green_at"])
    named = {"campaign": service.campaign.slug, "about": service.task.key}
    record(SERVICE_CHECKED, by=None, at=at, details={"team": service.team.name, "verdict": str(verdict)}, **named)
    return True
