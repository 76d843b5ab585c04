"""Whose checks somebody may see and ask for: a team those of its own bots, an organizer all."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404

from campaigns.access import has_role, team_of
from campaigns.models import Campaign, Entry, Role
from conformance.models import Check

ROLES = (Role.PARTICIPANT, Role.ORGANIZER)


def entries_for(person: Any, campaign: Campaign) -> QuerySet[Entry]:
    entries = campaign.entries.declared().select_related("campaign", "bot__team")
    if has_role(person, campaign, Role.ORGANIZER):
        return entries
    team = team_of(person, campaign)
    return entries.filter(bot__team=team) if team else entries.none()


def entry_for(person: Any, campaign: Campaign, entry_id: int) -> Entry:
    """Errors: `Http404` for another team's bot: that it exists is not their business."""
    entry = entries_for(person, campaign).filter(pk=entry_id).first()
    if entry is None:
        raise Http404
    return entry


def check_for(person: Any, campaign: Campaign, check_id: Any) -> Check:
    """Errors: `Http404`."""
    checks = Check.objects.select_related("entry__campaign", "entry__bot__team", "asked_by")
    check = checks.filter(pk=check_id, entry__in=entries_for(person, campaign)).first()
    if check is None:
        raise Http404
    return check
