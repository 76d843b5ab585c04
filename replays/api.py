"""REST: replays of organizers and of teams, and the rounds of the sentinel, by the same rules as the pages."""

from typing import Annotated, Any, TypedDict
from uuid import UUID

from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.request import Request

from accounts.access import Access, person_of
from api.answers import From
from api.describing import describes
from api.paging import PAGES, Page, page_of
from api.parsers import body_in
from campaigns.access import OrganizersView, RolesView
from campaigns.models import Role
from reading.json_schemas import Id, Moment
from reading.kinds import ANY_TEXT, Choice
from reading.tables import Field, Table
from replays.access import ASKED, Wanted, dialogues_for, own_of, replays_for, rounds_for, systems_for, wanted_in
from replays.actions.asking import CannotReplay, stop_replay
from replays.actions.sentinel import settle_drift
from replays.models import Replay, SentinelRound, Settled
from replays.side_by_side import pairs_of

SETTLING = Table({"settled": Field(Choice(tuple(Settled.values))), "because": Field(ANY_TEXT, "")}, keeps_others=True)


class ReplayAnswer(TypedDict):
    """`of` is the system of the dialogue, `against` the one that was asked. The figures are null until it is done."""

    id: Annotated[Id, From("pk")]
    dialogue: Annotated[Id, From("dialogue_id")]
    of: Annotated[str, From("dialogue.assignment.entry.alias")]
    against: Annotated[str, From("against.alias")]
    state: str
    sentinel: Annotated[bool, From("is_of_sentinel")]
    asked_at: Moment
    began_at: Moment | None
    ended_at: Moment | None
    calls: Annotated[int, From("n_lines")]
    turns: Annotated[int, From("n_turns")]
    changed: Annotated[int, From("n_changed")]
    parts_at: int | None
    distance: float | None
    protocol: str
    fingerprint_taken_at: Annotated[Moment | None, From("fingerprint.taken_at")]
    failure: Annotated[str, From("failure_in_words")]


class OwnReplayAnswer(TypedDict):
    """The same to the team that asked; its system goes by its name."""

    id: Annotated[Id, From("pk")]
    dialogue: Annotated[Id, From("dialogue_id")]
    against: Annotated[str, From("against.bot.name")]
    state: str
    asked_at: Moment
    ended_at: Moment | None
    calls: Annotated[int, From("n_lines")]
    turns: Annotated[int, From("n_turns")]
    changed: Annotated[int, From("n_changed")]
    parts_at: int | None
    distance: float | None
    failure: Annotated[str, From("failure_in_words")]


class ReplayedTurnAnswer(TypedDict):
    """`outcome` is empty where the line was not put. After the first `changed` answer a person would have spoken differently."""

    number: Annotated[int, From("turn.number")]
    text: Annotated[str, From("turn.text")]
    then: Annotated[list[str], From("turn.texts")]
    now: Annotated[list[str], From(lambda pair: list(pair.now.texts) if pair.now else [])]
    outcome: Annotated[str, From("now.outcome", none="")]
    kind: Annotated[str, From("now.kind", none="")]
    fault: Annotated[str, From("now.fault", none="")]
    latency_ms: Annotated[int | None, From("now.latency_ms")]
    changed: Annotated[bool, From("is_changed")]
    after_parting: Annotated[bool, From("is_after")]


class WholeReplayAnswer(TypedDict):
    replay: ReplayAnswer
    turns: list[ReplayedTurnAnswer]


class WholeOwnReplayAnswer(TypedDict):
    replay: OwnReplayAnswer
    turns: list[ReplayedTurnAnswer]


class AskedAnswer(TypedDict):
    """What was asked for, or would be: `replays` is empty where calls were only counted."""

    dialogues: int
    calls: int
    calls_left: int
    minutes_at_most: int
    replays: list[ReplayAnswer]


class OwnAskedAnswer(TypedDict):
    dialogues: int
    calls: int
    calls_left: int
    minutes_at_most: int
    replays: list[OwnReplayAnswer]


class RoundAnswer(TypedDict):
    """One round of the sentinel; `drift` is `distance` minus `spread`, all in [0, 1]."""

    id: Annotated[int, From("pk")]
    system: Annotated[str, From("entry.alias")]
    began_at: Moment
    ended_at: Moment | None
    canaries: Annotated[int, From("n_canaries")]
    distance: float | None
    spread: float | None
    drift: float | None
    limit_percent: int
    flagged: Annotated[bool, From("is_flagged")]
    settled: str
    settled_at: Moment | None
    because: Annotated[str, From("settled_because")]


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
    return {
        "dialogues": plan.n_dialogues,
        "calls": plan.n_calls,
        "calls_left": plan.n_left,
        "minutes_at_most": plan.longest_min,
        "replays": list(Replay.objects.with_names().filter(pk__in=[one.pk for one in made])),
    }


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
