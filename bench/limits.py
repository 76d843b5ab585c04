"""Compares what a benchmark measured with what was promised, so that its command ends with 1 beyond a limit."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limit:
    """A figure with the most it may be; what could not be measured (NaN) is beyond every limit."""

    what: str
    measured: float
    most: float
    unit: str = ""

    @property
    def holds(self) -> bool:
        return self.measured <= self.most

    def __str__(self) -> str:
        verdict = "within" if self.holds else "BEYOND"
        return f"{verdict} the limit: {self.what} {self.measured:.2f} of {self.most:g}{self.unit}"


def exit_code(limits: Iterable[Limit]) -> int:
    """Says of each whether it holds; 1 where one does not."""
    compared = list(limits)
    for limit in compared:
        print(f"    {limit}", flush=True)
    return int(not all(limit.holds for limit in compared))
