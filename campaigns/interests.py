"""Who has an interest in a campaign's systems, and therefore neither sees, tests, scores nor decides dialogues with them.

The members of a team and those who registered its systems, in any campaign, have an interest in it. An organizer who
registers a system for a team of others gets none. An interest in any of its teams bars from all dialogues of a campaign; with
`members_may_judge = "others"`, from those of that team alone (decision 0010).

The rule is one text of SQL: the hot path asks it in statements of its own.
"""

from collections.abc import Collection, Mapping, Set
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models.expressions import RawSQL
from django.utils.translation import gettext as _

from campaigns.models import Campaign, CampaignRoleQuerySet, Entry, EntryQuerySet, Role, TeamMember
from participants.models import Bot, Team
from serving.refused import Refused

# Organizers are not among them: an interest closes single dialogues to them, not their role.
JUDGING = frozenset({Role.TESTER, Role.REVIEWER, Role.EXPERT, Role.ADJUDICATOR})

_MEMBER, _ENTRY, _BOT, _CAMPAIGN = (model._meta.db_table for model in (TeamMember, Entry, Bot, Campaign))
# A row per campaign, person and team; some rows stand there twice.
_INTERESTS = f"""
SELECT member.campaign_id, member.person_id, member.team_id FROM {_MEMBER} member
UNION ALL
SELECT entered.campaign_id, member.person_id, member.team_id FROM {_MEMBER} member
    JOIN {_BOT} made ON made.team_id = member.team_id JOIN {_ENTRY} entered ON entered.bot_id = made.id
UNION ALL
SELECT entered.campaign_id, registered.registered_by_id, made.team_id FROM {_ENTRY} registered
    JOIN {_BOT} written ON written.id = registered.bot_id JOIN {_BOT} made ON made.team_id = written.team_id
    JOIN {_ENTRY} entered ON entered.bot_id = made.id
    WHERE registered.registered_by_id IS NOT NULL AND NOT registered.registered_for_team
"""


def barred(person: str, entry: str) -> str:
    """SQL: whether an interest keeps the person from judging the entry; both are SQL that gives an id."""
    return f"""EXISTS (
        SELECT 1 FROM {_ENTRY} judged JOIN {_BOT} bot_judged ON bot_judged.id = judged.bot_id
        JOIN {_CAMPAIGN} judging ON judging.id = judged.campaign_id
        WHERE judged.id = {entry} AND EXISTS (
            SELECT 1 FROM ({_INTERESTS}) interest
            WHERE interest.campaign_id = judged.campaign_id AND interest.person_id = {person}
            AND (judging.members_may_judge = 'none' OR interest.team_id = bot_judged.team_id)))"""


_BARRED_ENTRIES = f"SELECT entry.id FROM {_ENTRY} entry WHERE {barred('%s', 'entry.id')}"


def barred_entries(person: Any) -> EntryQuerySet:
    """The entries, of all campaigns, whose dialogues the person may not judge."""
    return Entry.objects.filter(pk__in=RawSQL(_BARRED_ENTRIES, [person.pk]))


def may_judge(person: Any, entry_id: int) -> bool:
    """Whether no interest keeps the person from judging dialogues with the entry."""
    return not barred_entries(person).filter(pk=entry_id).exists()


class Interested(Refused):
    """An organizer with an interest reads and decides none of the dialogues that it bars them from."""

    code = "has_interest"

    def __str__(self) -> str:
        return _("You take part for a team, so these dialogues are closed to you: another organizer reads and decides.")


def check_interest(person: Any, entry_id: int) -> None:
    """Errors: `Interested`. A command and the platform itself, which are nobody, have no interest."""
    if person is not None and not may_judge(person, entry_id):
        raise Interested


def has_interest_in(campaign: Campaign, person: Any) -> bool:
    """Whether an interest bars the person from dialogues of the campaign: they do not get what holds all of them."""
    return barred_entries(person).filter(campaign=campaign).exists()


def teams_by_person(campaigns: Collection[int]) -> dict[int, dict[int, set[int]]]:
    """By campaign, who has an interest in which teams: one query. Campaigns without any are left out."""
    found: dict[int, dict[int, set[int]]] = {}
    if not campaigns:
        return found
    places = ", ".join(["%s"] * len(campaigns))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM ({_INTERESTS}) interest WHERE campaign_id IN ({places})", list(campaigns))
        for campaign, person, team in cursor.fetchall():
            found.setdefault(campaign, {}).setdefault(person, set()).add(team)
    return found


Who = TypeVar("Who", int, str)


class InterestsOf(Generic[Who]):
    """Who has an interest in which teams of a campaign; `teams` are those of each person."""

    def __init__(self, campaign: Campaign, teams: Mapping[Who, Set[Who]]) -> None:
        self.reaches_rivals = campaign.members_may_judge == "none"
        self.teams: Mapping[Who, Set[Who]] = teams

    def bars(self, person: Who | None, team: Who | None) -> bool:
        """Whether the person may not judge the systems of the team."""
        if person is None or person not in self.teams:
            return False
        return self.reaches_rivals or team in self.teams[person]

    def barred_from(self, team: Who | None) -> set[Who]:
        """Everybody who may not judge the systems of the team."""
        return {person for person in self.teams if self.bars(person, team)}

    def barred_from_all(self) -> set[Who]:
        """Everybody who may judge no system of the campaign."""
        return set(self.teams) if self.reaches_rivals else set()


class Interests(InterestsOf[int]):
    """Everybody with an interest in a campaign as it is stored: one query."""

    def __init__(self, campaign: Campaign) -> None:
        super().__init__(campaign, teams_by_person([campaign.pk]).get(campaign.pk, {}))
        self._campaign = campaign

    def judging(self, role: Role) -> CampaignRoleQuerySet:
        """Those who hold the role and whom no interest bars from all dialogues of the campaign."""
        held = self._campaign.roles.testers() if role == Role.TESTER else self._campaign.roles.filter(role=role)
        return held.exclude(person__in=self.barred_from_all())

    def teams_of(self, people: Collection[int]) -> dict[int, list[str]]:
        """The names of the teams in which each of these people has an interest."""
        held = {person: self.teams[person] for person in people if person in self.teams}
        teams = Team.objects.filter(pk__in=set().union(*held.values())) if held else ()
        names = {team.pk: team.called for team in teams}
        return {person: sorted(names[team] for team in own) for person, own in held.items()}
