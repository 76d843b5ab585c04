"""Whose systems, checks and fingerprints somebody may see: a team those of its own, an organizer all."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404

from campaigns.access import has_role, team_of
from campaigns.models import Campaign, Role
from conformance.system_kinds import SystemKind

ROLES = (Role.PARTICIPANT, Role.ORGANIZER)


def systems_for(kind: SystemKind, person: Any, campaign: Campaign) -> QuerySet[Any]:
    systems = kind.systems_of(campaign).select_related(*kind.related)
    if has_role(person, campaign, Role.ORGANIZER):
        return systems
    team = team_of(person, campaign)
    return systems.filter(**{kind.team: team}) if team else systems.none()


def system_for(kind: SystemKind, person: Any, campaign: Campaign, system_id: int) -> Any:
    """Errors: `Http404` for another team's system: that it exists is not their business."""
    system = systems_for(kind, person, campaign).filter(pk=system_id).first()
    if system is None:
        raise Http404
    return system


def check_for(kind: SystemKind, person: Any, campaign: Campaign, check_id: Any) -> Any:
    """Errors: `Http404`."""
    theirs = {f"{kind.column}__in": systems_for(kind, person, campaign)}
    check = kind.checks_with_systems().select_related("asked_by").filter(pk=check_id, **theirs).first()
    if check is None:
        raise Http404
    return check
