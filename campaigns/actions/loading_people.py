"""Loads the people of a campaign file: roles and teams that files gave; others stay as they are."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial

from django.utils import timezone
from django.utils.translation import gettext_noop

from accounts.actions import create_people, vouch_for
from accounts.models import Person
from campaigns.actions.load_report import LoadReport
from campaigns.actions.people import DECIDING, end_what_they_made
from campaigns.actions.teams import FileTeams
from campaigns.campaign_file.reader import PersonSpec
from campaigns.interests import JUDGING, InterestsOf
from campaigns.models import Campaign, CampaignRole, Entry, Role, TeamMember
from campaigns.origins import Origin
from participants.models import Team

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
OF_ANOTHER_KIND = gettext_noop(
    "%(name)s is an account of another kind: people and programs never share one; name another account"
)
PROGRAM_DECIDES = gettext_noop("%(name)s is a program's account: only people can be experts or adjudicators")
JUDGES_AND_TAKES_PART = gettext_noop(
    "%(name)s takes part for %(team)s, so they cannot also test, review or decide; choose one of the two, or say "
    'members_may_judge = "others"'
)


@dataclass(frozen=True, slots=True)
class LoadedPeople:
    """Who will hold which role, and take part for which team, by user name."""

    roles: set[tuple[str, str]]
    teams: dict[str, Team]
    programs: set[str] = field(default_factory=set)

    def testers(self, campaign: Campaign) -> set[str]:
        """Whom the plan is drawn over, as `CampaignRole.objects.planned_for` says of stored roles."""
        passing = set() if campaign.pk is None else names_of_no_file(campaign)
        return self.of_role({Role.TESTER}) - passing - (set() if campaign.counts_program_testers else self.programs)

    def of_role(self, roles: Collection[str]) -> set[str]:
        return {name for name, role in self.roles if role in roles}


def names_of_no_file(campaign: Campaign) -> set[str]:
    """The user names of who came by a study's link, and of accounts of rehearsals."""
    passing = campaign.roles.exclude(pk__in=campaign.roles.lasting())
    return set(passing.values_list("person__username", flat=True))


def load_people(
    campaign: Campaign, specs: Sequence[PersonSpec], teams: FileTeams, entries: Sequence[Entry], report: LoadReport
) -> LoadedPeople:
    """Gives the roles and teams that the file says; what it no longer says is taken back only where it prunes.

    `entries` are those that there will be. Compares; what changes is written later.
    """
    people = _People(campaign, specs, teams, report)
    people.load()
    people.refuse_interests(entries)
    return people.after


def interests_to_be(campaign: Campaign, entries: Sequence[Entry], people: LoadedPeople) -> InterestsOf[str]:
    """Who will have an interest, by user name and `name_of_team`: the rule of `campaigns.interests`, of rows that are not
    stored yet."""
    found: dict[str, set[str]] = {}
    for name, team in people.teams.items():
        found.setdefault(name, set()).add(name_of_team(team))
    entered = {entry.bot.team.pk: entry.bot.team for entry in entries if entry.bot.team.pk}
    elsewhere = TeamMember.objects.filter(team__in=entered).exclude(campaign=campaign.pk)
    written = Entry.objects.filter(bot__team__in=entered, registered_by__isnull=False, registered_for_team=False)
    pairs = [
        *elsewhere.values_list("person__username", "team"),
        *written.exclude(campaign=campaign.pk).values_list("registered_by__username", "bot__team"),
    ]
    for name, team_id in pairs:
        found.setdefault(name, set()).add(name_of_team(entered[team_id]))
    own = [entry for entry in entries if entry.registered_by_id and not entry.registered_for_team]
    names = dict(Person.objects.filter(pk__in=[one.registered_by_id for one in own]).values_list("pk", "username"))
    for entry in own:
        found.setdefault(names[entry.registered_by_id or 0], set()).add(name_of_team(entry.bot.team))
    return InterestsOf(campaign, found)


def name_of_team(team: Team) -> str:
    """Tells teams apart, also those that are not stored: two of other campaigns may have one name."""
    return f"{team.name}\n{team.pk or ''}"


class _People:
    def __init__(self, campaign: Campaign, specs: Sequence[PersonSpec], teams: FileTeams, report: LoadReport) -> None:
        self.campaign, self.specs, self.teams, self.report = campaign, specs, teams, report
        roles = CampaignRole.objects.filter(campaign=campaign.pk).select_related("person")
        self.roles = {(held.person.username, held.role): held for held in roles}
        self.present = {name for name, _role in self.roles}
        members = TeamMember.objects.filter(campaign=campaign.pk).select_related("person", "team")
        self.members = {held.person.username: held for held in members}
        self.people = {one.username: one for one in Person.objects.filter(username__in=[one.username for one in specs])}
        programs = {name for (name, _role), held in self.roles.items() if held.person.is_program}
        self.after = LoadedPeople(set(self.roles), {name: held.team for name, held in self.members.items()}, programs)
        self.new_people: list[Person] = []
        self.new_roles: list[CampaignRole] = []

    def load(self) -> None:
        for number, spec in enumerate(self.specs, start=1):
            self.find(spec, f"[[people]] {number}")
        self.report.later(self.store_new)
        for number, spec in enumerate(self.specs, start=1):
            self.give_roles(spec)
            if spec.team:
                self.set_team(spec, f"[[people]] {number} team")
        self.take_back_roles({(spec.username, role) for spec in self.specs for role in spec.roles})
        self.take_back_teams({spec.username for spec in self.specs if spec.team})

    def find(self, spec: PersonSpec, place: str) -> None:
        """Applicants and invited people choose their own user names: without a role here, the account may be a stranger's."""
        username = spec.username
        person = self.people.get(username)
        if person is not None and spec.kind and spec.kind != person.kind:
            self.report.note(f"{place} kind", OF_ANOTHER_KIND, name=username)
        if person is None:
            self.people[username] = Person(username=username, kind=spec.kind or Person.Kind.PERSON)
            self.new_people.append(self.people[username])
            self.report.add_change(gettext_noop("person %(name)s created"), name=username)
        elif person.came_by != Person.CameBy.ORGANIZER and username not in self.present:
            if self.report.takes_over:
                self.report.later(partial(vouch_for, person=person, came_by=Person.CameBy.ORGANIZER))
                self.report.add_change(gettext_noop("person %(name)s: account taken over"), name=username)
            else:
                self.report.note(f"{place} username", MADE_ITSELF, name=username)
        if self.people[username].is_program:
            self.after.programs.add(username)
            if DECIDING.intersection(spec.roles):
                self.report.note(f"{place} roles", PROGRAM_DECIDES, name=username)

    def store_new(self) -> None:
        create_people(people=self.new_people)
        CampaignRole.objects.bulk_create(self.new_roles, batch_size=500)

    def give_roles(self, spec: PersonSpec) -> None:
        for role in dict.fromkeys(spec.roles):
            held = self.roles.get((spec.username, role))
            if held is None:
                person = self.people[spec.username]
                given = CampaignRole(campaign=self.campaign, person=person, role=role, origin=Origin.FILE)
                self.new_roles.append(given)
                self.after.roles.add((spec.username, role))
                self.report.add_change(gettext_noop("person %(name)s: %(role)s"), name=spec.username, role=role)
            elif self.report.takes_over and held.origin != Origin.FILE:
                self.take_over(held)
                text = gettext_noop("person %(name)s: role %(role)s taken over")
                self.report.add_change(text, name=spec.username, role=role)

    def take_over(self, held: CampaignRole | TeamMember) -> None:
        held.origin = Origin.FILE
        self.report.later(partial(held.save, update_fields=["origin"]))

    def set_team(self, spec: PersonSpec, place: str) -> None:
        """A person takes part for one team per campaign; this file says nothing about other campaigns."""
        held, username = self.members.get(spec.username), spec.username
        before = held.team.name if held else ""
        if held is not None and held.origin != Origin.FILE and not self.report.takes_over:
            if spec.team != before:
                self.report.note(place, TAKEN_BY_PAGE, name=username, team=before)
            return
        if spec.team != before:
            team = self.after.teams[username] = self.teams.team_called(spec.team)
            self.report.later(partial(_replace_member, self.campaign, self.people[username], team))
            self.report.add_change(TEAM_CHANGED, name=username, before=before or "none", team=spec.team)
        elif held is not None and held.origin != Origin.FILE:
            self.take_over(held)
            text = gettext_noop("person %(name)s: team %(team)s taken over")
            self.report.add_change(text, name=username, team=spec.team)

    def take_back_roles(self, wanted: set[tuple[str, str]]) -> None:
        for (name, role), held in sorted(self.roles.items()):
            if (name, role) in wanted:
                continue
            said = {"name": name, "role": role}
            if held.origin != Origin.FILE:
                self.report.leave_alone(ROLE_OF_PAGE, **said)
            elif not self.report.prunes:
                self.report.leave_alone(ROLE_GONE, **said)
            elif role == Role.ORGANIZER and not self.others_organize(name):
                self.report.note("[[people]]", LAST_ORGANIZER, name=name)
            else:
                self.after.roles.discard((name, role))
                self.report.later(partial(_take_back, self.campaign, held))
                self.report.add_change(gettext_noop("person %(name)s: role %(role)s taken back"), **said)

    def others_organize(self, name: str) -> bool:
        known = self.people | {held.person.username: held.person for held in self.roles.values()}
        return any(known[one].is_active for one in self.after.of_role({Role.ORGANIZER}) - {name})

    def take_back_teams(self, wanted: set[str]) -> None:
        for name, held in sorted(self.members.items()):
            if name in wanted:
                continue
            team = held.team.name
            if held.origin != Origin.FILE:
                self.report.leave_alone(TEAM_OF_PAGE, name=name, team=team)
            elif not self.report.prunes:
                self.report.leave_alone(TEAM_GONE, name=name, team=team)
            else:
                del self.after.teams[name]
                self.report.later(held.delete)
                self.report.add_change(TEAM_CHANGED, name=name, before=team, team="none")

    def refuse_interests(self, entries: Sequence[Entry]) -> None:
        """Notes people of the file who would both judge and take part; people that it does not name are not its problem."""
        interests = interests_to_be(self.campaign, entries, self.after)
        torn = interests.barred_from_all() & self.after.of_role(JUDGING)
        for number, spec in enumerate(self.specs, start=1):
            if spec.username in torn:
                names = sorted(team.partition("\n")[0] for team in interests.teams[spec.username])
                named = {"name": spec.username, "team": ", ".join(names)}
                self.report.note(f"[[people]] {number} roles", JUDGES_AND_TAKES_PART, **named)


def _replace_member(campaign: Campaign, person: Person, team: Team) -> None:
    """One row per person: another team is another row, for whatever refers to the one that was left."""
    campaign.team_members.filter(person=person).delete()
    TeamMember.objects.create(campaign=campaign, team=team, person=person, origin=Origin.FILE)


def _take_back(campaign: Campaign, held: CampaignRole) -> None:
    held.delete()
    if held.role == Role.ORGANIZER:
        end_what_they_made(campaign, held.person, None, timezone.now())
