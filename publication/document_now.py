"""Makes the document of a campaign's leaderboard as it is now."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from campaigns.models import Campaign
from dialogues.models import Dialogue
from leaderboards.board import without_changes
from leaderboards.diagnostics.agreement_board import agreed, has_agreement, stored_agreement
from leaderboards.diagnostics.changed_systems import splits_of
from leaderboards.live_board import board_of, names_of, stored_board
from leaderboards.of_programs import n_records_of_programs
from publication.bundles import StoredBundle
from publication.documents import Document, document_of, time_of
from reviews.counting_rules import ONE_MORE


def document_now(
    campaign: Campaign,
    *,
    number: int,
    hides_teams: bool,
    at: datetime,
    bundle: StoredBundle | None,
    statistics: Mapping[str, Any] | None = None,
    pairs: Mapping[str, Any] | None = None,
) -> Document:
    """The document of the figures that were stored last; `statistics` and the board of `pairs` are those of its bundle, which repeats them.

    Of systems that changed it tells only where the campaign publishes that.
    """
    names, board = names_of(campaign, hides_teams=hides_teams), board_of(campaign, stored_board(campaign).rows)
    splits = splits_of(campaign) if campaign.publishes_changes else {}
    return document_of(
        board if campaign.publishes_changes else without_changes(board),
        names=names,
        statistics=statistics,
        head=head_of(campaign)
        | {
            "number": number,
            "frozen_at": time_of(at),
            "names": "aliases" if hides_teams else "teams",
            "bundle": bundle and {"sha256": bundle.digest, "bytes": bundle.n_bytes},
            **({"pairs": pairs} if pairs else {}),
        }
        | ({"changes": {names[entry].key: split for entry, split in splits.items()}} if splits else {}),
    )


def head_of(campaign: Campaign) -> dict[str, Any]:
    """Of which campaign the board is, and by what rules its records were made and counted."""
    reviewed = Dialogue.objects.of_campaign(campaign).reviewable()
    n_of_programs = n_records_of_programs(campaign)
    return {
        **name_of(campaign),
        "rubric": {"key": campaign.rubric.key, "version": campaign.rubric.version},
        "counted_reviews": campaign.counted_reviews,
        **({"decisions_count": ONE_MORE} if campaign.decisions_count == ONE_MORE else {}),
        "turns_are": campaign.turns_are,
        "cap_per": campaign.cap_per,
        "faults": {"broken_dialogues": campaign.broken_dialogues, "failed_turns": campaign.failed_turns},
        "n_dialogues": reviewed.count(),
        # Made up afterwards to give figures that were published without their records.
        "n_reconstructed": campaign.imported_records.filter(content__reconstruction=True).count(),
        **({"n_of_programs": n_of_programs} if n_of_programs else {}),
        "n_scenarios": campaign.scenarios.tested().count(),
        # For a panel that no longer scores it is not recomputed.
        "agreement": agreed(stored_agreement(campaign).rows) if has_agreement(campaign) else {},
    }


def name_of(campaign: Campaign) -> dict[str, Any]:
    name = {"zh": campaign.name_zh or campaign.name_en, "en": campaign.name_en or campaign.name_zh}
    return {"campaign": campaign.slug, "name": name}
