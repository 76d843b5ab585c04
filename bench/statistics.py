"""make bench NAME=statistics: how long the statistics of boards take, and by simulation whether they hold what they promise.

python -m bench.statistics [--rounds 3] [--simulations 4000]
"""

import argparse
import time
from collections.abc import Callable

import numpy as np

from bench.automatic_tasks import line
from measures.agreement import krippendorff_alpha
from measures.board_statistics import rank_probabilities
from measures.correlation import correlations
from measures.ranking import RankingKey
from measures.resampling import clustered, intervals, resampled_figures
from measures.reviewers import severities
from measures.tukey import randomised_tukey_hsd

N_BOTS, N_SCENARIOS, N_REVIEWERS = 15, 21, 3
NAMES = ["completion", "mean_turns", "satisfaction", "fluency", "guidance"]
RULE = [RankingKey(name, "lower" if name == "mean_turns" else "higher") for name in NAMES]


def means_of(total: np.ndarray) -> dict[str, float | None]:
    """Sums of the five figures, then the number of records."""
    return {name: float(value / total[-1]) for name, value in zip(NAMES, total, strict=False)}


def mean_of(total: np.ndarray) -> dict[str, float | None]:
    return {"mean": float(total[0] / total[1])}


def seconds(work: Callable[[], object], rounds: int) -> list[float]:
    taken = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return taken


def board_sums(rng: np.random.Generator) -> np.ndarray:
    """Records of a live campaign `(n_records, n_bots, n_columns)`, summed per scenario."""
    figures = rng.integers(0, 3, (N_SCENARIOS * N_REVIEWERS, N_BOTS, len(NAMES))).astype(float)
    sums = np.concatenate([figures, np.ones((*figures.shape[:2], 1))], axis=2)
    return clustered(sums, np.repeat(np.arange(N_SCENARIOS), N_REVIEWERS).tolist())


def share_held(draw: Callable[[np.random.Generator], np.ndarray], truth: float, n_simulations: int) -> float:
    """How often the interval over 21 scenarios × 3 reviewers holds the truth."""
    rng = np.random.default_rng(1)
    scenarios = np.repeat(np.arange(N_SCENARIOS), N_REVIEWERS).tolist()
    n_held = 0
    for seed in range(n_simulations):
        scores = draw(rng)
        low, high = intervals(
            clustered(np.stack([scores, np.ones_like(scores)], axis=1), scenarios), mean_of, seed=seed
        )["mean"]
        n_held += low <= truth <= high
    return n_held / n_simulations


def normal_scores(rng: np.random.Generator) -> np.ndarray:
    return np.repeat(rng.normal(size=N_SCENARIOS), N_REVIEWERS) + rng.normal(size=N_SCENARIOS * N_REVIEWERS)


def completions(rng: np.random.Generator) -> np.ndarray:
    """Finished or not, as often as not, scenarios of their own difficulty."""
    chance = 1 / (1 + np.exp(-np.repeat(rng.normal(size=N_SCENARIOS), N_REVIEWERS)))
    return (rng.random(len(chance)) < chance).astype(float)


def skewed_turns(rng: np.random.Generator) -> np.ndarray:
    return np.repeat(rng.exponential(size=N_SCENARIOS), N_REVIEWERS) + rng.exponential(size=N_SCENARIOS * N_REVIEWERS)


def family_wise_error(n_systems: int, n_topics: int, n_simulations: int) -> float:
    """How often equal systems are called different at 5%; topics of their own difficulty, scores of five values."""
    rng = np.random.default_rng(2)
    n_wrong = 0
    for seed in range(n_simulations):
        scores = np.clip(np.round(rng.normal(size=(n_systems, n_topics)) + rng.normal(size=n_topics)), -2, 2)
        n_wrong += randomised_tukey_hsd(scores, n_permutations=499, seed=seed).p_values.min() <= 0.05
    return n_wrong / n_simulations


def print_times(rounds: int) -> None:
    rng = np.random.default_rng(0)
    many, board = rng.normal(size=(20, 300)), board_sums(rng)
    panel = rng.integers(1, 6, (50, 20_000)).astype(float)
    panel[rng.random(panel.shape) < 0.9] = np.nan
    systems = rng.normal(size=(2, 14))
    cases: list[tuple[str, Callable[[], object]]] = [
        ("randomised Tukey HSD, 20 × 300, B = 5,000, s", lambda: randomised_tukey_hsd(many)),
        ("intervals of a bot, 5 keys, B = 10,000, s", lambda: intervals(board[:, 0], means_of, n_resamples=10_000)),
        (
            "P(rank) of 15 bots, 5 keys, B = 10,000, s",
            lambda: rank_probabilities(resampled_figures(board, means_of, NAMES, n_resamples=10_000), RULE),
        ),
        ("alpha (ordinal), 50 reviewers, 100,000 ratings, s", lambda: krippendorff_alpha(panel, "ordinal")),
        ("severities of the same, s", lambda: severities(panel)),
        ("304 correlations × 3 over 14 systems, s", lambda: [correlations(*systems) for _ in range(304)]),
    ]
    for what, work in cases:
        line(what, seconds(work, rounds))


def print_promises(n_simulations: int) -> None:
    print(f"\nheld by simulation, {n_simulations} each, %")
    line("95% interval, normal scores", [100 * share_held(normal_scores, 0.0, n_simulations)])
    line("95% interval, finished or not", [100 * share_held(completions, 0.5, n_simulations)])
    line("95% interval, exponential scores", [100 * share_held(skewed_turns, 2.0, n_simulations)])
    for n_systems, n_topics in ((5, 20), (20, 50)):
        error = family_wise_error(n_systems, n_topics, n_simulations)
        line(f"family-wise error at 5%, {n_systems} systems × {n_topics} topics", [100 * error])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--simulations", type=int, default=4000)
    options = parser.parse_args()
    print(f"{'':<58}" + "".join(f"{f'round {n + 1}':>10}" for n in range(options.rounds)))
    print_times(options.rounds)
    if options.simulations:
        print_promises(options.simulations)


if __name__ == "__main__":
    main()
