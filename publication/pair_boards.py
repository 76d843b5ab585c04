"""The page of the board of pairs, as it is now or as it was frozen, and the same for programs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import exp
from typing import Any, NotRequired, TypedDict

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from api.describing import describes
from campaigns.clocks import keep_clocks_of
from campaigns.models import Campaign
from pairs.board.document import nothing_compared
from pairs.board.stored import has_pairs, pair_board_now
from publication.board_api import WhichSnapshot, which_snapshot
from publication.queries import Published, organizes, published, readable_by
from publication.views import not_public
from reading.json_schemas import Moment

Object = dict[str, Any]
# The picture of intervals: as wide as this, strengths at most so far from 0.
WIDTH, MARGIN = 220, 8
LEAST_SPAN = 0.5


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a strength and its interval stand in the picture, in its units."""

    at: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class SystemRow:
    """`told` is the row of the document; `name` is that of the system with its team in the reader's language."""

    told: Mapping[str, Any]
    name: str
    team: str
    interval: Sequence[float] | None
    controlled_interval: Sequence[float] | None
    mark: Mark | None

    @property
    def share(self) -> float | None:
        """Of its wins and losses the percentage that it would win against a system of strength 0."""
        strength = self.told["strength"]
        return None if strength is None else 100 / (1 + exp(-strength))


@dataclass(frozen=True, slots=True)
class Cell:
    """How often the row's system was preferred to the column's, how often not, and how often neither; None on the diagonal."""

    won: int
    lost: int
    neither: int

    @property
    def percent(self) -> float | None:
        decided = self.won + self.lost
        return 100 * self.won / decided if decided else None


@dataclass(frozen=True, slots=True)
class Shown:
    """A board of pairs as its page shows it."""

    document: Mapping[str, Any]
    rows: list[SystemRow]
    unranked: list[SystemRow]
    matrix: list[tuple[SystemRow, list[Cell | None]]]
    verdicts: list[tuple[str, int, float]]
    problem: str
    plan: str
    differences: list[tuple[str, str, Mapping[str, Any]]]
    zero: float

    @property
    def has_control(self) -> bool:
        return bool(self.document["control"]["coefficients"])


def shown_board(document: Mapping[str, Any], english: Mapping[str, str]) -> Shown:
    """`english` are teams' English names by their names."""
    sure = document["uncertainty"] or {}
    ends = list((sure.get("strengths") or {}).values())
    told = [row["strength"] for row in document["systems"] if row["strength"] is not None]
    span = max([LEAST_SPAN, *map(abs, told), *(abs(end) for pair in ends if pair for end in pair)])

    def place(value: float) -> float:
        return round(MARGIN + (WIDTH - 2 * MARGIN) * (value + span) / (2 * span), 1)

    def row_of(row: Mapping[str, Any]) -> SystemRow:
        interval = (sure.get("strengths") or {}).get(row["key"])
        controlled = (sure.get("controlled") or {}).get(row["key"])
        low, high = (place(interval[0]), place(interval[1])) if interval else (None, None)
        mark = None if row["strength"] is None else Mark(place(row["strength"]), low, high)
        team = english.get(row["team"], row["team"]) if (get_language() or "").startswith("en") else row["team"]
        return SystemRow(row, row["bot"], team, interval, controlled, mark)

    rows = {row["key"]: row_of(row) for row in document["systems"]}
    ranked = [row for row in rows.values() if row.told["rank"]]
    return Shown(
        document,
        ranked,
        [row for row in rows.values() if not row.told["rank"]],
        _matrix(document["matrix"], rows),
        _verdicts(document),
        _problem(document["model"], rows),
        _plan(sure.get("plan")),
        [(rows[one["first"]].name, rows[one["second"]].name, one) for one in sure.get("differences") or ()],
        place(0.0),
    )


def _matrix(
    matrix: Sequence[Mapping[str, Any]], rows: Mapping[str, SystemRow]
) -> list[tuple[SystemRow, list[Cell | None]]]:
    cells: dict[tuple[str, str], Cell] = {}
    for one in matrix:
        neither = one["n_ties"] + one["n_both_bad"]
        cells[one["first"], one["second"]] = Cell(one["n_first"], one["n_second"], neither)
        cells[one["second"], one["first"]] = Cell(one["n_second"], one["n_first"], neither)
    compared = [key for key, row in rows.items() if row.told["n_votes"]]
    return [(rows[key], [cells.get((key, other)) for other in compared]) for key in compared]


def _verdicts(document: Mapping[str, Any]) -> list[tuple[str, int, float]]:
    names = {"left": _("Left is better"), "right": _("Right is better"), "tie": _("Tie"), "both_bad": _("Both are bad")}
    n = document["n_votes"] or 1
    return [(names[verdict], count, 100 * count / n) for verdict, count in document["verdicts"].items()]


def _problem(model: Mapping[str, Any], rows: Mapping[str, SystemRow]) -> str:
    """Why strengths are missing, or held by a penalty."""
    groups = _("; ").join(_(", ").join(rows[key].name for key in group) for group in model["groups"])
    match model["problem"]:
        case "not connected":
            return _(
                "No vote compares systems of different groups, so their strengths cannot be compared. The groups: %(groups)s."
            ) % {"groups": groups}
        case "one-sided":
            return _(
                "Between these groups all votes went one way: %(groups)s. Nobody knows how far apart they are. A weak penalty (%(penalty)s) holds the "
                "strengths, which have no intervals."
            ) % {"groups": groups, "penalty": model["penalty"]}
        case "only ties":
            return _(
                "Ties outweigh the wins, so that votes alone do not tell strengths. A weak penalty (%(penalty)s) holds them, and they have no intervals."
            ) % {"penalty": model["penalty"]}
    return ""


def _plan(plan: Mapping[str, Any] | None) -> str:
    """How many votes part two systems."""
    if not plan:
        return ""
    values: dict[str, Any] = {"power": f"{100 * plan['power']:g}"}
    for name, one in zip(("a", "b", "c"), plan["votes"], strict=True):
        values |= {f"share_{name}": f"{100 * one['share']:g}", f"n_{name}": f"{one['n']:,}"}
    return (
        _(
            "With ties and judges as they are here, two systems part with %(power)s%% power after %(n_a)s votes between them where the better one "
            "wins %(share_a)s%% of what is no tie, after %(n_b)s where it wins %(share_b)s%%, after %(n_c)s where it wins %(share_c)s%%."
        )
        % values
    )


@require_safe
def pair_board(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Organizers see the board as it is now, everybody else the one of the leaderboard that was published last."""
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is None:
        return not_public(request)
    keep_clocks_of(campaign)
    if organizes(request.user, campaign):
        now = pair_board_now(campaign)
        return _page(request, campaign, now.document, now.computed_at, has_newer=now.is_outdated, is_live=True)
    shown = published(campaign, timezone.now())
    return _frozen_page(request, campaign, shown) if shown else not_public(request)


@require_safe
def snapshot_pairs(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """The board of pairs that was frozen with that leaderboard."""
    found = readable_by(request.user, slug, number, timezone.now())
    return _frozen_page(request, *found) if found else not_public(request)


pair_board.access = snapshot_pairs.access = Access("published")  # type: ignore[attr-defined]


def _frozen_page(request: HttpRequest, campaign: Campaign, shown: Published) -> HttpResponse:
    document = shown.document
    frozen_at = datetime.fromisoformat(document["frozen_at"])
    return _page(request, campaign, document.get("pairs"), frozen_at, number=shown.snapshot.number)


def _page(
    request: HttpRequest,
    campaign: Campaign,
    document: Mapping[str, Any] | None,
    at: datetime | None,
    *,
    number: int | None = None,
    is_live: bool = False,
    has_newer: bool = False,
) -> HttpResponse:
    shown = shown_board(document, campaign.english_team_names()) if document else None
    return render(
        request,
        "publication/pair_board.html",
        {
            "campaign": campaign,
            "shown": shown,
            "at": at,
            "number": number,
            "is_live": is_live,
            "is_awaited": is_live and has_newer and has_pairs(campaign),
        },
    )


class PairSystem(TypedDict):
    """`strength` is a natural logarithm, their mean is 0; `controlled` is that at equal length and markup. Null without a rank, with a `reason`."""

    key: str
    rank: int | None
    team: str
    bot: str
    strength: float | None
    controlled: float | None
    n_votes: int
    n_won: int
    n_lost: int
    n_ties: int
    n_both_bad: int
    reason: NotRequired[str]


class PairBoardAnswer(TypedDict):
    """`verdicts` are by sides as shown; `model` has ν as `tie`, the `penalty` and the `problem` that asked for it; `control` the coefficients.

    `matrix` counts head to head. `uncertainty` has 95% intervals by system, tests of all differences and the plan; it is null without strengths
    or with a penalty. `computed_at` and `is_outdated` are an organizer's; `snapshot` says which published leaderboard it belongs to.
    """

    campaign: str
    n_votes: int
    n_judges: int
    n_scenarios: int
    n_imported: int
    verdicts: dict[str, int]
    model: dict[str, Any]
    control: dict[str, Any]
    systems: list[PairSystem]
    matrix: list[dict[str, Any]]
    agreement: dict[str, Any]
    uncertainty: dict[str, Any] | None
    computed_at: NotRequired[Moment | None]
    is_outdated: NotRequired[bool]
    snapshot: NotRequired[WhichSnapshot]


class PairBoard(APIView):
    """Organizers get the board as it was computed last, everybody else that of the leaderboard that was published last."""

    access = Access("published")
    permission_classes = (AllowAny,)

    @describes("Gives the board of pairs: strengths, head to head, and how sure they are", PairBoardAnswer)
    def get(self, request: Request, slug: str) -> Response:
        campaign = get_object_or_404(Campaign, slug=slug)
        if organizes(request.user, campaign):
            now = pair_board_now(campaign)
            document = now.document or nothing_compared(campaign.slug)
            return Response({**document, "computed_at": now.computed_at, "is_outdated": now.is_outdated})
        shown = published(campaign, timezone.now())
        if shown is None:
            raise Http404
        document = shown.document.get("pairs") or nothing_compared(campaign.slug)
        return Response({**document, "snapshot": which_snapshot(shown)})
