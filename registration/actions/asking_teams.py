"""Asks a team that another campaign owns whether it takes part here, too; its members answer, unknown to each other."""

from datetime import datetime

from django.db import transaction

from accounts.models import Person
from audit.actions import record
from campaigns.calendar import Doing, check_open
from campaigns.models import Campaign, TeamMember
from participants.limits import NAME_LIMIT
from participants.models import Team
from reading.storable import is_storable
from registration.models import TeamRequest
from registration.refusals import NotPossible
from registration.trail_acts import TEAM_ACCEPTED, TEAM_ASKED, TEAM_DECLINED, TEAM_REQUEST_WITHDRAWN

# Enough for a campaign, too few to try names.
WAITING_AT_MOST = 50


@transaction.atomic
def ask_team(*, campaign: Campaign, name: str, by: Person | None, at: datetime) -> TeamRequest:
    """Asks the teams of that name elsewhere. The answer is the same whether or not there is one.

    Errors: `NotPossible` with code `no_name`, `known_here`, `asked_already` or `too_many`; `NotNow` once the campaign ended.
    """
    campaign = _held(campaign, at)
    name = name.strip()
    if not name or len(name) > NAME_LIMIT or not is_storable(name):
        raise NotPossible("no_name", n=NAME_LIMIT)
    if campaign.known_teams.filter(name=name).exists():
        raise NotPossible("known_here", team=name)
    waiting = campaign.team_requests.waiting()
    if waiting.filter(name=name).exists():
        raise NotPossible("asked_already")
    if waiting.count() >= WAITING_AT_MOST:
        raise NotPossible("too_many", n=WAITING_AT_MOST)
    asked = campaign.team_requests.create(name=name, asked_by=by, asked_at=at)
    record(TEAM_ASKED, by=by, at=at, campaign=campaign.slug, about=name)
    return asked


@transaction.atomic
def withdraw_team_request(*, request: TeamRequest, by: Person | None, at: datetime) -> None:
    """Ends the request; a team that accepted and has nothing here yet is no longer known here.

    Errors: `NotPossible` with code `answered`, or `takes_part` for a team that has anything here; `NotNow`.
    """
    campaign = _held(request.campaign, at)
    request = TeamRequest.objects.select_related("team").get(pk=request.pk)
    if request.state not in {TeamRequest.State.WAITING, TeamRequest.State.ACCEPTED}:
        raise NotPossible("answered")
    if request.team is not None:
        if has_anything(request.team, campaign):
            raise NotPossible("takes_part", team=request.name)
        campaign.known_teams.filter(team=request.team, is_owner=False).delete()
    request.state = TeamRequest.State.WITHDRAWN
    request.save(update_fields=["state"])
    record(TEAM_REQUEST_WITHDRAWN, by=by, at=at, campaign=campaign.slug, about=request.name)


@transaction.atomic
def answer_team_request(*, request: TeamRequest, team: Team, person: Person, accepts: bool, at: datetime) -> None:
    """A member answers for the team. Accepted, its name means it in the asking campaign; declined, that campaign hears nothing.

    Errors: `NotPossible` with code `no_team` for somebody else, or `answered` where nothing is asked of the team any more; `NotNow`.
    """
    campaign = _held(request.campaign, at)
    if not TeamMember.objects.filter(team=team, person=person).exists():
        raise NotPossible("no_team")
    asked = TeamRequest.objects.for_team(team).filter(pk=request.pk).first()
    if asked is None:
        raise NotPossible("answered")
    if not accepts:
        asked.declined_by.add(team)
        # Of no campaign: the trail of the asking one would tell that there is such a team.
        record(TEAM_DECLINED, by=person, at=at, about=team.name, details={"request": asked.pk})
        return
    campaign.known_teams.create(team=team, name=team.name, is_owner=False)
    asked.state, asked.team, asked.answered_by, asked.answered_at = TeamRequest.State.ACCEPTED, team, person, at
    asked.save(update_fields=["state", "team", "answered_by", "answered_at"])
    record(TEAM_ACCEPTED, by=person, at=at, campaign=campaign.slug, about=team.name)


def has_anything(team: Team, campaign: Campaign) -> bool:
    """Whether anything in the campaign refers to the team, so that its name must go on meaning it."""
    # By the names of the relations: the rooms of tasks are below this one.
    paths = (
        "members__campaign", "bots__entries__campaign", "invitations__campaign", "services__task__campaign",
        "runs__task__campaign", "task_quotas__task__campaign",
    )  # fmt: skip
    return any(Team.objects.filter(pk=team.pk, **{path: campaign}).exists() for path in paths)


def _held(campaign: Campaign, at: datetime) -> Campaign:
    """The campaign, locked, so that two acts never give one name twice. Errors: `NotNow`."""
    campaign = Campaign.objects.held(campaign.pk)
    check_open(campaign, Doing.ORGANIZE, at)
    return campaign
