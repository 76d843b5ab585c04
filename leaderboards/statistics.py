"""How sure the live board of a campaign is, drawn from scenarios; what it holds is said in `measures/board_statistics.py`.

It takes seconds, so it is computed beside the board and stored (`actions.refresh_statistics`); pages read it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from campaigns.models import Campaign
from leaderboards.frozen_rankings import taus_with_frozen
from leaderboards.live_board import columns_of, scored_criteria
from leaderboards.live_sums import Cell, sums_by_cell
from measures.board_statistics import ranks_by_rule, statistics
from measures.live import COMPLETION, MEAN_TURNS, LiveSums
from measures.ranking import RankingKey
from measures.samples import N_RESAMPLES, SEED, ReportProgress, Sample, sample_of_means, say_nothing
from measures.tukey import N_PERMUTATIONS


def statistics_of(
    campaign: Campaign,
    report_progress: ReportProgress = say_nothing,
    *,
    n_resamples: int = N_RESAMPLES,
    n_permutations: int = N_PERMUTATIONS,
) -> dict[str, Any]:
    """Intervals, ranks, pairs and rankings of the campaign's board as JSON, rows by their entries' ids as texts, `snapshots` by number.

    Bots without a record take no part. With records of fewer than two scenarios there is nothing to draw.
    """
    sums = sums_of(campaign)
    sample = sample_of(
        sums,
        names=[str(entry) for entry in sums.entries],
        n_resamples=n_resamples,
        n_permutations=n_permutations,
        report_progress=report_progress,
    )
    drawn = {
        "seed": SEED,
        "n_resamples": n_resamples,
        "n_permutations": n_permutations,
        "n_scenarios": sample.n_clusters,
    }
    rule = campaign.ranking_keys()
    made = drawn | statistics(sample, rule, report_progress=report_progress)
    ranks = dict(zip(sample.rows, ranks_by_rule(sample, rule).tolist(), strict=True)) if made["rows"] else {}
    return made | {"snapshots": taus_with_frozen(campaign, ranks)}


@dataclass(frozen=True, slots=True)
class CampaignSums:
    """What the figures of entries are drawn from: `cells` `(n_scenarios, n_entries, n_figures, 2)` holds sums and numbers of scores."""

    entries: tuple[int, ...]
    keys: tuple[RankingKey, ...]
    cells: NDArray[np.float64]


def sums_of(campaign: Campaign, only: Collection[int] | None = None) -> CampaignSums:
    """Of every entry that has a record, or of those `only`."""
    cells = sums_by_cell(campaign, [criterion.key for criterion in scored_criteria(campaign)])
    keys = tuple(key.ranking_key for key in columns_of(campaign))
    entries = sorted({entry for entry, _ in cells if only is None or entry in only})
    of_them = {cell: sums for cell, sums in cells.items() if cell[0] in entries}
    return CampaignSums(tuple(entries), keys, table_of(of_them, entries, [key.figure for key in keys]))


def sample_of(
    campaign_sums: CampaignSums,
    *,
    names: Sequence[str],
    seed: int = SEED,
    n_resamples: int,
    n_permutations: int,
    report_progress: ReportProgress = say_nothing,
) -> Sample:
    """The sample of those entries under the names given."""
    return sample_of_means(
        rows=names,
        keys=campaign_sums.keys,
        cells=campaign_sums.cells,
        seed=seed,
        n_resamples=n_resamples,
        n_permutations=n_permutations,
        report_progress=report_progress,
    )


def table_of(cells: Mapping[Cell, LiveSums], entries: list[int], figures: list[str]) -> NDArray[np.float64]:
    """Sums and numbers of scores `(n_scenarios, n_entries, n_figures, 2)`, scenarios by their keys."""
    scenarios = sorted({scenario for _, scenario in cells})
    table = np.zeros((len(scenarios), len(entries), len(figures), 2))
    at_scenario = {scenario: place for place, scenario in enumerate(scenarios)}
    at_entry = {entry: place for place, entry in enumerate(entries)}
    for (entry, scenario), sums in cells.items():
        table[at_scenario[scenario], at_entry[entry]] = [_sum_and_number(sums, figure) for figure in figures]
    return table


def _sum_and_number(sums: LiveSums, figure: str) -> tuple[float, int]:
    if figure == COMPLETION.name:
        return sums.n_complete, sums.n_records
    if figure == MEAN_TURNS.name:
        return sums.charged_turns, sums.n_records
    n, total = sums.scores.get(figure, (0, 0))
    return float(total), n
