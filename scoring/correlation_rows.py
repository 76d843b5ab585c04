"""A correlation as one flat row, as commands, files and the API give it. Pure."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from measures.correlation import OverSystems

COEFFICIENTS = ("pearson", "spearman", "kendall")
# What a row calls its own columns.
OWN_COLUMNS = (
    "metric",
    "criterion",
    "n",
    *(name + more for more in ("", "_interval", "_p") for name in COEFFICIENTS),
)


def row_of(found: "OverSystems[Any]", group_columns: Sequence[str]) -> dict[str, Any]:
    """The group's columns, metric, criterion, n; each coefficient, its interval `[low, high]`, its p; None if undefined."""
    row: dict[str, Any] = dict(zip(group_columns, found.group, strict=True))
    row |= {"metric": found.metric, "criterion": found.criterion, "n": found.correlations.n}
    said = {name: getattr(found.correlations, name) for name in COEFFICIENTS}
    row |= {name: one and one.value for name, one in said.items()}
    row |= {f"{name}_interval": one and one.interval and list(one.interval) for name, one in said.items()}
    return row | {f"{name}_p": one and one.p for name, one in said.items()}
