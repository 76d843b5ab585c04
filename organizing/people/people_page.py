"""Everybody of a campaign: roles, team, when they were last seen, how far they are. Eight queries for any number of people."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Q

from accounts.models import Person
from campaigns.interests import JUDGING, Interests
from campaigns.models import Campaign, CampaignRole, Role
from dialogues.models import Dialogue
from dialogues.turn_taking import DialogueStatus
from participants.models import Team
from reviews.models import ReviewPlace


@dataclass(frozen=True, slots=True)
class Work:
    """How much of somebody's work in one role is done and left; nothing where there is none to count."""

    role: Role
    n_done: int
    n_left: int


@dataclass(slots=True)
class PersonRow:
    """One person with all roles in the campaign."""

    person: Person
    roles: list[CampaignRole] = field(default_factory=list)
    team: Team | None = None
    # The teams for which they take part, though they judge or organize and are barred from all dialogues.
    barred_by: list[str] = field(default_factory=list)
    seen_at: datetime | None = None
    work: list[Work] = field(default_factory=list)

    @property
    def pause(self) -> CampaignRole | None:
        """The role that pauses, with since when and why."""
        return next((role for role in self.roles if role.paused_at is not None), None)

    @property
    def names(self) -> set[str]:
        return {role.role for role in self.roles}

    def saw(self, *moments: datetime | None) -> None:
        known = [moment for moment in (self.seen_at, *moments) if moment is not None]
        self.seen_at = max(known) if known else None


def people_of(campaign: Campaign, persons: Iterable[int] | None = None) -> list[PersonRow]:
    """Everybody with a role in the campaign, or those of them with these ids, by user name."""
    rows: dict[int, PersonRow] = {}
    roles = campaign.roles.select_related("person").order_by("person__username", "pk")
    for role in roles if persons is None else roles.filter(person__in=list(persons)):
        rows.setdefault(role.person_id, PersonRow(role.person)).roles.append(role)
    for member in campaign.team_members.filter(person__in=rows).select_related("team"):
        rows[member.person_id].team = member.team
    interests = Interests(campaign)
    judging = {pk for pk, row in rows.items() if row.names & {*JUDGING, Role.ORGANIZER}}
    for pk, teams in interests.teams_of(interests.barred_from_all() & judging).items():
        rows[pk].barred_by = teams
    for row in rows.values():
        row.saw(row.person.last_login)
    _note_testing(campaign, rows)
    _note_reviewing(campaign, rows)
    return list(rows.values())


def _note_testing(campaign: Campaign, rows: dict[int, PersonRow]) -> None:
    left = campaign.assignments.filter(started_at=None, tester__in=rows).order_by()
    n_left = dict(left.values_list("tester").annotate(Count("pk")))
    talked: Any = Dialogue.objects.of_campaign(campaign).filter(origin=Dialogue.Origin.LIVE, tester__in=rows).order_by()
    is_done = Q(status__in=[DialogueStatus.COMPLETED, DialogueStatus.UNFINISHED])
    sums = {"n_done": Count("pk", is_done), "opened": Max("opened_at"), "closed": Max("closed_at")}
    counted = talked.values("tester").annotate(**sums).values_list("tester", *sums)
    done = {tester: (n_done, opened_at, closed_at) for tester, n_done, opened_at, closed_at in counted}
    for pk, row in rows.items():
        n_done, *moments = done.get(pk, (0, None, None))
        row.saw(*moments)
        if Role.TESTER in row.names or n_done:
            row.work.append(Work(Role.TESTER, n_done, n_left.get(pk, 0)))


def _note_reviewing(campaign: Campaign, rows: dict[int, PersonRow]) -> None:
    held = ReviewPlace.objects.of_campaign(campaign).held().filter(reviewer__in=rows).order_by()
    counted = held.values_list("reviewer").annotate(Count("done_at"), Count("pk"), Max("done_at"), Max("opened_at"))
    for pk, n_done, n_all, *moments in counted:
        rows[pk].saw(*moments)
        if Role.REVIEWER in rows[pk].names or n_done:
            rows[pk].work.append(Work(Role.REVIEWER, n_done, n_all - n_done))
