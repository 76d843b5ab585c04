"""How sure the live board of a campaign is, drawn from scenarios; what it holds is said in `measures/board_statistics.py`.

It takes seconds, so it is computed beside the board and stored (`actions.refresh_statistics`); pages read it.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy import __version__ as numpy_version
from numpy import float64
from numpy.typing import NDArray

from campaigns.campaign_file.campaign_settings import IMPORTED_SCENARIO
from campaigns.models import Campaign
from dialogues.models import Dialogue
from leaderboards.live_board import columns_of, scored_criteria
from leaderboards.live_sums import alone_as, sums_by_cell
from measures.board_statistics import ranks_by_rule, statistics, tau_of
from measures.cell_statistics import table_of
from measures.live import LiveSums
from measures.ranking import RankingKey
from measures.samples import N_RESAMPLES, SEED, ReportProgress, Sample, sample_of_means, say_nothing
from measures.tukey import N_PERMUTATIONS


@dataclass(frozen=True, slots=True)
class CampaignSums:
    """What the figures of entries are drawn from: `cells` `(n_scenarios, n_entries, n_figures, 2)` holds sums and numbers of scores."""

    entries: tuple[int, ...]
    keys: tuple[RankingKey, ...]
    cells: NDArray[float64]


def sums_of(campaign: Campaign, only: Collection[int] | None = None) -> CampaignSums:
    """Of every entry that has a record, or of those `only`; in the order of their keys, as in a bundle with names."""
    ids = dict(campaign.entries.values_list("key", "pk"))
    cells = {
        (ids[entry], scenario): sums
        for (entry, scenario), sums in named_cells(campaign).items()
        if only is None or ids[entry] in only
    }
    keys = tuple(key.ranking_key for key in columns_of(campaign))
    entries = sorted({entry for entry, _ in cells}, key={pk: key for key, pk in ids.items()}.__getitem__)
    return CampaignSums(tuple(entries), keys, table_of(cells, entries, [key.figure for key in keys]))


def named_cells(campaign: Campaign, scenario_name: Callable[[str], str] = str) -> dict[tuple[str, str], LiveSums]:
    """The sums by the keys of entries and the names of scenarios; an imported dialogue that names no scenario is one by its id."""
    cells = sums_by_cell(campaign, [criterion.key for criterion in scored_criteria(campaign)])
    keys, alone = dict(campaign.entries.values_list("pk", "key")), _dialogues_without_scenario(campaign)
    return {
        (keys[entry], alone.get(scenario) or scenario_name(scenario)): sums for (entry, scenario), sums in cells.items()
    }


def _dialogues_without_scenario(campaign: Campaign) -> dict[str, str]:
    """By what `sums_by_cell` calls them; what they are drawn as must be the same in a bundle, which knows no ids of assignments."""
    dialogues = Dialogue.objects.of_campaign(campaign).reviewable()
    found = dialogues.filter(assignment__scenario__key=IMPORTED_SCENARIO).values_list("assignment_id", "pk")
    return {alone_as(assignment): str(dialogue) for assignment, dialogue in found}


def sample_of(
    campaign_sums: CampaignSums,
    *,
    names: Sequence[str],
    needed: Collection[RankingKey],
    seed: int = SEED,
    n_resamples: int,
    n_permutations: int,
    report_progress: ReportProgress = say_nothing,
) -> Sample:
    """The sample of those entries under the names given, whose resamples have all `needed` figures."""
    return sample_of_means(
        rows=names,
        keys=campaign_sums.keys,
        cells=campaign_sums.cells,
        needed=needed,
        seed=seed,
        n_resamples=n_resamples,
        n_permutations=n_permutations,
        report_progress=report_progress,
    )


# Of the newest snapshots.
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


def statistics_of(
    campaign: Campaign,
    report_progress: ReportProgress = say_nothing,
    *,
    sums: CampaignSums | None = None,
    n_resamples: int = N_RESAMPLES,
    n_permutations: int = N_PERMUTATIONS,
) -> dict[str, Any]:
    """Intervals, ranks, pairs and rankings of the campaign's board as JSON, rows by their entries' ids as texts, `snapshots` by number.

    Drawn from `sums`, where they were read before. Bots without a record take no part. With records of fewer than two scenarios there is
    nothing to draw.
    """
    sums, rule = sums or sums_of(campaign), campaign.ranking_keys()
    sample = sample_of(
        sums,
        names=[str(entry) for entry in sums.entries],
        needed=rule,
        n_resamples=n_resamples,
        n_permutations=n_permutations,
        report_progress=report_progress,
    )
    drawn = {
        "seed": SEED,
        "n_resamples": n_resamples,
        "n_permutations": n_permutations,
        "n_scenarios": sample.n_clusters,
        "numpy": numpy_version,
    }
    made = drawn | statistics(sample, rule, report_progress=report_progress)
    ranks = dict(zip(sample.rows, ranks_by_rule(sample, rule).tolist(), strict=True)) if made["rows"] else {}
    return made | {"snapshots": taus_with_frozen(campaign, ranks)}
