"""How sure the live board of a campaign is, drawn from scenarios; what it holds is said in `measures/board_statistics.py`.

It takes seconds, so it is computed beside the board and stored (`actions.refresh_statistics`); pages read it.
"""

from typing import Any

from numpy import __version__ as numpy_version

from campaigns.models import Campaign
from leaderboards.drawn_sums import CampaignSums, sample_of, sums_of
from leaderboards.frozen_rankings import taus_with_frozen
from measures.board_statistics import ranks_by_rule, statistics
from measures.samples import N_RESAMPLES, SEED, ReportProgress, say_nothing
from measures.tukey import N_PERMUTATIONS


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
