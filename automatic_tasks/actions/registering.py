"""Registers the services of teams and changes their addresses: by the team itself, or by an organizer."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Person
from audit.actions import record
from audit.acts import Act
from automatic_tasks.actions.refusals import refuse_unless_time
from automatic_tasks.acts import SERVICE_ADDRESS_CHANGED, SERVICE_REGISTERED
from automatic_tasks.models import AutomaticTask, Service
from campaigns.actions.ended import refuse_if_ended
from campaigns.actions.registering import IsFrozen, IsWithdrawn, checked_url, refuse_another_server, server_of
from campaigns.actions.stages import store
from campaigns.calendar import Doing
from campaigns.origins import Origin
from campaigns.stages import drafted, frozen_since, is_sent_back
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


def _record(act: Act, service: Service, by: Person | None, at: datetime) -> None:
    details = {"team": service.team.name, "server": server_of(service.url)}
    record(act, by=by, at=at, campaign=service.campaign.slug, about=service.task.key, details=details)
