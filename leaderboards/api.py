"""REST: how far a panel agrees and what each reviewer is like, as it was computed last."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, NotRequired, TypedDict

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from accounts.own_api import read_body
from api.describing import describes
from api.paging import asked_in, page_of, pages_of
from campaigns.access import campaign_for
from campaigns.campaign_settings import settings_of
from campaigns.interests import check_interest
from campaigns.models import Campaign, Role
from dialogues.fault_policy import FaultPolicy, fault_policy_of
from leaderboards.actions import ask_what_would_move, change_fault_policy
from leaderboards.agreement_board import (
    CriterionRow,
    GoldRow,
    criteria_rows,
    gold_rows,
    reviewer_rows,
    stored_agreement,
)
from leaderboards.board import Board, Key, Movement
from leaderboards.fault_previews import movements_in, stored_change, stored_preview
from leaderboards.live_board import board_of, columns_of
from leaderboards.models import StoredBoard
from leaderboards.records import FigureRecord, FigureRecords
from leaderboards.slices import WAYS, adjusted_criteria, key_named, parts_now, parts_of
from measures.live import SubtaskOutcome
from reading.json_schemas import Id, Moment
from reading.kinds import ANY_TEXT, Choice, Kind
from reading.tables import Field, Table


class ReviewerOnCriterion(TypedDict):
    """Severity and spread in points, drift per 100 hand-ins with its 95% interval: of scales, not of labels."""

    reviewer: str
    n: int
    agreement: float | None
    alpha_without: float | None
    severity: NotRequired[float | None]
    spread: NotRequired[float | None]
    drift: NotRequired[list[float] | None]


class CriterionAgreement(TypedDict):
    """`alpha` is Krippendorff's, `kappa` Fleiss's, `raw` the share of equal pairs; null where they cannot be said.

    `n_shared` is null, too, where there are more scores than are compared at once.
    """

    criterion: str
    level: str
    n_ratings: int
    n_shared: int | None
    alpha: float | None
    kappa: float | None
    raw: float | None
    reviewers: list[ReviewerOnCriterion]


class ReviewerPace(TypedDict):
    reviewer: str
    n: int
    pace_s: float | None


class BiasAndDrift(TypedDict):
    bias: float | None
    drift: list[float] | None


class AgainstGold(BiasAndDrift):
    """`n` gold dialogues were handed in, the share `exact` of their scores was given exactly."""

    reviewer: str
    n: int
    exact: float | None
    criteria: dict[str, BiasAndDrift]


class AgreementAnswer(TypedDict):
    """`computed_at` is null before the first computation."""

    has_panel: bool
    computed_at: Moment | None
    is_outdated: bool
    criteria: list[CriterionAgreement]
    reviewers: list[ReviewerPace]
    gold: list[AgainstGold]


class AgreementOfPanel(APIView):
    access = Access("roles", (Role.ORGANIZER,))

    @describes("Gives how far the panel agrees, and each reviewer's severity, drift and pace", AgreementAnswer)
    def get(self, request: Request, slug: str) -> Response:
        return Response(agreement_document(campaign_for(request.user, slug, Role.ORGANIZER)))


def agreement_document(campaign: Campaign) -> AgreementAnswer:
    stored = stored_agreement(campaign)
    return {
        "has_panel": campaign.panels_score,
        "computed_at": stored.computed_at.isoformat() if stored.computed_at else None,
        "is_outdated": stored.is_outdated,
        "criteria": [criterion_document(row) for row in criteria_rows(campaign, stored.rows)],
        "reviewers": [
            {"reviewer": name, "n": row["n"], "pace_s": row["pace_s"]} for name, row in reviewer_rows(stored.rows)
        ],
        "gold": [gold_document(row) for row in gold_rows(campaign, stored.rows)],
    }


def criterion_document(row: CriterionRow) -> Any:
    reviewers = [{"reviewer": name, **figures} for name, figures in row.reviewers]
    return {"criterion": row.criterion.key, **row.figures, "reviewers": reviewers}


def gold_document(row: GoldRow) -> Any:
    return {"reviewer": row.name, **row.figures}


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


ASKED = {"by": Choice(tuple(WAYS)), "figure": ANY_TEXT}


class PartAnswer(TypedDict):
    """The figure of a bot over the `n` records of a part; null where it has none there."""

    name: str
    figure: float | None
    n: int


class PartsOfBot(TypedDict):
    """`bot` is its id in the campaign."""

    bot: int
    team: str
    team_en: str
    name: str
    parts: list[PartAnswer]


class AdjustedBot(TypedDict):
    """The mean as it was scored, and as an average reviewer would have; the ranks are by this criterion alone."""

    bot: int
    team: str
    team_en: str
    name: str
    plain: float
    adjusted: float
    rank: int
    adjusted_rank: int


class AdjustedCriterion(TypedDict):
    """`severity` is each reviewer's, in points."""

    criterion: str
    rows: list[AdjustedBot]
    severity: dict[str, float]


class PartsAnswer(TypedDict):
    """`rows` are those of every way but severity, which has `criteria`. `scores_version` is that of the board's figures; both are empty, and
    `computed_at` is null, from `recomputing_since` until the parts of these figures are computed.
    """

    by: str
    figure: str | None
    computed_at: Moment | None
    is_outdated: bool
    scores_version: int
    recomputing_since: Moment | None
    rows: list[PartsOfBot]
    criteria: list[AdjustedCriterion]


class BoardParts(APIView):
    access = Access("roles", (Role.ORGANIZER,))

    @describes(
        "Gives a figure of the board over parts of its records, or with `by` severity the means freed from it",
        PartsAnswer,
        asks=ASKED,
    )
    def get(self, request: Request, slug: str) -> Response:
        campaign, asked = campaign_for(request.user, slug, Role.ORGANIZER), asked_in(request, ASKED)
        now = parts_now(campaign)
        board = board_of(campaign, now.figures.rows)
        by, key = asked.get("by", "kind"), key_named(board, asked.get("figure"))
        is_severity = by == "severity"
        return Response(
            {
                "by": by,
                "figure": None if is_severity else key.name,
                "computed_at": now.parts.computed_at.isoformat() if now.rows and now.parts.computed_at else None,
                "is_outdated": now.parts.is_outdated,
                "scores_version": now.figures.scores_version,
                "recomputing_since": now.recomputing_since.isoformat() if now.recomputing_since else None,
                "rows": part_rows(board, now.rows, by, key) if now.rows and not is_severity else [],
                "criteria": criteria_documents(board, now.rows) if is_severity else [],
            }
        )


def part_rows(board: Board, stored: dict[str, Any], by: str, key: Key) -> list[PartsOfBot]:
    names, rows = parts_of(board, stored, by, key)
    return [
        {
            "bot": int(row.key),
            "team": row.team,
            "team_en": row.team_en,
            "name": row.name,
            "parts": [
                {"name": name, "figure": cell.figure, "n": cell.n} for name, cell in zip(names, cells, strict=True)
            ],
        }
        for row, cells in rows
    ]


def criteria_documents(board: Board, stored: dict[str, Any]) -> list[AdjustedCriterion]:
    return [
        {
            "criterion": key.name,
            "rows": [
                {
                    "bot": int(one.row.key),
                    "team": one.row.team,
                    "team_en": one.row.team_en,
                    "name": one.row.name,
                    "plain": one.plain,
                    "adjusted": one.adjusted,
                    "rank": one.rank,
                    "adjusted_rank": one.adjusted_rank,
                }
                for one in rows
            ],
            "severity": dict(severity),
        }
        for key, rows, severity in adjusted_criteria(board, stored)
    ]


# Of each dialogue a page has all records, so that fewer dialogues fit on one.
DIALOGUES_PER_PAGE = 100


class OutcomeAnswer(TypedDict):
    """`turns` of an unfinished subtask is what was spent; its cap is what counts."""

    kind: str
    completed: bool
    turns: int
    cap: int


class FigureRecordAnswer(TypedDict):
    """`value` is the record's value of the figure, null where its reviewer gave none; an imported record has no `dialogue`. `weight` is the record's share of its dialogue."""

    dialogue: Id | None
    part: str
    scenario: str
    reviewer: str
    subtasks: list[OutcomeAnswer]
    value: float | None
    weight: float


class RecordsOfFigure(APIView):
    """GET pages by dialogue: `per_page` and `X-Total-Count` count dialogues, and a page has every record of each."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes(
        "Lists the records that a figure of a bot is the mean of; `per_page` counts dialogues, each with all its records",
        list[FigureRecordAnswer],
        asks=pages_of(DIALOGUES_PER_PAGE),
        refuses=(409,),
    )
    def get(self, request: Request, slug: str, entry_id: int, figure: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        entry = get_object_or_404(campaign.entries, pk=entry_id)
        if figure not in {key.name for key in columns_of(campaign)}:
            raise Http404
        check_interest(request.user, entry.pk)
        # The stubs want every sequence's methods; `Paginator` takes lengths and slices alone.
        records: Any = FigureRecords(campaign, entry, figure)
        page = page_of(request, records, most=DIALOGUES_PER_PAGE)
        return Response([record_document(one) for one in page.rows], headers=page.headers)


def record_document(one: FigureRecord) -> FigureRecordAnswer:
    return {
        "dialogue": str(one.dialogue) if one.dialogue else None,
        "part": one.part,
        "scenario": one.record.scenario,
        "reviewer": one.record.reviewer,
        "subtasks": outcomes(one.record.subtasks),
        "value": one.value,
        "weight": float(one.record.weight),
    }


def outcomes(subtasks: Iterable[SubtaskOutcome]) -> list[OutcomeAnswer]:
    return [{"kind": one.kind, "completed": one.is_finished, "turns": one.turns, "cap": one.cap} for one in subtasks]
