"""What the API shows of services and their checks; never a secret."""

from typing import TypedDict

from django.utils import timezone

from automatic_tasks.models import Service, ServiceCheck
from campaigns.stages import way_of
from conformance.actions import change_of
from conformance.documents import AnySummaryDocument, ProbeDocument, any_summary, probe_document, rows_of
from reading.json_schemas import Moment


class NoServiceDocument(TypedDict):
    """The team has named none."""

    url: None


class ServiceDocument(TypedDict):
    id: int
    task: str
    team: str
    team_en: str
    url: str
    has_secret: bool
    registered_at: Moment | None
    stage: str
    since: Moment | None
    because: str
    next: str
    who: str
    submitted_at: Moment | None
    green_at: Moment | None
    is_changed: bool


class ServiceSummaryDocument(AnySummaryDocument):
    service: int


class ServiceCheckDocument(ServiceSummaryDocument):
    probes: list[ProbeDocument]


def service_document(service: Service) -> ServiceDocument:
    return row_document(service, is_changed=change_of(service) is not None)


def row_document(service: Service, *, is_changed: bool) -> ServiceDocument:
    """Of one among many, whose fingerprints were read together."""
    way = way_of(service, service.campaign, timezone.now())
    return {
        "id": service.pk,
        "task": service.task.key,
        "team": service.team.name,
        "team_en": service.team.name_en,
        "url": service.url,
        "has_secret": service.has_secret,
        "registered_at": service.registered_at.isoformat() if service.registered_at else None,
        "stage": way.key,
        "since": way.since.isoformat() if way.since else None,
        "because": way.because,
        "next": way.next,
        "who": way.who,
        "submitted_at": service.submitted_at.isoformat() if service.submitted_at else None,
        "green_at": service.green_at.isoformat() if service.green_at else None,
        "is_changed": is_changed,
    }


def service_summary(check: ServiceCheck) -> ServiceSummaryDocument:
    return {**any_summary(check), "service": check.service_id}


def service_check_document(check: ServiceCheck) -> ServiceCheckDocument:
    return {**service_summary(check), "probes": [probe_document(row) for row in rows_of(check)]}
