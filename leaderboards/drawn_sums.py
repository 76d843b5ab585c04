"""What the figures of a campaign's systems are drawn from: their sums on each scenario, in an order that a bundle can give, too."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from numpy import float64
from numpy.typing import NDArray

from campaigns.campaign_settings import IMPORTED_SCENARIO
from campaigns.models import Campaign
from dialogues.models import Dialogue
from leaderboards.live_board import columns_of, scored_criteria
from leaderboards.live_sums import alone_as, sums_by_cell
from measures.cell_statistics import table_of
from measures.live import LiveSums
from measures.ranking import RankingKey
from measures.samples import SEED, ReportProgress, Sample, sample_of_means, say_nothing


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
