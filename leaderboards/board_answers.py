"""What the API answers of a campaign's leaderboard: as it is now, or as it was published, under the same keys of systems."""

from typing import Any

from campaigns.models import Campaign
from campaigns.team_names import english_names
from leaderboards.board import with_english_names
from leaderboards.board_json import to_json
from leaderboards.board_now import BoardNow, board_now
from leaderboards.live_board import board_of
from leaderboards.publication.document_now import names_of
from leaderboards.publication.documents import agreement_in, board_in, renamed_statistics, with_names
from leaderboards.publication.queries import Published
from leaderboards.publication.record_links import is_intact

Answer = dict[str, Any]


def live_answer(campaign: Campaign) -> Answer:
    """The board of the figures that were stored last, with the statistics of these; systems by the keys of their entries."""
    now = board_now(campaign)
    names = names_of(campaign, hides_teams=False)
    answer = to_json(
        campaign.slug,
        with_names(board_of(campaign, now.figures.rows), names),
        renamed_statistics(now.statistics, names),
        now.agreement,
        turns_are=campaign.turns_are,
    )
    return (
        answer
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


def published_answer(campaign: Campaign, shown: Published) -> Answer:
    """The frozen board, with what says which one it is."""
    document = shown.document
    answer = to_json(
        campaign.slug,
        with_english_names(board_in(document), english_names(campaign)),
        document["statistics"],
        agreement_in(document),
        turns_are=document.get("turns_are"),
    )
    return answer | {"snapshot": which_snapshot(shown)}


def live_statistics(campaign: Campaign) -> Answer:
    """How sure the board of the figures that were stored last is; null and empty while that is not computed."""
    now = board_now(campaign)
    told = renamed_statistics(now.statistics, names_of(campaign, hides_teams=False))
    computed_at = now.drawn.computed_at if told else None
    return (
        _statistics(campaign, told)
        | _of_which_scores(now)
        | {"computed_at": computed_at and computed_at.isoformat(), "is_outdated": now.drawn.is_outdated}
    )


def published_statistics(campaign: Campaign, shown: Published) -> Answer:
    return _statistics(campaign, shown.document["statistics"] or {}) | {"snapshot": which_snapshot(shown)}


DRAWN = ("seed", "n_resamples", "n_redrawn", "n_permutations", "n_scenarios")


def _statistics(campaign: Campaign, told: Answer) -> Answer:
    drawn = {name: told.get(name) for name in DRAWN}
    made = {"rows": told.get("rows", {}), "pairs": told.get("pairs", []), "rankings": told.get("rankings", {})}
    return {"campaign": campaign.slug, **drawn, **made, "snapshots": told.get("snapshots", {})}


def which_snapshot(shown: Published) -> Answer:
    snapshot = shown.snapshot
    told = {"number": snapshot.number, "frozen_at": shown.document["frozen_at"], "sha256": snapshot.digest}
    return told | {"bundle_sha256": snapshot.bundle_digest or None, "is_intact": is_intact(snapshot)}
