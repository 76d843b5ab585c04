"""statistics.json: how sure the leaderboard is, under the names of the bundle.

What is drawn depends on the order of rows, so statistics under aliases are drawn in the order of the aliases: those of the organizer's
page, in the order of keys, would tell by their last digits which order that is.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from campaigns.models import Campaign
from leaderboards.board import Named, renamed_statistics
from leaderboards.live_board import columns_of, current_statistics
from leaderboards.statistics import named_cells
from measures.cell_statistics import bundled_statistics
from measures.samples import ReportProgress, say_nothing
from publication.bundle.names import SCENARIO, Names

Statistics = dict[str, Any]
StatisticsOf = Callable[[Campaign, Names], Statistics | None]


def stored_statistics(campaign: Campaign, names: Names) -> Statistics | None:
    """Those that are stored of these figures; None where they are not computed yet, and with aliases."""
    stored = current_statistics(campaign)
    if stored is None or names.hides_teams:
        return None
    entries = campaign.entries.values_list("pk", "key")
    named = {str(pk): Named(names.bot(key).key, "") for pk, key in entries}
    # Nobody need learn of other snapshots, which may not be published.
    return {name: told for name, told in renamed_statistics(stored, named).items() if name != "snapshots"}


def drawn_statistics(
    campaign: Campaign, names: Names, report_progress: ReportProgress = say_nothing
) -> Statistics | None:
    """Those that are stored; else they are drawn, which takes as long as for the page."""
    return stored_statistics(campaign, names) or bundled_statistics(
        {
            (names.bot(entry).key, scenario): sums
            for (entry, scenario), sums in named_cells(campaign, partial(names.identifier, SCENARIO)).items()
        },
        [key.ranking_key for key in columns_of(campaign)],
        campaign.ranking_keys(),
        report_progress,
    )
