"""How far the ranking of now goes together with those that were frozen: Kendall's tau over the systems that both rank.

Snapshots are rows of `publication`, a room behind this one: they are read through their campaign.
"""

import json
from collections.abc import Mapping
from typing import Any

from campaigns.models import Campaign
from measures.board_statistics import tau_of

# Of so many snapshots, the newest first.
N_SNAPSHOTS = 10


def taus_with_frozen(campaign: Campaign, ranks: Mapping[str, int]) -> dict[str, Any]:
    """By number of the snapshot, of ranks by the ids of entries as texts; snapshots with which tau says nothing are left out."""
    entries = list(campaign.entries.all())
    found = {}
    for snapshot in campaign.snapshots.of_leaderboard().order_by("-number")[:N_SNAPSHOTS]:
        frozen = {row["key"]: row["rank"] for row in json.loads(snapshot.board)["rows"]}
        called = {str(entry.pk): entry.alias if snapshot.hides_teams else entry.key for entry in entries}
        both = [entry for entry in ranks if called.get(entry) in frozen]
        found[str(snapshot.number)] = tau_of(
            [ranks[entry] for entry in both], [frozen[called[entry]] for entry in both]
        )
    return {number: tau for number, tau in found.items() if tau is not None}
