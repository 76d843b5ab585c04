"""REST, for organizers: a panel's agreement, the cost of failures, the board in parts, and the records behind a figure."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Annotated, Any, NotRequired, TypedDict

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.answers import From, encoded
from api.describing import describes
from api.paging import Page, asked_in, page_of, pages_of
from api.parsers import body_in
from campaigns.access import campaign_for
from campaigns.campaign_file.campaign_settings import settings_of
from campaigns.interests import check_interest
from campaigns.models import Campaign, Role
from dialogues.fault_policy import FaultPolicy, fault_policy_of
from leaderboards.actions import ask_what_would_move, change_fault_policy
from leaderboards.diagnostics.agreement_board import (
    conduct_rows,
    criteria_rows,
    gold_rows,
    reviewer_rows,
    stored_agreement,
)
from leaderboards.diagnostics.fault_previews import movements_in, stored_change, stored_preview
from leaderboards.diagnostics.slices import WAYS, adjusted_criteria, key_named, parts_now, parts_of
from leaderboards.live_board import board_of, columns_of
from leaderboards.models import StoredBoard
from leaderboards.records import FigureRecords
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

    They are null, as are each reviewer's `agreement` and `alpha_without`, while fewer than five things were scored by several.
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


class Conduct(TypedDict):
    """Shares of hand-ins at one place of all scales (`straight`) and under two seconds a turn (`hurried`); the most equal ones in a row.

    `n_again` dialogues were scored once more: the share `again_exact` of their scores the same, `again_points` apart on average.
    """

    reviewer: str
    straight: float | None
    longest_run: int
    hurried: float | None
    n_again: int
    again_exact: float | None
    again_points: float | None


class AgreementAnswer(TypedDict):
    """`computed_at` is null before the first computation."""

    has_panel: Annotated[bool, From("campaign.panels_score")]
    computed_at: Moment | None
    is_outdated: bool
    criteria: Annotated[list[CriterionAgreement], From(lambda stored: list(_criteria(stored)))]
    reviewers: Annotated[list[ReviewerPace], From(lambda stored: list(map(_of_reviewer, reviewer_rows(stored.rows))))]
    conduct: Annotated[list[Conduct], From(lambda stored: list(map(_of_reviewer, conduct_rows(stored.rows))))]
    gold: Annotated[list[AgainstGold], From(lambda stored: list(_gold(stored)))]


def _criteria(stored: StoredBoard) -> Iterator[dict[str, Any]]:
    for row in criteria_rows(stored.campaign, stored.rows):
        yield {"criterion": row.criterion.key, **row.figures, "reviewers": list(map(_of_reviewer, row.reviewers))}


def _gold(stored: StoredBoard) -> Iterator[dict[str, Any]]:
    for row in gold_rows(stored.campaign, stored.rows):
        yield {"reviewer": row.name, **row.figures}


def _of_reviewer(row: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    name, figures = row
    return {"reviewer": name, **figures}


class AgreementOfPanel(APIView):
    access = Access("roles", (Role.ORGANIZER,))

    @describes("Gives how far the panel agrees, and each reviewer's severity, drift and pace", AgreementAnswer)
    def get(self, request: Request, slug: str) -> StoredBoard:
        return stored_agreement(campaign_for(request.user, slug, Role.ORGANIZER))


CHOICES: Mapping[str, Kind] = {name: Choice(one.stored_choices) for name, one in settings_of("faults").items()}
POLICY = Table({name: Field(kind) for name, kind in CHOICES.items()})


class PolicyAnswer(TypedDict):
    broken_dialogues: str
    failed_turns: str


class MovedFigureAnswer(TypedDict):
    figure: Annotated[str, From("key.name")]
    before: float | None
    after: float | None


class MovementAnswer(TypedDict):
    """`bot` is its id in the campaign; a rank is null where the bot had or has none. Of the figures those that moved."""

    bot: Annotated[int, From(lambda one: int(one.after.key))]
    team: Annotated[str, From("after.team")]
    team_en: Annotated[str, From("after.team_en")]
    name: Annotated[str, From("after.name")]
    rank_before: Annotated[int | None, From("before.rank")]
    rank_after: Annotated[int | None, From("after.rank")]
    n_before: Annotated[int | None, From("before.n")]
    n_after: Annotated[int | None, From("after.n")]
    figures: Annotated[list[MovedFigureAnswer], From(lambda one: [moved for moved in one.figures if moved.has_moved])]


class ChangeAnswer(TypedDict):
    policy_before: Annotated[PolicyAnswer, From(lambda stored: stored.rows["from"])]
    policy_after: Annotated[PolicyAnswer, From(lambda stored: stored.rows["to"])]
    moved: Annotated[list[MovementAnswer], From(lambda stored: movements_in(stored.campaign, stored))]


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
    def get(self, request: Request, slug: str) -> Any:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        return encoded(FaultsAnswer, fault_policy_of(campaign), last_change=stored_change(campaign))

    @describes(
        "Changes what a bot's failures cost; the leaderboard is recomputed",
        PolicyAnswer,
        reads=POLICY,
        refuses=(409, 422),
    )
    def put(self, request: Request, slug: str) -> FaultPolicy:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        policy = FaultPolicy(**body_in(request, POLICY))
        change_fault_policy(campaign=campaign, policy=policy, at=timezone.now(), by=person_of(request))
        return policy


class FaultsPreview(APIView):
    """POST asks for a computation in the background; GET gives what has come of it. Nothing on the board changes."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes("Gives what another cost of failures would move, once that is computed", PreviewAnswer, asks=CHOICES)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        # What the address leaves out is as it is in force.
        policy = FaultPolicy(**asdict(fault_policy_of(campaign)) | asked_in(request, CHOICES))
        return preview_of(campaign, policy)

    @describes(
        "Has it computed what another cost of failures would move", PreviewAnswer, 202, reads=POLICY, refuses=(422,)
    )
    def post(self, request: Request, slug: str) -> dict[str, Any]:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        policy = FaultPolicy(**body_in(request, POLICY))
        ask_what_would_move(campaign=campaign, policy=policy)
        return preview_of(campaign, policy)


def preview_of(campaign: Campaign, policy: FaultPolicy) -> dict[str, Any]:
    preview = stored_preview(campaign, policy)
    computed_at = preview.computed_at if preview else None
    return {
        "policy": policy,
        "is_in_force": policy == fault_policy_of(campaign),
        "is_asked": preview is not None,
        "computed_at": computed_at,
        "moved": movements_in(campaign, preview) if preview and computed_at else None,
    }


ASKED = {"by": Choice(tuple(WAYS)), "figure": ANY_TEXT}


class PartAnswer(TypedDict):
    """The figure of a bot over the `n` records of a part; null where it has none there."""

    name: str
    figure: float | None
    n: int


class PartsOfBot(TypedDict):
    """`bot` is its id in the campaign."""

    bot: Annotated[int, From(lambda row: int(row.key))]
    team: str
    team_en: str
    name: str
    parts: list[PartAnswer]


class AdjustedBot(TypedDict):
    """The mean as it was scored, and as an average reviewer would have; the ranks are by this criterion alone."""

    bot: Annotated[int, From(lambda one: int(one.row.key))]
    team: Annotated[str, From("row.team")]
    team_en: Annotated[str, From("row.team_en")]
    name: Annotated[str, From("row.name")]
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
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        campaign, asked = campaign_for(request.user, slug, Role.ORGANIZER), asked_in(request, ASKED)
        now = parts_now(campaign)
        board = board_of(campaign, now.figures.rows)
        by, key = asked.get("by", "kind"), key_named(board, asked.get("figure"))
        is_severity = by == "severity"
        _names, rows = parts_of(board, now.rows, by, key) if now.rows and not is_severity else ([], [])
        criteria = adjusted_criteria(board, now.rows) if is_severity else []
        return {
            "by": by,
            "figure": None if is_severity else key.name,
            "computed_at": now.parts.computed_at if now.rows else None,
            "is_outdated": now.parts.is_outdated,
            "scores_version": now.figures.scores_version,
            "recomputing_since": now.recomputing_since,
            "rows": [encoded(PartsOfBot, row, parts=parts) for row, parts in rows],
            "criteria": [
                {"criterion": key.name, "rows": rows, "severity": dict(severity)} for key, rows, severity in criteria
            ],
        }


# Of each dialogue a page has all records, so that fewer dialogues fit on one.
DIALOGUES_PER_PAGE = 100


class OutcomeAnswer(TypedDict):
    """`turns` of an unfinished subtask is what was spent; its cap is what counts."""

    kind: str
    completed: Annotated[bool, From("is_finished")]
    turns: int
    cap: int


class FigureRecordAnswer(TypedDict):
    """`value` is the record's value of the figure, null where its reviewer gave none; an imported record has no `dialogue`. `weight` is the record's share of its dialogue."""

    dialogue: Id | None
    part: str
    scenario: Annotated[str, From("record.scenario")]
    reviewer: Annotated[str, From("record.reviewer")]
    subtasks: Annotated[list[OutcomeAnswer], From("record.subtasks")]
    value: float | None
    weight: Annotated[float, From(lambda one: float(one.record.weight))]


class RecordsOfFigure(APIView):
    """GET pages by dialogue: `per_page` and `X-Total-Count` count dialogues, and a page has every record of each."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes(
        "Lists the records that a figure of a bot is the mean of; `per_page` counts dialogues, each with all its records",
        list[FigureRecordAnswer],
        asks=pages_of(DIALOGUES_PER_PAGE),
        refuses=(409,),
    )
    def get(self, request: Request, slug: str, entry_id: int, figure: str) -> Page:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        entry = get_object_or_404(campaign.entries, pk=entry_id)
        if figure not in {key.name for key in columns_of(campaign)}:
            raise Http404
        check_interest(request.user, entry.pk)
        # The stubs want every sequence's methods; `Paginator` takes lengths and slices alone.
        records: Any = FigureRecords(campaign, entry, figure)
        return page_of(request, records, most=DIALOGUES_PER_PAGE)
