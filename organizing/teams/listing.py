"""The teams of a campaign with members and systems, in a fixed number of queries."""

from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from campaigns.models import Campaign
from participants.models import Team
from registration.agreements import current_agreement
from registration.models import Acceptance
from team_desk.own_bots import OwnBot, own_bots


@dataclass(slots=True)
class TeamRow:
    team: Team
    members: list[str] = field(default_factory=list)
    bots: list[OwnBot] = field(default_factory=list)
    acceptance: Acceptance | None = None


def teams_of(campaign: Campaign, at: datetime) -> list[TeamRow]:
    """Teams by their names: those with members here, and those with systems here."""
    rows: dict[int, TeamRow] = {}
    for place in campaign.team_members.select_related("team", "person").order_by("person__username"):
        rows.setdefault(place.team_id, TeamRow(place.team)).members.append(place.person.username)
    entries = campaign.entries.declared().select_related("bot__team", "campaign", "registered_by").order_by("pk")
    for bot in own_bots(entries, at):
        rows.setdefault(bot.entry.bot.team_id, TeamRow(bot.entry.bot.team)).bots.append(bot)
    for team_id, acceptance in _acceptances(campaign).items():
        if team_id in rows:
            rows[team_id].acceptance = acceptance
    return sorted(rows.values(), key=lambda row: row.team.name)


def team_names(campaign: Campaign) -> list[str]:
    """The names of the same teams."""
    return sorted(set(_teams_in(campaign).values_list("name", flat=True)))


def team_named(campaign: Campaign, name: str) -> Team:
    """A team that takes part in the campaign. Errors: `Http404`."""
    team: Team = get_object_or_404(_teams_in(campaign).distinct(), name=name)
    return team


def _teams_in(campaign: Campaign) -> QuerySet[Team]:
    return Team.objects.filter(members__campaign=campaign) | Team.objects.filter(bots__entries__campaign=campaign)


def _acceptances(campaign: Campaign) -> dict[int, Acceptance]:
    """The acceptances of the agreement in force, by team."""
    agreement = current_agreement(campaign)
    accepted = agreement.acceptances.select_related("person") if agreement else Acceptance.objects.none()
    return {one.team_id: one for one in accepted}
