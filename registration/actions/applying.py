"""Applications for a place, and the accounts of applicants who have none. Callers have checked name and password."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from campaigns.access import team_of
from campaigns.actions.people import refuse_interest
from campaigns.actions.teams import team_called
from campaigns.calendar import Doing, check_open
from campaigns.models import Campaign, Role
from campaigns.reasons import reason_of
from participants.models import Team
from registration.application_form import ApplicationForm
from registration.models import Application
from registration.refusals import NotPossible
from registration.trail_acts import APPLICATION_APPROVED, APPLICATION_REFUSED, APPLICATION_WITHDRAWN, APPLIED

NAME_IS_TAKEN = gettext_noop("Somebody has this name already: choose another.")


class NameTaken(Exception):
    """The user name is taken, perhaps in another case."""


@dataclass(frozen=True, slots=True)
class Newcomer:
    """What somebody without an account says of themselves."""

    username: str
    password: str
    display_name: str = ""
    email: str = ""


def make_account(newcomer: Newcomer, *, hashed: str, came_by: Person.CameBy) -> Person:
    """Errors: `NameTaken`. Hashing is slow on purpose: do it before the transaction, or SQLite's other writers wait for it."""
    if Person.objects.filter(username__iexact=newcomer.username).exists():
        raise NameTaken
    try:
        with transaction.atomic():
            return Person.objects.create(
                username=newcomer.username,
                password=hashed,
                display_name=newcomer.display_name,
                email=newcomer.email,
                came_by=came_by,
            )
    except IntegrityError as taken:
        raise NameTaken from taken


@transaction.atomic
def apply_for_place(*, campaign: Campaign, applicant: Person, form: ApplicationForm, at: datetime) -> Application:
    """Stores the application; an organizer answers it.

    Errors: `NotNow` outside of the registration; `NotPossible` with code `closed`, `in_a_team` or `waiting` (one is open already).
    """
    # Held until the commit, so that two tabs make one application.
    campaign = Campaign.objects.held(campaign.pk)
    check_takes_applications(campaign, at)
    if team_of(applicant, campaign) is not None:
        raise NotPossible("in_a_team")
    if campaign.applications.waiting().filter(applicant=applicant).exists():
        raise NotPossible("waiting")
    application = Application.objects.create(
        campaign=campaign,
        applicant=applicant,
        name_zh=form.name_zh.strip(),
        name_en=form.name_en.strip(),
        affiliation=form.affiliation.strip(),
        contact=form.contact.strip(),
        members=list(form.members),
        applied_at=at,
    )
    record(APPLIED, by=applicant, at=at, campaign=campaign.slug, about=application.team_name)
    return application


def apply_as_newcomer(*, campaign: Campaign, newcomer: Newcomer, form: ApplicationForm, at: datetime) -> Application:
    """An account and its application, or neither. Errors: those of `apply_for_place`; `NameTaken`."""
    check_takes_applications(campaign, at)
    hashed = make_password(newcomer.password)
    with transaction.atomic():
        applicant = make_account(newcomer, hashed=hashed, came_by=Person.CameBy.APPLICATION)
        return apply_for_place(campaign=campaign, applicant=applicant, form=form, at=at)


def check_takes_applications(campaign: Campaign, at: datetime) -> None:
    """Errors: `NotNow` outside of the registration; `NotPossible` with code `closed`."""
    check_open(campaign, Doing.REGISTER, at)
    if not campaign.takes_applications:
        raise NotPossible("closed")


@transaction.atomic
def withdraw_application(*, application: Application, at: datetime) -> Application:
    """The applicant takes it back, also once the campaign is over. Errors: `NotPossible` with code `answered`."""
    application = _waiting(application)
    _answer(application, Application.State.WITHDRAWN, by=None, at=at)
    record(
        APPLICATION_WITHDRAWN,
        by=application.applicant,
        at=at,
        campaign=application.campaign.slug,
        about=application.team_name,
    )
    return application


@transaction.atomic
def approve_application(*, application: Application, by: Person | None, at: datetime, joins: bool = False) -> Team:
    """The applicant takes part for the team from now on.

    A team that is known here already, another campaign's that accepted too, lets nobody in by its name alone: that it is meant is
    said with `joins`.
    Errors: `NotPossible` with code `answered`, `in_a_team` or `team_exists`; `HasInterest`.
    """
    application = _waiting(application)
    check_open(application.campaign, Doing.ORGANIZE, at)
    campaign, applicant = application.campaign, application.applicant
    if team_of(applicant, campaign) is not None:
        raise NotPossible("in_a_team")
    if not joins and campaign.known_teams.filter(name=application.team_name).exists():
        raise NotPossible("team_exists", team=application.team_name)
    team = team_called(campaign, application.team_name, name_en=application.name_en if application.name_zh else "")
    campaign.team_members.create(team=team, person=applicant)
    campaign.roles.get_or_create(person=applicant, role=Role.PARTICIPANT)
    refuse_interest(campaign, applicant)
    application.team = team
    _answer(application, Application.State.APPROVED, by=by, at=at)
    details = {"applicant": applicant.username}
    record(APPLICATION_APPROVED, by=by, at=at, campaign=campaign.slug, about=team.name, details=details)
    return team


@transaction.atomic
def refuse_application(*, application: Application, by: Person | None, because: str, at: datetime) -> Application:
    """The applicant reads the reason and may apply again. Errors: `ReasonNeeded`; `NotPossible` with code `answered`."""
    application = _waiting(application)
    check_open(application.campaign, Doing.ORGANIZE, at)
    application.because = reason_of(because)
    _answer(application, Application.State.REFUSED, by=by, at=at)
    record(
        APPLICATION_REFUSED,
        by=by,
        at=at,
        campaign=application.campaign.slug,
        about=application.team_name,
        because=application.because,
        details={"applicant": application.applicant.username},
    )
    return application


def _waiting(application: Application) -> Application:
    """The application as it is now, held until the commit, so that it is answered once."""
    locked = Application.objects.select_for_update(of=("self",)).select_related("campaign", "applicant")
    application = locked.get(pk=application.pk)
    # Who belongs to a team here is decided one after the other, as in an application.
    Campaign.objects.held(application.campaign_id)
    if application.state != Application.State.WAITING:
        raise NotPossible("answered")
    return application


def _answer(application: Application, state: Application.State, *, by: Person | None, at: datetime) -> None:
    application.state, application.answered_by, application.answered_at = state, by, at
    application.save(update_fields=["state", "answered_by", "answered_at", "because", "team"])
