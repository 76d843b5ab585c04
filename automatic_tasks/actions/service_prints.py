"""Takes fingerprints of services when they are due, and says on the trail that a service changed."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F, OuterRef, Subquery

from accounts.models import Person
from audit.actions import record
from automatic_tasks.actions.registering import held_service
from automatic_tasks.acts import SERVICE_CHANGE_ACCEPTED, SERVICE_CHANGED
from automatic_tasks.models import Service, ServiceFingerprint
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
from conformance.print_times import limit_of_service_s, over_after
from reading.findings import Finding


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
