"""Which replays and dialogues somebody may see: organizers those of systems in which they have no interest, a team its own after publication."""

from dataclasses import dataclass
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
from replays.actions.asking import CannotReplay, replayable
from replays.models import Replay, ReplayQuerySet, SentinelRound, SentinelRoundQuerySet

MOST_CHOSEN = 500


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


def chosen_among(dialogues: QuerySet[Dialogue], *, ids: list[UUID], of: Entry | None, n: int) -> QuerySet[Dialogue]:
    """The dialogues of those ids, else the latest `n` with the system `of`, or with any."""
    if ids:
        return dialogues.filter(pk__in=ids)
    found = dialogues if of is None else dialogues.filter(assignment__entry=of)
    latest = found.order_by("-closed_at", "pk").values_list("pk", flat=True)[: min(n, MOST_CHOSEN)]
    return dialogues.filter(pk__in=list(latest))


def system_called(systems: QuerySet[Entry], name: str, *, by_id: bool) -> Entry:
    """A team knows its systems by their ids, an organizer all by their aliases. Errors: `CannotReplay`."""
    number = whole_or_none(name)
    found = systems.filter(alias=name) if not by_id else systems.filter(pk=number) if number else systems.none()
    system = found.first()
    if system is None:
        raise CannotReplay("no_system")
    return system
