"""How sure the strengths of a board of pairs are, as figures of a document: for the board, its bundle and the verification alike. Pure."""

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

import numpy as np

from measures.bradley_terry import (
    N_RESAMPLES,
    Comparison,
    Estimate,
    NoMaximum,
    Uncertainty,
    chances,
    difference_of,
    intervals,
    votes_needed,
)
from measures.multiple_testing import holm

# Fewer resamples where each vote has covariates of its own: no two are counted together.
N_CONTROLLED = 200
LEVEL, SEED, POWER = 0.95, 0, 0.8
# Of what shares of wins the board says how many votes show them.
PLANNED_SHARES = (0.55, 0.6, 0.7)


def pair_statistics(
    comparisons: Sequence[Comparison],
    with_covariates: Sequence[Comparison],
    *,
    covariate_names: Sequence[str],
    decimals: int,
) -> dict[str, Any]:
    """Intervals, tests of all differences (Holm), and how many votes part two systems. `with_covariates` are the votes whose texts are known.

    The seed and the order of the votes repeat it. Errors: those of `fit`.
    """

    def rounded(value: float) -> float:
        # Adding 0 makes −0.0 the same number as 0.0.
        return round(value, decimals) + 0.0

    def ends(one: Estimate) -> list[float] | None:
        return None if one.low is None or one.high is None else [rounded(one.low), rounded(one.high)]

    found = intervals(comparisons, rng=Random(SEED), level=LEVEL)
    controlled = _controlled(with_covariates, covariate_names)
    names = sorted(found.fit.names, key=lambda name: (-found.fit.strengths[name], name))
    tested = {(first, second): found.difference(first, second) for first, second in combinations(names, 2)}
    adjusted = holm({pair: one.p for pair, one in tested.items() if one.p is not None})
    effect, tie_share = found.design_effect or 1.0, chances(0.0, found.fit.tie)[2]
    return {
        "seed": SEED,
        "level": LEVEL,
        "n_resamples": N_RESAMPLES,
        "n_controlled": N_CONTROLLED,
        "numpy": np.__version__,
        "strengths": {name: ends(found.strength(name)) for name in names},
        "controlled": {name: ends(controlled.strength(name)) for name in controlled.fit.names} if controlled else {},
        "coefficients": {name: ends(controlled.coefficient(name)) for name in covariate_names} if controlled else {},
        "differences": [
            {
                "first": first,
                "second": second,
                "difference": rounded(one.value),
                "interval": ends(one),
                "p": rounded(adjusted[first, second]) if (first, second) in adjusted else None,
            }
            for (first, second), one in tested.items()
        ],
        "plan": {
            "power": POWER,
            "tie_share": rounded(tie_share),
            "design_effect": rounded(effect),
            "votes": [
                {
                    "share": share,
                    "n": votes_needed(
                        difference_of(share), tie_share=tie_share, power=POWER, level=LEVEL, design_effect=effect
                    ),
                }
                for share in PLANNED_SHARES
            ],
        },
    }


def _controlled(with_covariates: Sequence[Comparison], covariate_names: Sequence[str]) -> Uncertainty | None:
    if not with_covariates:
        return None
    try:
        return intervals(
            with_covariates,
            rng=Random(SEED),
            n_resamples=N_CONTROLLED,
            level=LEVEL,
            covariate_names=covariate_names,
        )
    except NoMaximum:
        return None
