"""In which order scenarios come when only some of them are given an order. Pure."""

from collections.abc import Sequence


def merged_order(stored: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """The stored keys: those that are wanted in the wanted order, on the places that they have together; all others stay."""
    named, known = set(wanted), set(stored)
    rest = iter([key for key in wanted if key in known])
    return [next(rest) if key in named else key for key in stored]
