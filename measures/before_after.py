"""The figures of one system before and after it changed. Pure.

The same figures and intervals as a board's (`measures/samples.py`): weighted means over records, and a bootstrap over scenarios that each span draws
for itself, since before and after are different records of perhaps different scenarios.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from measures.live import LiveSums, Record


@dataclass(slots=True)
class Spans:
    """Records added up by span, from 0, and scenario."""

    n_spans: int
    criteria: Sequence[str]
    cells: dict[tuple[int, str], LiveSums] = field(default_factory=lambda: defaultdict(LiveSums))
    n_between: int = 0

    def add(self, span: int | None, scenario: str, record: Record) -> None:
        """`span` None: the record tells of no side, and is only counted."""
        if span is None:
            self.n_between += 1
        else:
            self.cells[span, scenario].add_record(record, self.criteria)

    def figures(self, names: Iterable[str]) -> list["SpanFigures"]:
        """Each span with its figures and their intervals; an interval needs two scenarios."""
        from measures.cell_statistics import table_of
        from measures.samples import N_RESAMPLES, SEED, mean_intervals

        names, spans = list(names), range(self.n_spans)
        ends = {}
        if self.cells:
            ends = mean_intervals(table_of(self.cells, list(spans), names), seed=SEED, n_resamples=N_RESAMPLES)
        return [
            self._of(span, names, {name: ends.get((span, place)) for place, name in enumerate(names)}) for span in spans
        ]

    def _of(self, span: int, names: Sequence[str], ends: dict[str, tuple[float, float] | None]) -> "SpanFigures":
        total = LiveSums()
        for (own, _), sums in self.cells.items():
            if own == span:
                total.add(sums)
        told = {name: total.of(name) for name in names}
        figures = {name: float(value / weight) if weight else None for name, (value, weight) in told.items()}
        return SpanFigures(total.n_records, figures, {name: pair for name, pair in ends.items() if pair})


@dataclass(frozen=True, slots=True)
class SpanFigures:
    """`figures` are None where no record has a value; `intervals` hold the ends of 95 %."""

    n: int
    figures: dict[str, float | None]
    intervals: dict[str, tuple[float, float]]
