"""The API of services and their checks; no answer holds a secret."""

from dataclasses import dataclass, replace
from typing import Annotated, TypedDict
from uuid import UUID

from django.http import Http404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import Access, person_of
from api.answers import From, encoded
from api.describing import describes
from api.paging import PAGES, Page, page_of
from api.parsers import fields_of
from automatic_tasks.access import service_of_own_team, task_of
from automatic_tasks.actions import change_service, register_service, submit_service
from automatic_tasks.checked_services import SERVICES
from automatic_tasks.models import Service, ServiceCheck
from automatic_tasks.services.form import ServiceForm, read_service
from automatic_tasks.services.rows import rows_of as service_rows_of
from automatic_tasks.services.stages import SERVICE_ACTS, move_on
from campaigns.access import RolesView, require_role, team_of
from campaigns.models import Role
from campaigns.stages import Way, way_of
from conformance.access import ROLES, check_for, system_for, systems_for
from conformance.actions import ask_check, change_of
from conformance.documents import (
    AnySummaryDocument,
    FingerprintDocument,
    ProbeDocument,
    rows_of,
)
from reading.json_schemas import Moment
from reading.kinds import ANY_TEXT, Choice
from reading.tables import Field, Table


class NoServiceDocument(TypedDict):
    """The team has named none."""

    url: None


class ServiceDocument(TypedDict):
    id: Annotated[int, From("service.pk")]
    task: Annotated[str, From("service.task.key")]
    team: Annotated[str, From("service.team.name")]
    team_en: Annotated[str, From("service.team.name_en")]
    url: Annotated[str, From("service.url")]
    has_secret: Annotated[bool, From("service.has_secret")]
    registered_at: Annotated[Moment | None, From("service.registered_at")]
    stage: Annotated[str, From("way.key")]
    since: Annotated[Moment | None, From("way.since")]
    because: Annotated[str, From("way.because")]
    next: Annotated[str, From("way.next")]
    who: Annotated[str, From("way.who")]
    submitted_at: Annotated[Moment | None, From("service.submitted_at")]
    green_at: Annotated[Moment | None, From("service.green_at")]
    is_changed: bool


@dataclass(frozen=True, slots=True)
class ServiceShown:
    service: Service
    is_changed: bool

    @property
    def way(self) -> Way:
        return way_of(self.service, self.service.campaign, timezone.now())


class ServiceSummaryDocument(AnySummaryDocument):
    service: Annotated[int, From("service_id")]


class ServiceCheckDocument(ServiceSummaryDocument):
    probes: Annotated[list[ProbeDocument], From(rows_of)]


def shown(service: Service) -> ServiceShown:
    return ServiceShown(service, change_of(service) is not None)


ACT = Table({"act": Field(Choice(SERVICE_ACTS)), "because": Field(ANY_TEXT, "")}, keeps_others=True)


class TaskService(RolesView):
    """GET gives the team's service; PUT registers it or changes it: `url`, and `secret` unless the stored one stays."""

    access = Access("roles", (Role.PARTICIPANT,))

    @describes("Gives the team's service for a task", ServiceDocument | NoServiceDocument)
    def get(self, request: Request, key: str) -> Response:
        task, team = task_of(self.campaign, key), team_of(person_of(request), self.campaign)
        stored = Service.objects.filter(task=task, team=team).with_names().first()
        return Response(encoded(ServiceDocument, shown(stored)) if stored else {"url": None})

    @describes(
        "Registers the team's service for a task, or changes it; without `secret` the stored one stays",
        ServiceDocument,
        reads=ServiceForm,
        refuses=(409, 422),
    )
    def put(self, request: Request, key: str) -> ServiceShown:
        task, team = task_of(self.campaign, key), team_of(person_of(request), self.campaign)
        if team is None or not task.task_type.is_service:
            raise Http404
        form, by = read_service(fields_of(request)), person_of(request)
        stored = register_service(task=task, team=team, url=form.url, secret=form.secret, by=by, at=timezone.now())
        return shown(stored)


class ServicesView(RolesView):
    access = Access("roles", ROLES)

    def service(self, request: Request, service_id: int) -> Service:
        return system_for(SERVICES, person_of(request), self.campaign, service_id)

    def as_organizer(self, request: Request, service_id: int) -> Service:
        require_role(request.user, self.campaign, Role.ORGANIZER)
        return self.service(request, service_id)


class Services(ServicesView):
    @describes("Lists the services of the own team, for organizers all", list[ServiceDocument], asks=PAGES)
    def get(self, request: Request) -> Page:
        services = systems_for(SERVICES, person_of(request), self.campaign)
        # What is on a page is looked up for that page alone.
        page = page_of(request, services.order_by("task__position", "team__name", "pk"))
        rows = service_rows_of(page.rows, self.campaign, timezone.now())
        return replace(page, rows=[ServiceShown(row.service, row.is_changed) for row in rows])


class OneService(ServicesView):
    """PUT and POST are for organizers: the address, and what `act` names, with `because`."""

    @describes("Gives a service with its stage", ServiceDocument)
    def get(self, request: Request, service_id: int) -> ServiceShown:
        return shown(self.service(request, service_id))

    @describes("Changes the address or the secret of a service", ServiceDocument, reads=ServiceForm, refuses=(409, 422))
    def put(self, request: Request, service_id: int) -> ServiceShown:
        service, form = self.as_organizer(request, service_id), read_service(fields_of(request))
        by, at = person_of(request), timezone.now()
        return shown(change_service(service=service, url=form.url, secret=form.secret, by=by, at=at))

    @describes(
        "Admits, sends back, freezes, withdraws or takes back a service, or accepts that it changed",
        ServiceDocument,
        reads=ACT,
        refuses=(409, 422),
    )
    def post(self, request: Request, service_id: int) -> ServiceShown:
        service, said = self.as_organizer(request, service_id), fields_of(request)
        act, because = str(said.get("act", "")), str(said.get("because", ""))
        move_on(service, act, because, by=person_of(request), at=timezone.now())
        return shown(self.service(request, service_id))


class SubmitService(ServicesView):
    """POST asks an organizer to admit the draft."""

    access = Access("roles", (Role.PARTICIPANT,))

    @describes("Asks an organizer to admit the draft of the own team", ServiceDocument, refuses=(409,))
    def post(self, request: Request, service_id: int) -> ServiceShown:
        own = service_of_own_team(person_of(request), self.campaign, service_id)
        return shown(submit_service(service=own, by=person_of(request), at=timezone.now()))


class ChecksOfService(ServicesView):
    """GET lists the checks of a service, the latest first; POST asks for one."""

    @describes("Lists the checks of a service, the latest first", list[ServiceSummaryDocument], asks=PAGES)
    def get(self, request: Request, service_id: int) -> Page:
        return page_of(request, self.service(request, service_id).checks.latest_first())

    @describes("Asks for a check of a service", ServiceSummaryDocument, 201, refuses=(409,))
    def post(self, request: Request, service_id: int) -> ServiceCheck:
        service, by = self.service(request, service_id), person_of(request)
        check: ServiceCheck = ask_check(SERVICES, system=service, by=by, at=timezone.now())
        return check


class OneServiceCheck(ServicesView):
    """What was found so far, and at the end the verdict."""

    @describes("Gives a check of a service with what was found so far", ServiceCheckDocument)
    def get(self, request: Request, service_check_id: UUID) -> ServiceCheck:
        check: ServiceCheck = check_for(SERVICES, person_of(request), self.campaign, service_check_id)
        return check


class FingerprintsOfService(ServicesView):
    """When fingerprints were taken, and which showed a changed service; the labels are not shown."""

    @describes("Lists the fingerprints of a service, the latest first", list[FingerprintDocument], asks=PAGES)
    def get(self, request: Request, service_id: int) -> Page:
        return page_of(request, self.service(request, service_id).fingerprints.all())
