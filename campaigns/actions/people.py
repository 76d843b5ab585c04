"""Gives and takes roles, pauses people and lets them go on, until the campaign ends: then all of it is `NotNow`."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import OneTimeLink, Person
from audit.actions import record
from audit.trail_acts import TrailAct
from campaigns.calendar import Doing, check_open
from campaigns.interests import JUDGING, Interests
from campaigns.models import Campaign, CampaignRole, Role
from campaigns.reasons import reason_of
from campaigns.trail_acts import PERSON_PAUSED, PERSON_RESUMED, ROLE_GIVEN, ROLE_TAKEN
from serving.refused import Refused

# The roles whose work can wait. A leaver hands on what is not begun.
WITH_WORK = (Role.TESTER, Role.REVIEWER)
# The roles that decide which dialogues and scores of people count.
DECIDING = frozenset({Role.EXPERT, Role.ADJUDICATOR})


class NotHere(Exception):
    """The person has no role in the campaign: people get into one by an invitation that they accept themselves."""


class LastOrganizer(Refused):
    """The campaign would be left without an organizer."""

    code = "last_organizer"

    def __str__(self) -> str:
        return _("This is the last organizer.")


class CannotHold(Refused):
    """The person may not have that role in this campaign."""


class HasInterest(CannotHold):
    """Nobody judges the systems of a campaign and takes part in it, unless the campaign lets members judge those of others."""

    code = "has_interest"

    def __init__(self, name: str, team: str) -> None:
        super().__init__(name)
        self.name, self.team = name, team

    def __str__(self) -> str:
        return _(
            "%(name)s takes part for %(team)s here, so they cannot also test, review or decide. Choose one of the two, "
            "or let members of teams judge those of others (Settings)."
        ) % {"name": self.name, "team": self.team}


class ProgramDecides(CannotHold):
    """Only people vet dialogues and settle disputes, even where programs count."""

    code = "program_decides"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return _("%(name)s is a program's account: only people can be experts or adjudicators.") % {"name": self.name}


def refuse_program(person: Person, roles: Collection[str]) -> None:
    """Errors: `ProgramDecides` where one of the roles decides and the account is a program's."""
    if person.is_program and DECIDING.intersection(roles):
        raise ProgramDecides(person.shown_name)


def refuse_interest(campaign: Campaign, person: Person) -> None:
    """Comes after the roles and the team are stored, under the campaign's row: of two acts at once the second sees the first.

    Errors: `HasInterest` where the person judges in the campaign and an interest bars them from all of it.
    """
    interests = Interests(campaign)
    if person.pk in interests.barred_from_all() and campaign.roles.filter(person=person, role__in=JUDGING).exists():
        raise HasInterest(person.shown_name, ", ".join(interests.teams_of([person.pk])[person.pk]))


class NothingToPause(Refused):
    """The person neither tests nor reviews."""

    code = "nothing_to_pause"

    def __str__(self) -> str:
        return _("The person does not test or review, or is already paused.")


@transaction.atomic
def give_role(
    *, campaign: Campaign, person: Person, role: Role, because: str, by: Person | None, at: datetime
) -> CampaignRole:
    """One more role for somebody who has one here already. Errors: `ReasonNeeded`, `NotHere`, `ProgramDecides`, `HasInterest`."""
    check_open(campaign, Doing.ORGANIZE, at)
    because = reason_of(because)
    # Joining a team holds this row, too.
    campaign = Campaign.objects.held(campaign.pk)
    if not campaign.roles.filter(person=person).exists():
        raise NotHere
    refuse_program(person, (role,))
    given, is_new = CampaignRole.objects.get_or_create(campaign=campaign, person=person, role=role)
    if is_new:
        refuse_interest(campaign, person)
        _record(ROLE_GIVEN, campaign, person, by, at, because, role=role.value)
    return given


@transaction.atomic
def take_role(*, campaign: Campaign, person: Person, role: Role, because: str, by: Person | None, at: datetime) -> bool:
    """Takes the role back; a participant leaves the team. False where the person does not have it.

    Testers and reviewers leave by `leave_as_tester` and `leave_as_reviewer`, which hand on their work.
    Errors: `ReasonNeeded`, `LastOrganizer`.
    """
    check_open(campaign, Doing.ORGANIZE, at)
    because = reason_of(because)
    # Locked: of two organizers who take each other's role back at once, the second sees that none would be left.
    Campaign.objects.held(campaign.pk)
    organizers = campaign.roles.filter(role=Role.ORGANIZER, person__is_active=True)
    if role == Role.ORGANIZER and not organizers.exclude(person=person).exists():
        raise LastOrganizer
    n_taken, _ = campaign.roles.filter(person=person, role=role).delete()
    if not n_taken:
        return False
    if role == Role.PARTICIPANT:
        campaign.team_members.filter(person=person).delete()
    details: dict[str, Any] = end_what_they_made(campaign, person, by, at) if role == Role.ORGANIZER else {}
    _record(ROLE_TAKEN, campaign, person, by, at, because, role=role.value, **details)
    return True


def end_what_they_made(campaign: Campaign, person: Person, by: Person | None, at: datetime) -> dict[str, Any]:
    """Ends the unused invitations and password links that a former organizer made for the campaign."""
    # By the name of the relation: the room of invitations is above this one.
    pending = campaign.invitations.filter(made_by=person, used_at=None, withdrawn_at=None)
    of_campaign = campaign.roles.values("person")
    links = OneTimeLink.objects.filter(made_by=person, person__in=of_campaign, used_at=None, ended_at=None)
    return {"invitations": pending.update(withdrawn_at=at, withdrawn_by=by), "links": links.update(ended_at=at)}


@transaction.atomic
def pause_person(*, campaign: Campaign, person: Person, because: str, by: Person | None, at: datetime) -> None:
    """The person opens no dialogue and is drawn for no review until they go on; their plan stays theirs.

    Errors: `ReasonNeeded`, `NothingToPause`.
    """
    check_open(campaign, Doing.ORGANIZE, at)
    because = reason_of(because)
    # Openings hold this row, too: none comes in between.
    Campaign.objects.held(campaign.pk)
    own = campaign.roles.at_work().filter(person=person, role__in=WITH_WORK)
    if not own.update(paused_at=at, paused_because=because):
        raise NothingToPause
    _record(PERSON_PAUSED, campaign, person, by, at, because)


@transaction.atomic
def resume_person(*, campaign: Campaign, person: Person, because: str, by: Person | None, at: datetime) -> bool:
    """False where the person did not pause. Errors: `ReasonNeeded`."""
    check_open(campaign, Doing.ORGANIZE, at)
    because = reason_of(because)
    paused = campaign.roles.filter(person=person).exclude(paused_at=None)
    if not paused.update(paused_at=None, paused_because=""):
        return False
    _record(PERSON_RESUMED, campaign, person, by, at, because)
    return True


def _record(
    done: TrailAct,
    campaign: Campaign,
    person: Person,
    by: Person | None,
    at: datetime,
    because: str,
    **details: str | int,
) -> None:
    record(done, by=by, at=at, campaign=campaign.slug, about=person.username, because=because, details=details)
