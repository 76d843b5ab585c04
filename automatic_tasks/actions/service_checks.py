"""Queues, leases and stores the checks of services and their fingerprints."""

from collections.abc import Sequence
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import F, OuterRef, Subquery

from accounts.models import Person
from audit.actions import record
from automatic_tasks.actions.registering import held_service
from automatic_tasks.acts import SERVICE_CHANGE_ACCEPTED, SERVICE_CHANGED, SERVICE_CHECK_ASKED, SERVICE_CHECKED
from automatic_tasks.models import Service, ServiceCheck, ServiceFingerprint
from campaigns.actions.ended import refuse_if_ended
from campaigns.models import Campaign
from conformance.actions.comparing import (
    ASKS_BY_ITSELF,
    begin_print,
    goes_on_until,
    is_print_due,
    store_answers,
    take_as_reference,
)
from conformance.actions.leases import CannotCheck, claim, end, refuse_unless_checkable
from conformance.models import CheckQuerySet, CheckState
from conformance.print_times import limit_of_service_s, over_after
from conformance.results import Result, is_green, verdict_of
from reading.findings import Finding


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


def claim_service_fingerprint(at: datetime) -> ServiceFingerprint | None:
    """The next fingerprint that is due, begun in this name; None where none is. Whose latest is oldest comes first.

    Only campaigns that freeze, admit, or say when testing begins ask services anything by themselves, as long as runs are accepted.
    """
    campaigns = Campaign.objects.filter(ASKS_BY_ITSELF & goes_on_until("publication_at", at))
    asked = Service.objects.taking_part().filter(task__campaign__in=campaigns)
    latest = ServiceFingerprint.objects.filter(service=OuterRef("pk")).values("taken_at")[:1]
    longest_first = asked.annotate(latest_at=Subquery(latest)).order_by(F("latest_at").asc(nulls_first=True), "pk")
    for service in longest_first.with_names():
        if is_due(service, at) and (begun := _begin(service, at)) is not None:
            return begun
    return None


def is_due(service: Service, at: datetime) -> bool:
    """At admission, every 24 hours, when testing begins, and when an organizer calls all services; after a failure again soon."""
    longest = over_after(limit_of_service_s(service.task.deadline_s, service.task.batch_size))
    return is_print_due(service, (service.campaign.testing_from, service.admitted_at, service.called_at), at, longest)


@transaction.atomic
def _begin(service: Service, at: datetime) -> ServiceFingerprint | None:
    """None where another process was quicker."""
    held = held_service(service)
    if not is_due(held, at):
        return None
    begun: ServiceFingerprint = begin_print(held, at)
    return begun


@transaction.atomic
def finish_service_fingerprint(
    *,
    begun: ServiceFingerprint,
    answers: Sequence[Sequence[str]],
    version: str = "",
    failure: Finding | None = None,
    at: datetime,
) -> ServiceFingerprint:
    """Stores the labels; the first ones since the admission are those that all later ones are compared with."""
    service = begun.service
    if store_answers(begun, answers, version, failure):
        details = {"team": service.team.name, "sentences": len(begun.differs)}
        record(SERVICE_CHANGED, by=None, at=at, campaign=service.campaign.slug, about=service.task.key, details=details)
    return begun


@transaction.atomic
def accept_service_change(*, service: Service, by: Person | None, at: datetime) -> None:
    """The organizer takes the service as it is now: later fingerprints are compared with this one.

    Errors: `NotThatStage`, `NotNow`.
    """
    service = held_service(service)
    refuse_if_ended(service.campaign, at)
    take_as_reference(service)
    details = {"team": service.team.name}
    named = {"campaign": service.campaign.slug, "about": service.task.key}
    record(SERVICE_CHANGE_ACCEPTED, by=by, at=at, details=details, **named)
