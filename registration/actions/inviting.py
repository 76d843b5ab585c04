"""Invites people by links that work once; withdraws and renews them, and lets people in by them.

Once the campaign has ended, inviting and accepting raise `NotNow`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils.translation import gettext_noop

from accounts.actions import vouch_for
from accounts.link_tokens import LinkUnusable, Unusable, digest_of, new_token
from accounts.models import Person
from audit.actions import record
from campaigns.actions.people import refuse_interest, refuse_program
from campaigns.actions.teams import team_called
from campaigns.calendar import Doing, check_open
from campaigns.interests import JUDGING
from campaigns.models import Campaign, CampaignRole, Role, TeamMember
from participants.models import Team
from reading.checking import Problems
from registration.actions.applying import Newcomer, make_account
from registration.invitation_lines import BadInvitations, Invitee
from registration.models import Invitation
from registration.models.invitations import InvitationQuerySet
from registration.trail_acts import INVITATION_ACCEPTED, INVITATION_RENEWED, INVITATION_WITHDRAWN, INVITED

DAYS = 7
MOST_DAYS = 60
# Why somebody has the roles of an invitation, as the trail says it.
BY_INVITATION = gettext_noop("An invitation gave the roles.")


class OtherTeam(Exception):
    """The person takes part for another team of this campaign already."""


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation with its token, which can be read only now."""

    invitation: Invitation
    token: str


@transaction.atomic
def invite(
    *, campaign: Campaign, invitees: Sequence[Invitee], by: Person | None, at: datetime, days: int = DAYS
) -> list[Invited]:
    """One invitation per person; teams that nobody has named yet are made.

    Errors: `BadInvitations` where somebody has an invitation already that is still open, or would judge and take part; then
    nobody is invited.
    """
    _refuse_impossible(campaign, invitees, at)
    teams = {name: team_called(campaign, name) for name in {one.team for one in invitees} if name}
    invited = [
        _make(
            campaign=campaign,
            roles=list(one.roles),
            team=teams.get(one.team),
            name=one.name,
            email=one.email,
            made_by=by,
            made_at=at,
            expires_at=at + timedelta(days=days),
        )
        for one in invitees
    ]
    roles = {one.name: list(one.roles) for one in invitees}
    record(
        INVITED, by=by, at=at, campaign=campaign.slug, about=", ".join(roles), details={"roles": roles, "days": days}
    )
    return invited


@transaction.atomic
def invite_staff(*, name: str, at: datetime, days: int = DAYS) -> Invited:
    """An invitation that makes its acceptor an organizer of the whole site. Only a command calls it, no page."""
    invited = _make(for_staff=True, name=name, made_at=at, expires_at=at + timedelta(days=days))
    record(INVITED, by=None, at=at, about=name or "staff", details={"staff": True, "days": days})
    return invited


def _make(**fields: object) -> Invited:
    token = new_token()
    return Invited(Invitation.objects.create(digest=digest_of(token), **fields), token)


def _refuse_impossible(campaign: Campaign, invitees: Sequence[Invitee], at: datetime) -> None:
    # One list after the other: of two that name the same person, the second sees what the first made.
    campaign = Campaign.objects.held(campaign.pk)
    check_open(campaign, Doing.ORGANIZE, at)
    open_ones = Invitation.objects.of_campaign(campaign).pending(at).values_list("name", "email")
    known = {(email or name).casefold() for name, email in open_ones}
    problems = Problems()
    for one in invitees:
        if (
            campaign.members_may_judge == "none"
            and one.team
            and Role.PARTICIPANT in one.roles
            and JUDGING & {*one.roles}
        ):
            text = gettext_noop(
                "takes part for a team, so they cannot also test, review or decide: choose one of the two"
            )
            problems.note(f"line {one.line}", text)
        who = (one.email or one.name).casefold()
        if who and who in known:
            text = gettext_noop("%(name)s has an open invitation already: renew or withdraw it")
            problems.note(f"line {one.line}", text, name=one.name)
    if problems:
        raise BadInvitations(problems.listed())


@transaction.atomic
def withdraw_invitation(*, invitation: Invitation, by: Person, at: datetime) -> Invitation:
    """Its link opens nothing any more; possible once the campaign is over, too. Errors: `LinkUnusable` where it was used or withdrawn."""
    invitation = _held(Invitation.objects.filter(pk=invitation.pk))
    _refuse_if(invitation, at, Invitation.State.USED, Invitation.State.WITHDRAWN)
    invitation.withdrawn_at, invitation.withdrawn_by = at, by
    invitation.save(update_fields=["withdrawn_at", "withdrawn_by"])
    record(INVITATION_WITHDRAWN, by=by, at=at, campaign=_slug(invitation), about=invitation.name)
    return invitation


@transaction.atomic
def renew_invitation(*, invitation: Invitation, by: Person, at: datetime, days: int = DAYS) -> Invited:
    """Gives it another link, valid from now on; the one before opens nothing any more. Errors: `LinkUnusable` where it was used."""
    invitation = _held(Invitation.objects.filter(pk=invitation.pk))
    _refuse_if(invitation, at, Invitation.State.USED)
    _refuse_ended(invitation, at)
    token = new_token()
    invitation.digest, invitation.expires_at = digest_of(token), at + timedelta(days=days)
    invitation.withdrawn_at = invitation.withdrawn_by = None
    invitation.save(update_fields=["digest", "expires_at", "withdrawn_at", "withdrawn_by"])
    record(INVITATION_RENEWED, by=by, at=at, campaign=_slug(invitation), about=invitation.name, details={"days": days})
    return Invited(invitation, token)


def invitation_of(token: str, at: datetime) -> Invitation:
    """The open invitation with that token. Errors: `LinkUnusable`."""
    invitation = Invitation.objects.with_names().filter(digest=digest_of(token)).first()
    if invitation is None:
        raise LinkUnusable(Unusable.UNKNOWN)
    _refuse_if(invitation, at, *_CLOSED)
    return invitation


@transaction.atomic
def accept_invitation(*, token: str, person: Person, at: datetime) -> Invitation:
    """Gives the person what the invitation offers, once. Errors: `LinkUnusable`, `OtherTeam`, `ProgramDecides`, `HasInterest`."""
    invitation = _open_and_held(token, at)
    return _let_in(invitation, person, at)


def join(*, token: str, newcomer: Newcomer, at: datetime) -> Person:
    """A new account with what the invitation offers. Errors: `LinkUnusable`, `NameTaken`; then no account is made."""
    invitation_of(token, at)
    hashed = make_password(newcomer.password)
    with transaction.atomic():
        invitation = _open_and_held(token, at)
        person = make_account(newcomer, hashed=hashed, came_by=Person.CameBy.INVITATION)
        _let_in(invitation, person, at)
    return person


def _open_and_held(token: str, at: datetime) -> Invitation:
    # Held until the commit: of two clicks at once, the second finds it used.
    invitation = _held(Invitation.objects.filter(digest=digest_of(token)))
    _refuse_if(invitation, at, *_CLOSED)
    return invitation


def _held(found: InvitationQuerySet) -> Invitation:
    invitation = found.select_for_update().first()
    if invitation is None:
        raise LinkUnusable(Unusable.UNKNOWN)
    return invitation


_CLOSED = {
    Invitation.State.USED: Unusable.USED,
    Invitation.State.EXPIRED: Unusable.EXPIRED,
    Invitation.State.WITHDRAWN: Unusable.WITHDRAWN,
}


def _refuse_if(invitation: Invitation, at: datetime, *states: Invitation.State) -> None:
    state = invitation.state_at(at)
    if state in states:
        raise LinkUnusable(_CLOSED[state])


def _refuse_ended(invitation: Invitation, at: datetime) -> None:
    if invitation.campaign is not None:
        check_open(invitation.campaign, Doing.ORGANIZE, at)


def _let_in(invitation: Invitation, person: Person, at: datetime) -> Invitation:
    _refuse_ended(invitation, at)
    vouch_for(person=person, came_by=Person.CameBy.INVITATION)
    if invitation.for_staff:
        person.is_staff = True
        person.save(update_fields=["is_staff"])
    campaign = invitation.campaign
    if campaign is not None:
        # Roles and teams are given one after the other: who judges and takes part is seen.
        campaign = Campaign.objects.held(campaign.pk)
        refuse_program(person, invitation.roles)
        for role in invitation.roles:
            CampaignRole.objects.get_or_create(campaign=campaign, person=person, role=role)
        if invitation.team is not None and Role.PARTICIPANT in invitation.roles:
            _join_team(campaign, invitation.team, person)
        refuse_interest(campaign, person)
    invitation.used_at, invitation.used_by = at, person
    invitation.save(update_fields=["used_at", "used_by"])
    about = ", ".join(invitation.roles) or "staff"
    record(
        INVITATION_ACCEPTED,
        by=person,
        at=at,
        campaign=_slug(invitation),
        about=about,
        because=BY_INVITATION,
        details={"invited_as": invitation.name},
    )
    return invitation


def _join_team(campaign: Campaign, team: Team, person: Person) -> None:
    place, _ = TeamMember.objects.get_or_create(campaign=campaign, person=person, defaults={"team": team})
    if place.team_id != team.pk:
        raise OtherTeam


def _slug(invitation: Invitation) -> str:
    return invitation.campaign.slug if invitation.campaign else ""
