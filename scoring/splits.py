"""Which items of the gold are of which split of a task: declared by id, or drawn by the task's key. Pure."""

import random
from collections.abc import Collection, Iterable

from scoring.task_types.contract import Gold

DEVELOPMENT, HIDDEN = "development", "hidden"
SPLITS = (DEVELOPMENT, HIDDEN)


def drawn_split(key: str, share: float, names: Iterable[str]) -> list[str]:
    """The development split that a task with this key draws: the same again from the same gold."""
    ordered = sorted(names)
    return sorted(random.Random(key).sample(ordered, round(share * len(ordered))))


def part_of(gold: Gold, split: str, development_ids: Collection[str]) -> Gold:
    """The items of the split, in the order of the gold."""
    development = set(development_ids)
    return gold.only([name for name in gold.items if (name in development) == (split == DEVELOPMENT)])
