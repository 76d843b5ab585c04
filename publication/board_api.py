"""REST: the leaderboard with unrounded figures and how sure it is, as it is now or as it was published."""

from typing import Any, NotRequired, TypedDict

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from api.describing import describes
from campaigns.models import Campaign
from leaderboards.board import BoardSource, with_english_names
from leaderboards.board_json import to_json
from leaderboards.board_now import live_answer, live_statistics, statistics_answer
from publication.documents import agreement_in, board_in
from publication.queries import Published, is_intact, organizes, published
from reading.json_schemas import Moment


class BoardKey(TypedDict):
    key: str
    better: str


class BoardColumn(BoardKey):
    """`head` and `decimals` are those of the page; `agreement` is the panel's (Krippendorff's alpha), null where there is none."""

    head: str
    decimals: int
    agreement: float | None


class WhichSnapshot(TypedDict):
    number: int
    frozen_at: Moment
    sha256: str


class LeaderboardAnswer(TypedDict):
    """Rows have `rank`, `key`, `team`, `bot`, `n_records`, `n_failed` of `n_turns`, one member per column, and beside them
    `intervals` by column, `rank_interval` and `rank_probabilities`. Unranked rows have `reason` and `reason_text`.

    `why` says of every two neighbours why the first is ahead. `is_outdated` is true for the second or two in which scores that were
    just handed in are not in the figures yet; `statistics_are_outdated` says the same of intervals and comparisons,
    `agreement_is_outdated` of the columns' `agreement`. `turns_are` is the unit of T, `exchanges` or `utterances`; it is missing
    where no column is T. All that is told is of the scores of `scores_version`: intervals, probabilities and what `why` says of them are
    missing from `recomputing_since` until they are computed of these figures. `n_of_programs` of the records come of programs; it is
    missing where none does.
    """

    campaign: str
    turns_are: NotRequired[str | None]
    n_of_programs: NotRequired[int]
    rule: list[BoardKey]
    columns: list[BoardColumn]
    rows: list[dict[str, Any]]
    unranked: list[dict[str, Any]]
    why: list[dict[str, Any]]
    is_outdated: NotRequired[bool]
    statistics_are_outdated: NotRequired[bool]
    agreement_is_outdated: NotRequired[bool]
    scores_version: NotRequired[int]
    recomputing_since: NotRequired[Moment | None]
    snapshot: NotRequired[WhichSnapshot]


class StatisticsAnswer(TypedDict):
    """`rows` by the keys of systems: `intervals`, `rank_probabilities`, `rank_interval`. `pairs` are all pairs with their tests by
    every key (`difference`, `p`, `effect`). `rankings` and `snapshots` hold Kendall's tau of the ranking with that by one key alone
    and with frozen ones. The seed is null where nothing was drawn yet. `n_redrawn` of the resamples lacked a figure that ranks a row and
    were drawn again; where nearly all did it is null, and so is all that is told of ranks in resamples. `scores_version` is that of the
    board's figures; from `recomputing_since` until the statistics of these are computed nothing is told.
    """

    campaign: str
    seed: int | None
    n_resamples: int | None
    n_redrawn: int | None
    n_permutations: int | None
    n_scenarios: int | None
    rows: dict[str, Any]
    pairs: list[dict[str, Any]]
    rankings: dict[str, Any]
    snapshots: dict[str, Any]
    computed_at: NotRequired[Moment | None]
    is_outdated: NotRequired[bool]
    scores_version: NotRequired[int]
    recomputing_since: NotRequired[Moment | None]
    snapshot: NotRequired[WhichSnapshot]


class Leaderboard(APIView):
    """Organizers get the board as it is now, everybody else the one that was published last, with what says which it is."""

    access = Access("published")
    permission_classes = (AllowAny,)

    @describes(
        "Gives the leaderboard, unrounded: as it is now to organizers, as it was published to others", LeaderboardAnswer
    )
    def get(self, request: Request, slug: str) -> Response:
        campaign = get_object_or_404(Campaign.objects.select_related("rubric"), slug=slug)
        if organizes(request.user, campaign):
            return Response(live_answer(campaign))
        return Response(published_answer(campaign, _shown(campaign)))


class LeaderboardStatistics(APIView):
    """As the board: organizers get the statistics as they were computed last, everybody else those that were published."""

    access = Access("published")
    permission_classes = (AllowAny,)

    @describes("Gives how sure the leaderboard is, with what repeats it: seed and numbers of draws", StatisticsAnswer)
    def get(self, request: Request, slug: str) -> Response:
        campaign = get_object_or_404(Campaign, slug=slug)
        if organizes(request.user, campaign):
            return Response(live_statistics(campaign))
        return Response(published_statistics(campaign, _shown(campaign)))


def _shown(campaign: Campaign) -> Published:
    """What everybody reads. Errors: `Http404`."""
    shown = published(campaign, timezone.now())
    if shown is None:
        raise Http404
    return shown


def published_answer(campaign: Campaign, shown: Published) -> dict[str, Any]:
    """The frozen board, with what says which one it is."""
    document = shown.document
    board = with_english_names(board_in(document), campaign.english_team_names())
    source = BoardSource(board, document["statistics"], agreement_in(document))
    answer = to_json(campaign.slug, source, turns_are=document.get("turns_are"))
    of_programs = {"n_of_programs": document["n_of_programs"]} if "n_of_programs" in document else {}
    return answer | of_programs | {"snapshot": which_snapshot(shown)}


def published_statistics(campaign: Campaign, shown: Published) -> dict[str, Any]:
    return statistics_answer(campaign, shown.document["statistics"] or {}) | {"snapshot": which_snapshot(shown)}


def which_snapshot(shown: Published) -> dict[str, Any]:
    snapshot = shown.snapshot
    told = {"number": snapshot.number, "frozen_at": shown.document["frozen_at"], "sha256": snapshot.digest}
    return told | {"bundle_sha256": snapshot.bundle_digest or None, "is_intact": is_intact(snapshot)}
