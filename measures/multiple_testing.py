"""p-values of many comparisons at once. Pure."""

from collections.abc import Hashable, Mapping
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)


def holm(uncorrected: Mapping[Key, float]) -> dict[Key, float]:
    """p-values adjusted for their number (Holm 1979): the k-th smallest of m times m − k + 1, never falling, at most 1."""
    adjusted: dict[Key, float] = {}
    highest = 0.0
    ordered = sorted(uncorrected.items(), key=lambda pair: pair[1])
    for place, (key, value) in enumerate(ordered):
        highest = max(highest, min(1.0, value * (len(ordered) - place)))
        adjusted[key] = highest
    return adjusted
