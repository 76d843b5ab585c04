"""What somebody who comes by a link is given to talk about: the cells that have the fewest dialogues so far. Pure."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence

Cell = tuple[int, int]


def cells_for(
    entries: Sequence[int], scenarios: Sequence[int], taken: Mapping[Cell, int], n: int, rng: random.Random
) -> list[Cell]:
    """`n` cells (entry, scenario): first those that others have least, then systems that this person has not met; ties by lot.

    `taken` says how often each cell is assigned. A cell comes back only where there are fewer cells than `n`; none: no cell.
    """
    counts = {(entry, scenario): taken.get((entry, scenario), 0) for entry in entries for scenario in scenarios}
    lots = {cell: rng.random() for cell in sorted(counts)}
    own: Counter[Cell] = Counter()
    met: Counter[int] = Counter()
    about: Counter[int] = Counter()
    drawn: list[Cell] = []
    while counts and len(drawn) < n:
        cell = min(counts, key=lambda one: (own[one], counts[one], met[one[0]], about[one[1]], lots[one]))
        drawn.append(cell)
        own[cell] += 1
        met[cell[0]] += 1
        about[cell[1]] += 1
    return drawn
