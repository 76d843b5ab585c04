"""REST: replays of organizers and of teams, and the rounds of the sentinel, by the same rules as the pages."""

from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.request import Request

from accounts.access import Access, person_of
from api.describing import describes
from api.paging import PAGES, Page, page_of
from api.parsers import body_in
from campaigns.access import OrganizersView, RolesView
from campaigns.models import Role
from reading.kinds import ANY_TEXT, Choice
from reading.tables import Field, Table
from replays.access import dialogues_for, own_of, replays_for, rounds_for, systems_for
from replays.actions.asking import CannotReplay, stop_replay
from replays.actions.sentinel import settle_drift
from replays.documents import (
    AskedAnswer,
    OwnAskedAnswer,
    OwnReplayAnswer,
    ReplayAnswer,
    RoundAnswer,
    WholeOwnReplayAnswer,
    WholeReplayAnswer,
    asked_answer,
)
from replays.models import Replay, SentinelRound, Settled
from replays.requested import ASKED, Wanted, wanted_in
from replays.shown import pairs_of

SETTLING = Table({"settled": Field(Choice(tuple(Settled.values))), "because": Field(ANY_TEXT, "")}, keeps_others=True)


class Replays(OrganizersView):
    """GET lists replays; POST counts what replays would take, or asks for them."""

    @describes("Lists the replays of a campaign, the latest first", list[ReplayAnswer], asks=PAGES)
    def get(self, request: Request) -> Page:
        return page_of(request, replays_for(person_of(request), self.campaign))

    @describes(
        "Puts finished dialogues to a system again, or counts the calls", AskedAnswer, 201, reads=ASKED, refuses=(409,)
    )
    def post(self, request: Request) -> Any:
        by, said = person_of(request), body_in(request, ASKED)
        wanted = wanted_in(said, self.campaign, dialogues_for(by, self.campaign), systems_for(by, self.campaign))
        return asked(wanted, by, only_count=said["only_count"])


def asked(wanted: Wanted, by: Any, *, only_count: bool) -> dict[str, Any]:
    at = timezone.now()
    plan = wanted.plan(at)
    made = [] if only_count else wanted.ask(by=by, at=at)
    return asked_answer(plan, list(Replay.objects.with_names().filter(pk__in=[one.pk for one in made])))


class OneReplay(OrganizersView):
    """One replay beside its dialogue."""

    @describes("Gives a replay beside its dialogue", WholeReplayAnswer)
    def get(self, request: Request, replay_id: UUID) -> dict[str, Any]:
        replay = get_object_or_404(replays_for(person_of(request), self.campaign), pk=replay_id)
        return {"replay": replay, "turns": pairs_of(replay)}


class StopReplay(OrganizersView):
    """POST stops a replay that waits or runs."""

    @describes("Stops a replay", ReplayAnswer, refuses=(409,))
    def post(self, request: Request, replay_id: UUID) -> Replay:
        replay = get_object_or_404(replays_for(person_of(request), self.campaign), pk=replay_id)
        return stop_replay(replay=replay, by=person_of(request), at=timezone.now())


class SentinelRounds(OrganizersView):
    """GET lists the rounds of the sentinel."""

    @describes("Lists the rounds of the sentinel, the latest first", list[RoundAnswer], asks=PAGES)
    def get(self, request: Request) -> Page:
        return page_of(request, rounds_for(person_of(request), self.campaign).select_related("entry"))


class SettleDrift(OrganizersView):
    """POST says of a flagged drift that it is known, or that the system is as it is now."""

    @describes("Settles a drift", RoundAnswer, reads=SETTLING, refuses=(409,))
    def post(self, request: Request, round_id: int) -> SentinelRound:
        by, said = person_of(request), body_in(request, SETTLING)
        found = get_object_or_404(rounds_for(by, self.campaign).select_related("entry__campaign"), pk=round_id)
        settled, because = Settled(said["settled"]), said["because"]
        return settle_drift(found=found, settled=settled, because=because, by=by, at=timezone.now())


class OwnReplays(RolesView):
    """GET lists the replays that one's team asked for; POST counts or asks, once the leaderboard is published."""

    access = Access("roles", (Role.PARTICIPANT,))

    @describes("Lists the replays that one's own team asked for", list[OwnReplayAnswer], asks=PAGES)
    def get(self, request: Request) -> Page:
        return page_of(request, own_of(person_of(request), self.campaign).replays)

    @describes(
        "Puts dialogues of one's own system to it again, or counts the calls",
        OwnAskedAnswer,
        201,
        reads=ASKED,
        refuses=(409,),
    )
    def post(self, request: Request) -> Any:
        by, said = person_of(request), body_in(request, ASKED)
        own = own_of(by, self.campaign)
        if not own.is_open:
            raise CannotReplay("not_released")
        wanted = wanted_in(said, self.campaign, own.dialogues, own.systems, own.team)
        return asked(wanted, by, only_count=said["only_count"])


class OneOwnReplay(RolesView):
    """One replay that one's team asked for, beside its dialogue."""

    access = Access("roles", (Role.PARTICIPANT,))

    @describes("Gives a replay of one's own system beside its dialogue", WholeOwnReplayAnswer)
    def get(self, request: Request, replay_id: UUID) -> dict[str, Any]:
        replay = get_object_or_404(own_of(person_of(request), self.campaign).replays, pk=replay_id)
        return {"replay": replay, "turns": pairs_of(replay)}
