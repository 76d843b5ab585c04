"""How sure a board is, from the sums of each row on each scenario: of a campaign in the database, and of a bundle. Free of Django.

The draw depends on the order of rows and scenarios: to repeat it, give the same order.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import lcm
from typing import TYPE_CHECKING, Any

from measures.live import LiveSums
from measures.ranking import RankingKey

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from measures.samples import ReportProgress

# Products of sums with a larger unit would lose digits.
LARGEST_UNIT = 1 << 32

# A row and a scenario, by their names.
NamedCell = tuple[str, str]


def bundled_statistics(
    cells: Mapping[NamedCell, LiveSums],
    keys: Sequence[RankingKey],
    rule: Sequence[RankingKey],
    report_progress: "ReportProgress | None" = None,
) -> dict[str, Any]:
    """What a bundle says of its leaderboard: rows and scenarios in the order of the names that they have there.

    Any other order could tell who entered first. Errors: `ImportError` where numpy and scipy are missing.
    """
    import numpy as np

    from measures.board_statistics import statistics
    from measures.samples import N_RESAMPLES, SEED, sample_of_means, say_nothing
    from measures.tukey import N_PERMUTATIONS

    rows = sorted({row for row, _ in cells})
    table, report = table_of(cells, rows, [key.figure for key in keys]), report_progress or say_nothing
    sample = sample_of_means(rows=rows, keys=keys, cells=table, needed=rule, report_progress=report)
    made = statistics(sample, rule, report_progress=report)
    made["pairs"].sort(key=lambda pair: (pair["one"], pair["other"]))
    return {
        "seed": SEED,
        "n_resamples": N_RESAMPLES,
        "n_permutations": N_PERMUTATIONS,
        "n_scenarios": sample.n_clusters,
        "numpy": np.__version__,
        **made,
    }


def table_of(
    cells: "Mapping[tuple[Any, str], LiveSums]", rows: Sequence[Any], figures: Sequence[str]
) -> "NDArray[np.float64]":
    """Weighted sums and weights of scores `(n_scenarios, n_rows, n_figures, 2)`, scenarios by their names.

    Weights are whole multiples of the `unit_of` all: where all records weigh the same, the cells hold their plain sums and numbers.
    """
    import numpy as np

    scenarios = sorted({scenario for _, scenario in cells})
    table = np.zeros((len(scenarios), len(rows), len(figures), 2))
    at_scenario = {scenario: place for place, scenario in enumerate(scenarios)}
    at_row = {row: place for place, row in enumerate(rows)}
    unit = unit_of(cells.values())
    for (row, scenario), sums in cells.items():
        table[at_scenario[scenario], at_row[row]] = [
            [float(value * unit) for value in sums.of(figure)] for figure in figures
        ]
    return table


def unit_of(cells: Iterable[LiveSums]) -> int:
    """The smallest number that makes every weight whole; 1 where that number is too large."""
    unit = lcm(*{weight.denominator for sums in cells for weight in sums.by_weight})
    return unit if unit <= LARGEST_UNIT else 1
