"""The record that a line of a record file says. Pure, and free of Django: a bundle is verified without it."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from measures.live import Record, SubtaskOutcome, mean

# A weight written as a decimal is read as the share that it stands for; a panel has 100 reviewers at most. Larger denominators
# multiply: the exact sum of 100,000 such shares would have hundreds of thousands of digits.
LARGEST_DENOMINATOR = 1_000
SMALLEST_WEIGHT = 1 / LARGEST_DENOMINATOR


def record_of(content: Mapping[str, Any], n_sharing: int = 1) -> Record:
    """The record of a line that was checked on import. Without a `weight` it has that of one of `n_sharing` lines of its dialogue."""
    subtasks = tuple(
        SubtaskOutcome(row.get("kind", ""), row["completed"], row["turns"], row["cap"]) for row in content["subtasks"]
    )
    return Record(
        team=content["team"],
        bot=content.get("bot", content["team"]),
        scenario=content["scenario"],
        reviewer=content["reviewer"],
        subtasks=subtasks,
        ratings=figures_of(content.get("ratings", {})),
        dialogue_cap=content.get("dialogue_cap"),
        weight=Fraction(1, n_sharing) if (weight := weight_in(content)) is None else weight,
    )


def weight_in(content: Mapping[str, Any]) -> Fraction | None:
    """The weight in a line; None without one. Errors: `ValueError`, in a bundle that was changed."""
    weight = content.get("weight")
    if weight is None:
        return None
    if type(weight) not in (int, float) or not SMALLEST_WEIGHT <= weight <= 1:
        raise ValueError(f"a weight is a number from {SMALLEST_WEIGHT} to 1")
    return Fraction(weight).limit_denominator(LARGEST_DENOMINATOR)


def figures_of(ratings: Mapping[str, Any]) -> dict[str, Any]:
    """One figure per criterion: the mean where it was scored by place."""
    return {key: mean(given.values()) if _has_mean(given) else given for key, given in ratings.items()}


def is_by_place(given: Any) -> bool:
    return isinstance(given, dict) and bool(given)


def _has_mean(given: Any) -> bool:
    return is_by_place(given) and all(
        score is None or (isinstance(score, int | float) and not isinstance(score, bool)) for score in given.values()
    )
