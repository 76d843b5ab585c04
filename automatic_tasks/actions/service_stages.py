"""Moves a service from stage to stage: its team submits it, an organizer admits, sends back, freezes, withdraws or takes it back."""

from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import Person
from audit.actions import record
from audit.acts import Act
from automatic_tasks.actions.registering import held_service
from automatic_tasks.acts import (
    SERVICE_ADMITTED,
    SERVICE_FROZEN,
    SERVICE_SENT_BACK,
    SERVICE_SUBMITTED,
    SERVICE_TAKEN_BACK,
    SERVICE_WITHDRAWN,
)
from automatic_tasks.models import Service
from campaigns.actions.ended import refuse_if_ended
from campaigns.actions.stages import store
from campaigns.reasons import reason_of
from campaigns.stages import Columns, NotThatStage, admitted, frozen, sent_back, submitted


@transaction.atomic
def submit_service(*, service: Service, by: Person | None, at: datetime) -> Service:
    """The team asks an organizer to admit its draft. Errors: `NotThatStage`, `NotNow`."""
    service = _held(service, at)
    return _done(SERVICE_SUBMITTED, service, submitted(service, at), by, at)


@transaction.atomic
def admit_service(*, service: Service, by: Person | None, at: datetime) -> Service:
    """Runs call it from now on. Errors: `NotThatStage`, also where a report is demanded and not there; `NotNow`."""
    service = _held(service, at)
    columns = admitted(service, service.campaign.green_report_hours, by, at)
    return _done(SERVICE_ADMITTED, service, columns, by, at)


@transaction.atomic
def send_back_service(*, service: Service, because: str, by: Person | None, at: datetime) -> Service:
    """It is a draft again, which its team may change. A run that has begun goes on, one in the queue fails. Errors: `NotThatStage`, `NotNow`."""
    service = _held(service, at)
    columns = sent_back(service, because, at)
    return _done(SERVICE_SENT_BACK, service, columns, by, at, because=columns["returned_because"])


@transaction.atomic
def freeze_service(*, service: Service, by: Person | None, at: datetime) -> Service:
    """The address stays as it is from now on. Errors: `NotThatStage`, `NotNow`."""
    service = _held(service, at)
    return _done(SERVICE_FROZEN, service, frozen(service, service.campaign, at), by, at)


@transaction.atomic
def withdraw_service(*, service: Service, because: str, by: Person | None, at: datetime) -> Service:
    """No run calls it any more, not even one under way; what its runs scored stays. Errors: `NotThatStage`, also without a reason; `NotNow`."""
    service = _held(service, at)
    because = reason_of(because)
    if service.withdrawn_at is not None:
        raise NotThatStage("withdrawn")
    columns = {"withdrawn_at": at, "withdrawn_because": because}
    return _done(SERVICE_WITHDRAWN, service, columns, by, at, because=because)


@transaction.atomic
def take_back_service(*, service: Service, by: Person | None, at: datetime) -> Service:
    """It takes part again, as far as it had come. Errors: `NotThatStage`, `NotNow`."""
    service = _held(service, at)
    if service.withdrawn_at is None:
        raise NotThatStage("not_withdrawn")
    return _done(SERVICE_TAKEN_BACK, service, {"withdrawn_at": None, "withdrawn_because": ""}, by, at)


def _held(service: Service, at: datetime) -> Service:
    service = held_service(service)
    refuse_if_ended(service.campaign, at)
    return service


def _done(act: Act, service: Service, columns: Columns, by: Person | None, at: datetime, **said: Any) -> Service:
    store(service, columns)
    named = {"campaign": service.campaign.slug, "about": service.task.key, **said}
    record(act, by=by, at=at, details={"team": service.team.name}, **named)
    return service
