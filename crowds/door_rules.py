"""What somebody at the door of a study is asked, and what they are given to talk about. Pure."""

import hashlib
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Item:
    """A question that shows whether somebody reads: texts by language, and which of the answers is right."""

    question: Mapping[str, str]
    answers: tuple[Mapping[str, str], ...]
    right: int


def item_of(stored: Mapping[str, Any]) -> Item:
    """The right answer stands anywhere among the wrong ones, at the same place for everybody."""
    answers = [stored["right"], *stored["wrong"]]

    def lot(index: int) -> str:
        said = (sorted(stored["question"].items()), sorted(answers[index].items()))
        return hashlib.sha256(repr(said).encode()).hexdigest()

    order = sorted(range(len(answers)), key=lot)
    return Item(stored["question"], tuple(answers[index] for index in order), order.index(0))


def n_wrong(items: Sequence[Mapping[str, Any]], answers: Sequence[int | None]) -> int:
    """What is not answered is wrong."""
    given = [*answers, *[None] * len(items)]
    return sum(given[index] != item_of(stored).right for index, stored in enumerate(items))


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
