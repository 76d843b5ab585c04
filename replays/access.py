"""Which replays and dialogues somebody may see and ask for: organizers those of systems in which they have no interest, a team its own after publication."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404

from accounts.models import Person
from campaigns.access import team_of
from campaigns.interests import barred_entries
from campaigns.models import Campaign, Entry
from dialogues.models import Dialogue
from dialogues.turn_taking import REVIEWABLE
from participants.models import Team
from reading.digits import whole_or_none
from reading.kinds import ANY_TEXT, FLAG, ListOf, Whole
from reading.tables import Field, Table
from replays.actions.asking import (
    MOST_AT_ONCE,
    CannotReplay,
    ReplayPlan,
    ask_replays,
    plan_replays,
    replayable,
    with_lines,
)
from replays.models import Replay, ReplayQuerySet, SentinelRound, SentinelRoundQuerySet

ASKED = Table(
    {
        "dialogues": Field(ListOf(ANY_TEXT), ()),
        "of": Field(ANY_TEXT, ""),
        "n": Field(Whole(1, MOST_AT_ONCE), 1),
        "against": Field(ANY_TEXT),
        "only_count": Field(FLAG, False),
    },
    keeps_others=True,
)


def replays_for(reader: Person, campaign: Campaign) -> ReplayQuerySet:
    barred = barred_entries(reader)
    found = Replay.objects.of_campaign(campaign).exclude(against__in=barred)
    return found.exclude(dialogue__assignment__entry__in=barred).with_names()


def rounds_for(reader: Person, campaign: Campaign) -> SentinelRoundQuerySet:
    return SentinelRound.objects.of_campaign(campaign).exclude(entry__in=barred_entries(reader))


def dialogues_for(reader: Person, campaign: Campaign) -> QuerySet[Dialogue]:
    return replayable(campaign).exclude(assignment__entry__in=barred_entries(reader))


def systems_for(reader: Person, campaign: Campaign) -> QuerySet[Entry]:
    """The systems that can be replayed against, by alias."""
    found = campaign.entries.taking_part().exclude(pk__in=barred_entries(reader))
    return found.select_related("campaign", "bot__team").order_by("alias")


@dataclass(frozen=True, slots=True)
class Own:
    """What a team may replay: its systems, and their dialogues that were released to it."""

    team: Team
    campaign: Campaign

    @property
    def is_open(self) -> bool:
        """Whether the leaderboard is public and what was said is released to the teams."""
        return self.campaign.board_is_public and self.campaign.releases_transcripts

    @property
    def systems(self) -> QuerySet[Entry]:
        found = self.campaign.entries.taking_part().filter(bot__team=self.team)
        return found.select_related("campaign", "bot__team").order_by("bot__name", "pk")

    @property
    def dialogues(self) -> QuerySet[Dialogue]:
        if not self.is_open:
            return Dialogue.objects.none()
        return replayable(self.campaign).filter(assignment__entry__bot__team=self.team, status__in=REVIEWABLE)

    @property
    def replays(self) -> ReplayQuerySet:
        """Those that it asked for; none while its dialogues are not released to it, as each tells its scenario and what was said."""
        if not self.is_open:
            return Replay.objects.none().with_names()
        found = Replay.objects.of_campaign(self.campaign).filter(is_of_team=True, against__bot__team=self.team)
        return found.with_names()


def own_of(person: Any, campaign: Campaign) -> Own:
    """Errors: `Http404` without a team."""
    team = team_of(person, campaign)
    if team is None:
        raise Http404
    return Own(team, campaign)


def system_called(systems: QuerySet[Entry], name: str, *, by_id: bool) -> Entry:
    """A team knows its systems by their ids, an organizer all by their aliases. Errors: `CannotReplay`."""
    number = whole_or_none(name)
    found = systems.filter(alias=name) if not by_id else systems.filter(pk=number) if number else systems.none()
    system = found.first()
    if system is None:
        raise CannotReplay("no_system")
    return system


def ids_in(texts: Iterable[str]) -> list[UUID]:
    """Those of the texts that are ids."""
    found = []
    for text in texts:
        try:
            found.append(UUID(text))
        except ValueError:
            continue
    return found


@dataclass(frozen=True, slots=True)
class Wanted:
    """Chosen dialogues and the system that they are put to; `team` is the one that asks."""

    campaign: Campaign
    dialogues: QuerySet[Dialogue]
    against: Entry
    team: Team | None = None

    def plan(self, at: datetime) -> ReplayPlan:
        return plan_replays(self.campaign, list(with_lines(self.dialogues)), at, team=self.team)

    def ask(self, *, by: Person, at: datetime) -> list[Replay]:
        """Errors: `CannotReplay`."""
        return ask_replays(
            campaign=self.campaign, dialogues=self.dialogues, against=self.against, by=by, at=at, team=self.team
        )


def wanted_in(
    said: Mapping[str, Any],
    campaign: Campaign,
    dialogues: QuerySet[Dialogue],
    systems: QuerySet[Entry],
    team: Team | None = None,
) -> Wanted:
    """The dialogues of these ids, else the latest `n` of the system `of`, by default of `against` itself.

    Errors: `CannotReplay` for a system that is not among `systems`, and for too many ids.
    """
    by_id = team is not None
    against = system_called(systems, said["against"], by_id=by_id)
    of = system_called(systems, said["of"], by_id=by_id) if said["of"] else against
    if by_id and of.pk != against.pk:
        raise CannotReplay("not_own")
    if len(said["dialogues"]) > MOST_AT_ONCE:
        raise CannotReplay("too_many", n=MOST_AT_ONCE)
    found = dialogues.filter(assignment__entry=against) if by_id else dialogues
    if said["dialogues"]:
        return Wanted(campaign, found.filter(pk__in=ids_in(said["dialogues"])), against, team)
    latest = found.filter(assignment__entry=of).order_by("-closed_at", "pk").values("pk")[: said["n"]]
    return Wanted(campaign, dialogues.filter(pk__in=latest), against, team)
