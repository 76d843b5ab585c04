"""Loads the people of a campaign file: roles and teams that files gave; others stay as they are."""

from collections.abc import Sequence

from django.utils import timezone
from django.utils.translation import gettext_noop

from accounts.actions import create_person, vouch_for
from accounts.models import Person
from campaigns.actions.load_report import LoadReport
from campaigns.actions.people import end_what_they_made
from campaigns.actions.teams import team_called
from campaigns.campaign_file import PersonSpec
from campaigns.interests import JUDGING, Interests
from campaigns.models import Campaign, CampaignRole, Role, TeamMember
from campaigns.origins import Origin

ROLE_OF_PAGE = gettext_noop("left alone: role %(role)s of %(name)s, given in the browser")
TEAM_OF_PAGE = gettext_noop("left alone: team %(team)s of %(name)s, chosen in the browser")
ROLE_GONE = gettext_noop("left alone: role %(role)s of %(name)s, no longer in the file; only pruning takes it back")
LAST_ORGANIZER = gettext_noop("%(name)s is the last organizer: name another first")
TEAM_GONE = gettext_noop("left alone: team %(team)s of %(name)s, no longer in the file; only pruning takes it back")
TEAM_CHANGED = gettext_noop("person %(name)s: team %(before)s → %(team)s")
TAKEN_BY_PAGE = gettext_noop(
    "%(name)s takes part for %(team)s, as was chosen in the browser; change it there, or let the file take it over"
)

MADE_ITSELF = gettext_noop(
    "%(name)s is an account whose owner chose its name: invite them into this campaign, or let the file take it over"
)
JUDGES_AND_TAKES_PART = gettext_noop(
    "%(name)s takes part for %(team)s, so they cannot also test, review or decide; choose one of the two, or say "
    'members_may_judge = "others"'
)


def load_people(campaign: Campaign, specs: Sequence[PersonSpec], report: LoadReport) -> None:
    """Gives the roles and teams that the file says; what it no longer says is taken back only where it prunes."""
    people = [
        _person(campaign, spec.username, f"[[people]] {number} username", report)
        for number, spec in enumerate(specs, start=1)
    ]
    for number, (person, spec) in enumerate(zip(people, specs, strict=True), start=1):
        _give_roles(campaign, person, spec, report)
        if spec.team:
            _set_team(campaign, person, spec.team, f"[[people]] {number} team", report)
    wanted = {person.pk: spec for person, spec in zip(people, specs, strict=True)}
    _take_back_roles(campaign, {(pk, role) for pk, spec in wanted.items() for role in spec.roles}, report)
    _take_back_teams(campaign, {pk for pk, spec in wanted.items() if spec.team}, report)
    _refuse_interests(campaign, people, report)


def _person(campaign: Campaign, username: str, place: str, report: LoadReport) -> Person:
    """Whoever applies or accepts an invitation chooses a user name: without a role here, the account may be a stranger's."""
    person = Person.objects.filter(username=username).first()
    if person is None:
        person = create_person(username=username)
        report.add_change(gettext_noop("person %(name)s created"), name=username)
    elif person.came_by != Person.CameBy.ORGANIZER and not campaign.roles.filter(person=person).exists():
        if report.takes_over:
            vouch_for(person=person, came_by=Person.CameBy.ORGANIZER)
            report.add_change(gettext_noop("person %(name)s: account taken over"), name=username)
        else:
            report.note(place, MADE_ITSELF, name=username)
    return person


def _give_roles(campaign: Campaign, person: Person, spec: PersonSpec, report: LoadReport) -> None:
    for role in dict.fromkeys(spec.roles):
        held, is_new = CampaignRole.objects.get_or_create(
            campaign=campaign, person=person, role=role, defaults={"origin": Origin.FILE}
        )
        if is_new:
            report.add_change(gettext_noop("person %(name)s: %(role)s"), name=spec.username, role=role)
        elif report.takes_over and held.origin != Origin.FILE:
            _take_over(held, report, gettext_noop("person %(name)s: role %(role)s taken over"), spec.username, role)


def _refuse_interests(campaign: Campaign, people: Sequence[Person], report: LoadReport) -> None:
    """Of the people in the file, those who would judge and take part; rows of others are nothing that the file says."""
    interests = Interests(campaign)
    judging = set(campaign.roles.filter(role__in=JUDGING).values_list("person", flat=True))
    teams = interests.teams_of(interests.barred_from_all() & judging)
    for number, person in enumerate(people, start=1):
        if person.pk in teams:
            named = {"name": person.username, "team": ", ".join(teams[person.pk])}
            report.note(f"[[people]] {number} roles", JUDGES_AND_TAKES_PART, **named)


def _take_over(row: CampaignRole, report: LoadReport, text: str, name: str, role: str) -> None:
    row.origin = Origin.FILE
    row.save(update_fields=["origin"])
    report.add_change(text, name=name, role=role)


def _set_team(campaign: Campaign, person: Person, name: str, place: str, report: LoadReport) -> None:
    """A person takes part for one team per campaign; this file says nothing about other campaigns."""
    held = campaign.team_members.filter(person=person).select_related("team").first()
    before = held.team.name if held else ""
    if held is not None and held.origin != Origin.FILE and not report.takes_over:
        if name != before:
            report.note(place, TAKEN_BY_PAGE, name=person.username, team=before)
        return
    if name != before:
        team = team_called(campaign, name)
        # One row per person: another team is another row, for whatever refers to the one that was left.
        campaign.team_members.filter(person=person).delete()
        TeamMember.objects.create(campaign=campaign, team=team, person=person, origin=Origin.FILE)
        report.add_change(TEAM_CHANGED, name=person.username, before=before or "none", team=name)
    elif held is not None and held.origin != Origin.FILE:
        held.origin = Origin.FILE
        held.save(update_fields=["origin"])
        report.add_change(gettext_noop("person %(name)s: team %(team)s taken over"), name=person.username, team=name)


def _take_back_roles(campaign: Campaign, wanted: set[tuple[int, str]], report: LoadReport) -> None:
    for held in campaign.roles.select_related("person").order_by("person__username", "role"):
        if (held.person_id, held.role) in wanted:
            continue
        said = {"name": held.person.username, "role": held.role}
        if held.origin != Origin.FILE:
            report.leave_alone(ROLE_OF_PAGE, **said)
        elif not report.prunes:
            report.leave_alone(ROLE_GONE, **said)
        elif held.role == Role.ORGANIZER and not others_organize(campaign, held):
            report.note("[[people]]", LAST_ORGANIZER, name=said["name"])
        else:
            held.delete()
            if held.role == Role.ORGANIZER:
                end_what_they_made(campaign, held.person, None, timezone.now())
            report.add_change(gettext_noop("person %(name)s: role %(role)s taken back"), **said)


def others_organize(campaign: Campaign, held: CampaignRole) -> bool:
    organizers = campaign.roles.filter(role=Role.ORGANIZER, person__is_active=True)
    return organizers.exclude(person=held.person_id).exists()


def _take_back_teams(campaign: Campaign, wanted: set[int], report: LoadReport) -> None:
    for held in campaign.team_members.select_related("person", "team").order_by("person__username"):
        if held.person_id in wanted:
            continue
        name, team = held.person.username, held.team.name
        if held.origin != Origin.FILE:
            report.leave_alone(TEAM_OF_PAGE, name=name, team=team)
        elif not report.prunes:
            report.leave_alone(TEAM_GONE, name=name, team=team)
        else:
            held.delete()
            report.add_change(TEAM_CHANGED, name=name, before=team, team="none")
