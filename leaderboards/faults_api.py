"""REST: what a bot's failures cost on the leaderboard, what another policy would move, and what the last change moved."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import TypedDict

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from accounts.own_api import read_body
from api.describing import describes
from api.paging import asked_in
from campaigns.access import campaign_for
from campaigns.campaign_settings import settings_of
from campaigns.models import Campaign, Role
from dialogues.fault_policy import FaultPolicy, fault_policy_of
from leaderboards.actions import ask_what_would_move, change_fault_policy
from leaderboards.fault_previews import movements_in, stored_change, stored_preview
from leaderboards.models import StoredBoard
from leaderboards.movements import Movement
from reading.json_schemas import Moment
from reading.kinds import Choice, Kind
from reading.tables import Field, Table

CHOICES: Mapping[str, Kind] = {name: Choice(one.stored_choices) for name, one in settings_of("faults").items()}
POLICY = Table({name: Field(kind) for name, kind in CHOICES.items()})


class PolicyAnswer(TypedDict):
    broken_dialogues: str
    failed_turns: str


class MovedFigureAnswer(TypedDict):
    figure: str
    before: float | None
    after: float | None


class MovementAnswer(TypedDict):
    """`bot` is its id in the campaign; a rank is null where the bot had or has none. Of the figures those that moved."""

    bot: int
    team: str
    team_en: str
    name: str
    rank_before: int | None
    rank_after: int | None
    n_before: int | None
    n_after: int | None
    figures: list[MovedFigureAnswer]


class ChangeAnswer(TypedDict):
    policy_before: PolicyAnswer
    policy_after: PolicyAnswer
    moved: list[MovementAnswer]


class FaultsAnswer(PolicyAnswer):
    """`last_change` is null where nobody had asked beforehand what the change would move."""

    last_change: ChangeAnswer | None


class PreviewAnswer(TypedDict):
    """`is_asked`: somebody asked for it under the policy in force; `moved` is null until it is computed."""

    policy: PolicyAnswer
    is_in_force: bool
    is_asked: bool
    computed_at: Moment | None
    moved: list[MovementAnswer] | None


class Faults(APIView):
    access = Access("roles", (Role.ORGANIZER,))

    @describes("Gives what a bot's failures cost, and what the last change of it moved", FaultsAnswer)
    def get(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        changed = stored_change(campaign)
        said = asdict(fault_policy_of(campaign))
        return Response(said | {"last_change": changed and change_document(campaign, changed)})

    @describes(
        "Changes what a bot's failures cost; the leaderboard is computed anew",
        PolicyAnswer,
        reads=POLICY,
        refuses=(409, 422),
    )
    def put(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        policy = FaultPolicy(**read_body(request, POLICY))
        change_fault_policy(campaign=campaign, policy=policy, at=timezone.now(), by=person_of(request))
        return Response(asdict(policy))


class FaultsPreview(APIView):
    """POST asks for a computation in the background; GET gives what has come of it. Nothing on the board changes."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes("Gives what another cost of failures would move, once that is computed", PreviewAnswer, asks=CHOICES)
    def get(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        return Response(preview_document(campaign, policy_asked(request, campaign)))

    @describes(
        "Has it computed what another cost of failures would move", PreviewAnswer, 202, reads=POLICY, refuses=(422,)
    )
    def post(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        policy = FaultPolicy(**read_body(request, POLICY))
        ask_what_would_move(campaign=campaign, policy=policy)
        return Response(preview_document(campaign, policy), status=202)


def policy_asked(request: Request, campaign: Campaign) -> FaultPolicy:
    """The policy of the address; what it leaves out is as it is in force. Errors: `ValidationError`."""
    return FaultPolicy(**asdict(fault_policy_of(campaign)) | asked_in(request, CHOICES))


def preview_document(campaign: Campaign, policy: FaultPolicy) -> PreviewAnswer:
    preview = stored_preview(campaign, policy)
    computed_at = preview.computed_at if preview else None
    return {
        "policy": policy_document(asdict(policy)),
        "is_in_force": policy == fault_policy_of(campaign),
        "is_asked": preview is not None,
        "computed_at": computed_at.isoformat() if computed_at else None,
        "moved": moved_in(campaign, preview) if preview and computed_at else None,
    }


def change_document(campaign: Campaign, changed: StoredBoard) -> ChangeAnswer:
    return {
        "policy_before": policy_document(changed.rows["from"]),
        "policy_after": policy_document(changed.rows["to"]),
        "moved": moved_in(campaign, changed),
    }


def policy_document(said: dict[str, str]) -> PolicyAnswer:
    return {"broken_dialogues": said["broken_dialogues"], "failed_turns": said["failed_turns"]}


def moved_in(campaign: Campaign, stored: StoredBoard) -> list[MovementAnswer]:
    return [movement_document(one) for one in movements_in(campaign, stored)]


def movement_document(one: Movement) -> MovementAnswer:
    return {
        "bot": int(one.after.key),
        "team": one.after.team,
        "team_en": one.after.team_en,
        "name": one.after.name,
        "rank_before": one.before.rank,
        "rank_after": one.after.rank,
        "n_before": one.before.n,
        "n_after": one.after.n,
        "figures": [
            {"figure": moved.key.name, "before": moved.before, "after": moved.after}
            for moved in one.figures
            if moved.has_moved
        ],
    }
