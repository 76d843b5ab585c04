"""What the API answers of a campaign's leaderboard: as it is now, or as it was published, under the same keys of systems."""

from typing import Any

from campaigns.models import Campaign
from leaderboards.agreement_board import AGREEMENT, agreed
from leaderboards.board_json import to_json
from leaderboards.live_board import LIVE, STATISTICS, board_of, stored_boards, stored_statistics
from leaderboards.publication.document_now import names_of
from leaderboards.publication.documents import agreement_in, board_in, renamed_statistics, with_names
from leaderboards.publication.queries import Published
from leaderboards.publication.record_links import is_intact

Answer = dict[str, Any]


def live_answer(campaign: Campaign) -> Answer:
    """The board of the figures and statistics that were stored last, systems by the keys of their entries."""
    stored, statistics, agreement = stored_boards(campaign, LIVE, STATISTICS, AGREEMENT)
    names = names_of(campaign, hides_teams=False)
    answer = to_json(
        campaign.slug,
        with_names(board_of(campaign, stored.rows), names),
        renamed_statistics(statistics.rows, names),
        agreed(agreement.rows),
        turns_are=campaign.turns_are,
    )
    return answer | {
        "is_outdated": stored.is_outdated,
        "statistics_are_outdated": statistics.is_outdated,
        # Nothing to be outdated where nobody computes it.
        "agreement_is_outdated": bool(agreement.rows) and agreement.is_outdated,
    }


def published_answer(campaign: Campaign, shown: Published) -> Answer:
    """The frozen board, with what says which one it is."""
    document = shown.document
    answer = to_json(
        campaign.slug,
        board_in(document),
        document["statistics"],
        agreement_in(document),
        turns_are=document.get("turns_are"),
    )
    return answer | {"snapshot": which_snapshot(shown)}


def live_statistics(campaign: Campaign) -> Answer:
    """How sure the board is, as it was computed last; null for what was not computed yet."""
    statistics = stored_statistics(campaign)
    told = renamed_statistics(statistics.rows, names_of(campaign, hides_teams=False))
    computed_at = statistics.computed_at.isoformat() if statistics.computed_at else None
    return _statistics(campaign, told) | {"computed_at": computed_at, "is_outdated": statistics.is_outdated}


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
