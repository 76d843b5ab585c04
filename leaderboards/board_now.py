"""The leaderboard as it is stored now: the figures computed last, and beside them only what is of the same scores."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from campaigns.models import Campaign
from leaderboards.board import BoardSource, renamed_statistics, with_names
from leaderboards.board_json import to_json
from leaderboards.diagnostics.agreement_board import AGREEMENT, agreed
from leaderboards.live_board import LIVE, STATISTICS, board_of, names_of, stored_boards
from leaderboards.models import StoredBoard
from leaderboards.of_programs import n_records_of_programs


@dataclass(frozen=True, slots=True)
class BoardNow:
    """`drawn` and `compared` were stored last, of whichever scores: readers see `statistics` and `agreement`."""

    figures: StoredBoard
    drawn: StoredBoard
    compared: StoredBoard

    @property
    def statistics(self) -> Mapping[str, Any]:
        """How sure these figures are; empty while that is computed."""
        return self.drawn.rows_beside(self.figures)

    @property
    def agreement(self) -> Mapping[str, float]:
        """The panel's alpha by criterion, over the scores that these figures are means of."""
        return agreed(self.compared.rows_beside(self.figures))

    @property
    def source(self) -> BoardSource:
        board = board_of(self.figures.campaign, self.figures.rows)
        return BoardSource(board, self.statistics, self.agreement, self.recomputing_since)

    @property
    def recomputing_since(self) -> datetime | None:
        """Since when the statistics of these figures are awaited; None where there are both, or neither."""
        return self.drawn.awaited_since(self.figures)


def board_now(campaign: Campaign) -> BoardNow:
    """Read in one query, so that no computation can end in between."""
    return BoardNow(*stored_boards(campaign, LIVE, STATISTICS, AGREEMENT))


Answer = dict[str, Any]


def live_answer(campaign: Campaign) -> Answer:
    """The board of the figures that were stored last, with the statistics of these; systems by the keys of their entries."""
    now = board_now(campaign)
    names, source = names_of(campaign, hides_teams=False), now.source
    named = replace(
        source,
        board=with_names(source.board, names),
        statistics=renamed_statistics(now.statistics, names),
    )
    answer = to_json(campaign.slug, named, turns_are=campaign.turns_are)
    n_of_programs = n_records_of_programs(campaign)
    return (
        answer
        | ({"n_of_programs": n_of_programs} if n_of_programs else {})
        | _of_which_scores(now)
        | {
            "is_outdated": now.figures.is_outdated,
            "statistics_are_outdated": now.drawn.is_outdated,
            # Nothing to be outdated where nobody computes it.
            "agreement_is_outdated": bool(now.compared.rows) and now.compared.is_outdated,
        }
    )


def _of_which_scores(now: BoardNow) -> Answer:
    since = now.recomputing_since
    return {"scores_version": now.figures.scores_version, "recomputing_since": since and since.isoformat()}


def live_statistics(campaign: Campaign) -> Answer:
    """How sure the board of the figures that were stored last is; null and empty while that is not computed."""
    now = board_now(campaign)
    told = renamed_statistics(now.statistics, names_of(campaign, hides_teams=False))
    computed_at = now.drawn.computed_at if told else None
    return (
        statistics_answer(campaign, told)
        | _of_which_scores(now)
        | {"computed_at": computed_at and computed_at.isoformat(), "is_outdated": now.drawn.is_outdated}
    )


DRAWN = ("seed", "n_resamples", "n_redrawn", "n_permutations", "n_scenarios")


def statistics_answer(campaign: Campaign, told: Answer) -> Answer:
    drawn = {name: told.get(name) for name in DRAWN}
    made = {"rows": told.get("rows", {}), "pairs": told.get("pairs", []), "rankings": told.get("rankings", {})}
    return {"campaign": campaign.slug, **drawn, **made, "snapshots": told.get("snapshots", {})}
