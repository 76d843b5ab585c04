"""How little is known of the distance between two systems: what an adaptive draw looks at. Pure.

Votes are comparisons between systems whose strengths differ by d: each adds p (1 - p) to what is known of d, where p is the chance
that one of the two is preferred (the information of the model of Bradley and Terry 1952). The variance of a distance follows from
the matrix of these sums; a small prior keeps it finite where no votes join two systems.
"""

from collections.abc import Mapping, Sequence
from math import exp, sqrt

from pairs.pair_drawing import Two

# As if each system had lost and won a quarter of a comparison with a system of strength 0.
PRIOR = 0.125


def interval_widths(
    systems: Sequence[int], n_votes: Mapping[Two, int], strengths: Mapping[int, float]
) -> dict[Two, float]:
    """By two systems, the standard deviation of their distance on the log scale; a system without a strength has 0.

    Costs the third power of the number of systems.
    """
    place = {system: index for index, system in enumerate(systems)}
    known = [[PRIOR if row == column else 0.0 for column in range(len(systems))] for row in range(len(systems))]
    for (one, other), n in n_votes.items():
        if one not in place or other not in place:
            continue
        apart = strengths.get(one, 0.0) - strengths.get(other, 0.0)
        p = 1 / (1 + exp(-max(-30.0, min(30.0, apart))))
        row, column, told = place[one], place[other], n * p * (1 - p)
        known[row][row] += told
        known[column][column] += told
        known[row][column] -= told
        known[column][row] -= told
    spread = inverse(known)
    return {
        (one, other) if one < other else (other, one): sqrt(
            max(0.0, spread[row][row] + spread[column][column] - 2 * spread[row][column])
        )
        for one, row in place.items()
        for other, column in place.items()
        if row < column
    }


def inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Of a symmetric positive definite matrix, by Gauss and Jordan; no pivots are needed there."""
    n = len(matrix)
    rows = [[*row, *(1.0 if column == index else 0.0 for column in range(n))] for index, row in enumerate(matrix)]
    for index, row in enumerate(rows):
        scale = row[index]
        row[:] = [value / scale for value in row]
        for other in rows:
            if other is not row and (factor := other[index]):
                other[:] = [value - factor * mine for value, mine in zip(other, row, strict=True)]
    return [row[n:] for row in rows]
