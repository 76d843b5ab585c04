"""What each item of the gold gave to the figures of a run: the stored rows that figures, intervals and tests are made of."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from automatic_tasks.gold_files import gold_of, split_of
from automatic_tasks.models import Run, Score
from automatic_tasks.run_scores import usable_sums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class RunItem:
    """An item by its id in the gold: the figure as if it were the only one, and those of its sums that are not 0."""

    name: str
    alone: float | None
    sums: Mapping[str, float]


class RunItems:
    """What Django's `Paginator` pages through; empty where the stored sums are those of another measure or gold."""

    def __init__(self, run: Run, score: Score, figure: str) -> None:
        task, self._figure = run.task, figure
        self._task_type, self._options = task.task_type, task.all_options
        self._gold = split_of(task, gold_of(task), score.split)
        self._columns = self._task_type.columns(self._gold, self._options)
        self._rows = usable_sums(task, self._gold, {run.pk: score}).get(run.pk)
        self._names = [] if self._rows is None else list(self._gold.items)

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, part: slice) -> list[RunItem]:
        return list(self._items(part))

    def _items(self, part: slice) -> Iterator[RunItem]:
        if self._rows is None:
            return
        for name, row in zip(self._names[part], self._rows[part], strict=True):
            yield RunItem(name, self._alone(row), self._sums(row))

    def _alone(self, row: "NDArray[np.float64]") -> float | None:
        return self._task_type.figures_of(row, self._gold, self._options).get(self._figure)

    def _sums(self, row: "NDArray[np.float64]") -> dict[str, float]:
        return {name: float(value) for name, value in zip(self._columns, row, strict=True) if value}
