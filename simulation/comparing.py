"""How far programs stand in for people: C and T per system and scenario of both, and whether both rank systems alike. Pure.

Figures are of dialogues by their ledger: how many were closed with every part finished, and the turns that they are charged.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from measures.live import COMPLETION, MEAN_TURNS, RECORD_FIGURES
from measures.resampling import N_RESAMPLES, weights_in_chunks

# With fewer systems any order is a coin's, with fewer scenarios there is nothing to resample.
FEWEST_SYSTEMS, FEWEST_SCENARIOS = 3, 2
PLACES = {COMPLETION.name: 1, MEAN_TURNS.name: 2}


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over `n` dialogues: C in 0…1, T in turns as the campaign counts them."""

    n: int
    completion: float
    mean_turns: float


@dataclass(frozen=True, slots=True)
class SideBySide:
    """A system, or a system in a scenario, as people and as programs found it; None where they had no dialogue."""

    system: str
    scenario: str
    people: Figures | None
    programs: Figures | None

    @property
    def difference(self) -> Figures | None:
        """Programs minus people; `n` is that of the programs."""
        if self.people is None or self.programs is None:
            return None
        return Figures(
            self.programs.n,
            self.programs.completion - self.people.completion,
            self.programs.mean_turns - self.people.mean_turns,
        )


class Verdict(StrEnum):
    ALIKE = "alike"
    OPPOSITE = "opposite"
    NO_EVIDENCE = "no_evidence"
    TOO_FEW = "too_few"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of one figure over the systems that both met, and over the cells (system and scenario) that both met.

    Coefficients are −1…1 and None where a figure is the same for all systems; intervals are percentiles (95 %) over resamples of scenarios.
    `apart` is the mean distance of cells, `shift` the mean of programs minus people over cells, each None without a cell; both are of what
    both met, so that programs which met other scenarios than people are not shifted by that.
    """

    figure: str
    n_systems: int
    n_scenarios: int
    n_cells: int
    kendall: float | None
    kendall_interval: tuple[float, float] | None
    spearman: float | None
    spearman_interval: tuple[float, float] | None
    apart: float | None
    shift: float | None
    shift_interval: tuple[float, float] | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Compared:
    systems: tuple[SideBySide, ...]
    cells: tuple[SideBySide, ...]
    agreements: tuple[Agreement, ...]


# Of each system in each scenario: dialogues, completed ones, charged turns.
Sum = tuple[int, int, int]
Sums = Mapping[tuple[str, str], Sum]


def compared(people: Sums, programs: Sums, *, seed: int = 0, n_resamples: int = N_RESAMPLES) -> Compared:
    """Both beside each other, systems and scenarios in the order of their names."""
    cells = sorted(people.keys() | programs.keys())
    systems = sorted({system for system, _ in cells})
    of_people, of_programs = _by_system(people), _by_system(programs)
    return Compared(
        tuple(SideBySide(one, "", _figures(of_people.get(one)), _figures(of_programs.get(one))) for one in systems),
        tuple(SideBySide(*cell, _figures(people.get(cell)), _figures(programs.get(cell))) for cell in cells),
        tuple(_agreements(people, programs, seed, n_resamples)),
    )


def _by_system(sums: Sums) -> dict[str, Sum]:
    found: dict[str, Sum] = {}
    for (system, _), (n, completed, turns) in sums.items():
        before = found.get(system, (0, 0, 0))
        found[system] = before[0] + n, before[1] + completed, before[2] + turns
    return found


def _figures(sums: Sum | None) -> Figures | None:
    return None if sums is None else Figures(sums[0], sums[1] / sums[0], sums[2] / sums[0])


def _agreements(people: Sums, programs: Sums, seed: int, n_resamples: int) -> Iterable[Agreement]:
    systems = sorted({system for system, _ in people} & {system for system, _ in programs})
    scenarios = sorted({scenario for system, scenario in people.keys() | programs.keys() if system in systems})
    rows, columns = ({name: place for place, name in enumerate(names)} for names in (scenarios, systems))
    # (n_scenarios, 2 groups, n_systems, 3 sums); scenarios are resampled.
    table = np.zeros((len(scenarios), 2, len(systems), 3))
    for group, sums in enumerate((people, programs)):
        for (system, scenario), row in sums.items():
            if system in columns:
                table[rows[scenario], group, columns[system]] = row
    # How often each scenario is in each resample, `(n_resamples, n_scenarios)`.
    resamples = None
    if len(systems) >= FEWEST_SYSTEMS and len(scenarios) >= FEWEST_SCENARIOS:
        weights = np.concatenate(list(weights_in_chunks(len(scenarios), seed=seed, n_resamples=n_resamples)))
        resamples = weights, np.tensordot(weights, table, axes=1)
    for figure in RECORD_FIGURES:
        yield _agreement(figure.name, table, resamples)


def _agreement(
    figure: str, table: NDArray[np.float64], resamples: tuple[NDArray[np.float64], NDArray[np.float64]] | None
) -> Agreement:
    """`resamples`: the weights and the sums of each; None where there are too few systems or scenarios."""
    n_scenarios, _, n_systems, _ = table.shape
    # Programs minus people in each cell `(n_scenarios, n_systems)`; NaN where only one of them met it.
    people_in, programs_in = np.moveaxis(_means(table, PLACES[figure]), 1, 0)
    differences = programs_in - people_in
    is_met = ~np.isnan(differences)
    n_cells = int(is_met.sum())
    apart, shift = (
        float(of_cells[is_met].mean()) if n_cells else None for of_cells in (np.abs(differences), differences)
    )
    if resamples is None:
        verdict = Verdict.TOO_FEW
        return Agreement(figure, n_systems, n_scenarios, n_cells, None, None, None, None, apart, shift, None, verdict)
    weights, sums = resamples
    means = _means(table.sum(axis=0), PLACES[figure])
    resampled = _means(sums, PLACES[figure])
    tau, rho = _known(_tau(*means)), _known(_rho(*means))
    tau_interval = None if tau is None else _interval([_tau(*pair) for pair in resampled])
    rho_interval = None if rho is None else _interval([_rho(*pair) for pair in resampled])
    with np.errstate(invalid="ignore", divide="ignore"):
        shifts = (weights @ np.where(is_met, differences, 0.0).sum(axis=1)) / (weights @ is_met.sum(axis=1))
    return Agreement(
        figure,
        n_systems,
        n_scenarios,
        n_cells,
        tau,
        tau_interval,
        rho,
        rho_interval,
        apart,
        shift,
        _interval(shifts.tolist()),
        _verdict(tau_interval),
    )


def _verdict(interval: tuple[float, float] | None) -> Verdict:
    """Whether the interval of Kendall's tau is on one side of zero."""
    if interval is None:
        return Verdict.NO_EVIDENCE
    if interval[0] > 0:
        return Verdict.ALIKE
    return Verdict.OPPOSITE if interval[1] < 0 else Verdict.NO_EVIDENCE


def _means(totals: NDArray[np.float64], place: int) -> NDArray[np.float64]:
    """NaN where a system was not met."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means: NDArray[np.float64] = totals[..., place] / totals[..., 0]
    return means


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value


def _tau(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Tau-b as `measures.correlation` has it; NaN where it is undefined."""
    signs_x, signs_y = np.sign(x[:, None] - x[None, :]), np.sign(y[:, None] - y[None, :])
    untied = (signs_x**2).sum() * (signs_y**2).sum()
    return float((signs_x * signs_y).sum() / np.sqrt(untied)) if untied > 0 else float("nan")


def _rho(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    from scipy.stats import rankdata

    if np.isnan(x).any() or np.isnan(y).any() or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(np.corrcoef(rankdata(x), rankdata(y))[0, 1])


def _interval(values: Sequence[float]) -> tuple[float, float] | None:
    """The middle 95 %; resamples in which the figure is undefined are left out, and None where these are more than half."""
    known = np.array([value for value in values if not np.isnan(value)])
    if 2 * len(known) < len(values):
        return None
    low, high = np.quantile(known, (0.025, 0.975))
    return float(low), float(high)
