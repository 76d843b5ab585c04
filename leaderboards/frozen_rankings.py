"""How far the ranking of now goes together with those that were frozen: Kendall's tau over the systems that both rank."""

import json
from collections.abc import Mapping
from typing import Any

from campaigns.models import Campaign
from leaderboards.publication.document_now import names_of
from measures.board_statistics import tau_of

# Of so many snapshots, the newest first.
N_SNAPSHOTS = 10


def taus_with_frozen(campaign: Campaign, ranks: Mapping[str, int]) -> dict[str, Any]:
    """By number of the snapshot, of ranks by the ids of entries as texts; snapshots with which tau says nothing are left out."""
    names = {hides: names_of(campaign, hides_teams=hides) for hides in (False, True)}
    found = {}
    for snapshot in campaign.snapshots.of_leaderboard().order_by("-number")[:N_SNAPSHOTS]:
        frozen = {row["key"]: row["rank"] for row in json.loads(snapshot.board)["rows"]}
        called = {entry: named.key for entry, named in names[snapshot.hides_teams].items()}
        both = [entry for entry in ranks if called.get(entry) in frozen]
        found[str(snapshot.number)] = tau_of(
            [ranks[entry] for entry in both], [frozen[called[entry]] for entry in both]
        )
    return {number: tau for number, tau in found.items() if tau is not None}
