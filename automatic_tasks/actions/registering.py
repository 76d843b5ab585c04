"""Registers the services of teams, changes their addresses, and moves them from stage to stage."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Person
from audit.actions import record
from audit.trail_acts import TrailAct
from automatic_tasks.actions.refusals import refuse_unless_time
from automatic_tasks.models import AutomaticTask, Service
from automatic_tasks.trail_acts import (
    SERVICE_ADDRESS_CHANGED,
    SERVICE_ADMITTED,
    SERVICE_FROZEN,
    SERVICE_REGISTERED,
    SERVICE_SENT_BACK,
    SERVICE_SUBMITTED,
    SERVICE_TAKEN_BACK,
    SERVICE_WITHDRAWN,
)
from campaigns.actions.ended import refuse_if_ended
from campaigns.actions.registering import IsFrozen, IsWithdrawn, checked_url, refuse_another_server, server_of
from campaigns.actions.stages import store
from campaigns.calendar import Doing
from campaigns.origins import Origin
from campaigns.reasons import reason_of
from campaigns.stages import (
    Columns,
    NotThatStage,
    admitted,
    drafted,
    frozen,
    frozen_since,
    is_sent_back,
    sent_back,
    submitted,
)
from participants.bot_form import read_secret
from participants.bot_urls import check_service_url
from participants.models import Team


@transaction.atomic
def register_service(
    *,
    task: AutomaticTask,
    team: Team,
    url: str,
    secret: str | None = None,
    by: Person | None = None,
    at: datetime | None = None,
) -> Service:
    """The team names its service, or gives it another address or secret; without `secret` the stored one stays.

    Where organizers admit, a new service and one with another address are drafts. What says nothing new changes nothing.
    Errors: `BadForm` naming the field; `IsFrozen`, `IsWithdrawn`; `NotAccepted` when it is not the time for it.
    """
    at = at or timezone.now()
    # Held until the commit: two members of a team cannot register its service at the same time.
    task = AutomaticTask.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=task.pk)
    known = Service.objects.filter(task=task, team=team).first()
    if known is None:
        refuse_unless_time(task, Doing.ENTER_BOT, at)
        return _registered(task, team, url, secret, by, at)
    service = held_service(known)
    is_moved = names_another_address(service, url)
    if not is_moved and secret is None:
        return service
    is_any_time = not is_moved or is_sent_back(service)
    refuse_unless_time(task, Doing.ORGANIZE if is_any_time else Doing.ENTER_BOT, at)
    _change(service, url, secret, by, at)
    if is_moved and service.campaign.organizers_admit:
        store(service, drafted(service.draft_since or at))
    return service


@transaction.atomic
def change_service(*, service: Service, url: str, secret: str | None, by: Person | None, at: datetime) -> Service:
    """An organizer changes the address or the secret. Errors: as of `register_service`; `NotNow` once the campaign ended."""
    service = held_service(service)
    refuse_if_ended(service.campaign, at)
    if names_another_address(service, url) or secret is not None:
        _change(service, url, secret, by, at)
    return service


def names_another_address(service: Service, url: str) -> bool:
    return url.strip() != service.url


def held_service(service: Service) -> Service:
    """The service as it is now, held until the commit: neither a check nor another act comes in between."""
    held = Service.objects.select_for_update(of=("self",), no_key=True)
    return held.with_names().get(pk=service.pk)


def _registered(
    task: AutomaticTask, team: Team, url: str, secret: str | None, by: Person | None, at: datetime
) -> Service:
    moments = {"draft_since": at} if task.campaign.organizers_admit else {"admitted_at": at, "admitted_by": by}
    service = Service.objects.create(
        task=task,
        team=team,
        url=checked_url(url, check_service_url),
        secret=read_secret(secret or ""),
        registered_by=by,
        registered_at=at,
        **moments,
    )
    _record(SERVICE_REGISTERED, service, by, at)
    return service


def _change(service: Service, url: str, secret: str | None, by: Person | None, at: datetime) -> None:
    if service.withdrawn_at is not None:
        raise IsWithdrawn
    is_moved = names_another_address(service, url)
    # From now on a file that says otherwise is a problem, instead of taking the change back.
    said: dict[str, Any] = {"origin": Origin.PAGE}
    if is_moved:
        said["url"] = checked_url(url, check_service_url)
    if is_moved and frozen_since(service, service.campaign, at) is not None:
        raise IsFrozen
    if secret is not None:
        said["secret"] = read_secret(secret)
    elif is_moved and service.has_secret:
        refuse_another_server(service.url, said["url"])
    # What a report said held for the address before.
    store(service, said | ({"green_at": None} if is_moved else {}))
    _record(SERVICE_ADDRESS_CHANGED, service, by, at)


def _record(act: TrailAct, service: Service, by: Person | None, at: datetime) -> None:
    details = {"team": service.team.name, "server": server_of(service.url)}
    record(act, by=by, at=at, campaign=service.campaign.slug, about=service.task.key, details=details)


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


def _done(act: TrailAct, service: Service, columns: Columns, by: Person | None, at: datetime, **said: Any) -> Service:
    store(service, columns)
    named = {"campaign": service.campaign.slug, "about": service.task.key, **said}
    record(act, by=by, at=at, details={"team": service.team.name}, **named)
    return service
