"""REST: how far a panel agrees and what each reviewer is like, as it was computed last."""

from typing import Any, NotRequired, TypedDict

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from api.describing import describes
from campaigns.access import campaign_for
from campaigns.models import Campaign, Role
from leaderboards.agreement_board import (
    CriterionRow,
    GoldRow,
    criteria_rows,
    gold_rows,
    reviewer_rows,
    stored_agreement,
)
from reading.json_schemas import Moment


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
