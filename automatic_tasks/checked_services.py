"""Services as a kind of systems that the lab checks."""

from dataclasses import replace
from datetime import datetime

from django.db.models import QuerySet

from automatic_tasks.models import Service, ServiceCheck, ServiceFingerprint
from automatic_tasks.trail_acts import SERVICE_CHANGE_ACCEPTED, SERVICE_CHANGED, SERVICE_CHECK_ASKED, SERVICE_CHECKED
from campaigns.models import Campaign
from conformance.canary_calls import limit_of_service_s
from conformance.examiner import USUAL, Limits
from conformance.label_services import CALLS_IN_A_ROW
from conformance.subjects import Subject
from conformance.system_kinds import ASKS_BY_ITSELF, SystemKind, TrailActs, goes_on_until


def _asked_unbidden(at: datetime) -> QuerySet[Service]:
    """As long as runs are accepted."""
    campaigns = Campaign.objects.filter(ASKS_BY_ITSELF & goes_on_until("publication_at", at))
    return Service.objects.taking_part().filter(task__campaign__in=campaigns)


def _subject_of(service: Service) -> Subject:
    """As its runs ask it. Errors: `SecretLost`."""
    return Subject(service.protocol, service.url, service.secret, batch=service.task.batch_size)


def _limits_of(service: Service) -> Limits:
    """Slow is what a run would not wait for; the time is enough for all calls at the deadline."""
    deadline_s = service.task.deadline_s
    total_s = max(USUAL.total_s, (CALLS_IN_A_ROW + 1) * deadline_s)
    print_s = limit_of_service_s(deadline_s, service.task.batch_size)
    return replace(USUAL, deadline_s=deadline_s, slow_ms=round(deadline_s * 1000), total_s=total_s, print_s=print_s)


SERVICES = SystemKind(
    checks=ServiceCheck,
    fingerprints=ServiceFingerprint,
    column="service",
    team="team",
    related=("task__campaign", "team"),
    acts=TrailActs(SERVICE_CHECK_ASKED, SERVICE_CHECKED, SERVICE_CHANGED, SERVICE_CHANGE_ACCEPTED),
    described=lambda service: (service.task.key, {"team": service.team.name}),
    counted="sentences",
    systems_of=lambda campaign: Service.objects.filter(task__campaign=campaign),
    asked_unbidden=_asked_unbidden,
    # An organizer may have all services called between.
    moments=lambda service: (service.campaign.testing_from, service.admitted_at, service.called_at),
    subject_of=_subject_of,
    limits_of=_limits_of,
)
