"""Turns checked runs into stored figures: per split, with intervals, compared with the other runs of the board, and item by item."""

import io
import json
import logging
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_noop

from automatic_tasks.boards.task_boards import board_runs, comparisons_of, pairs_of
from automatic_tasks.models import AutomaticTask, Run, Score, Split
from automatic_tasks.runs.gold_files import gold_of, split_of
from automatic_tasks.runs.queue import SplitScore, settle_boards, store_comparison
from reading.findings import Finding
from scoring.task_types.contract import CheckedRun, Gold

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


log = logging.getLogger("huace.automatic_tasks")

# Between two slices of comparing, runs that wait are taken first.
COMPARE_S = 2.0


def check_again(run: Run) -> CheckedRun:
    assert run.file is not None
    return run.task.task_type.read_run(bytes(run.file.content), gold_of(run.task), run.task.all_options)


def scores_of(run: Run, checked: CheckedRun) -> dict[Split, SplitScore]:
    """Figures, intervals and sums on each split of the task."""
    gold = gold_of(run.task)
    return {split: split_score(run.task, split_of(run.task, gold, split), checked) for split in run.task.splits}


def split_score(task: AutomaticTask, gold: Gold, checked: CheckedRun) -> SplitScore:
    from measures.resampling import intervals

    options = task.all_options
    scored = task.task_type.score(gold, checked, options)
    ends = intervals(scored.sums, lambda total: task.task_type.figures_of(total, gold, options))
    sums = packed(scored.sums, task.task_type.columns(gold, options))
    return SplitScore(scored.figures, ends, scored.notes, sums, task.score_version)


def compare_boards(budget_s: float = COMPARE_S) -> bool:
    """Tests every pair of runs on the boards that changed; False where the time was up before all were done.

    What was compared is stored, so that it goes on where it was, after a kill too. A change that comes meanwhile raises
    the board's version again and is seen by the next look.
    """
    ends_at = time.monotonic() + budget_s
    return all(compare_boards_of(task, ends_at) for task in AutomaticTask.objects.due_for_comparison(timezone.now()))


def compare_boards_of(task: AutomaticTask, ends_at: float) -> bool:
    """Compares the boards of one task; False where the time was up. What goes wrong stays with the board it is about."""
    troubles: list[Finding] = []
    for split in task.splits:
        try:
            found = compare_board(task, split, ends_at)
        except Exception as broken:
            log.exception("The runs of %s on the %s split could not be compared.", task, split)
            found = [_unforeseen(split, broken)]
        if found is None:
            return False
        troubles += found
    settle_boards(task=task, troubles=troubles, at=timezone.now())
    return True


def compare_board(task: AutomaticTask, split: Split, ends_at: float) -> list[Finding] | None:
    """Compares the pairs that are not yet; gives what stopped single ones, and None where only the time was up.

    A pair in trouble stops no other. When the time is up after one, the trouble is told, so that the board is put off
    instead of being looked at again at once.
    """
    runs = board_runs(task, split)
    known = comparisons_of(runs, split)
    missing = [(one, other) for one, other in pairs_of(runs) if (one.pk, other.pk) not in known]
    if not missing:
        return []
    gold = split_of(task, gold_of(task), split)
    scores = {score.run_id: score for score in Score.objects.filter(run__in=runs, split=split)}
    sums = usable_sums(task, gold, scores)
    troubles: list[Finding] = []
    for one, other in missing:
        if one.pk not in sums or other.pk not in sums:
            continue
        if time.monotonic() > ends_at:
            return troubles or None
        try:
            values = _p_values(task, gold, sums[one.pk], sums[other.pk])
            store_comparison(one=scores[one.pk], other=scores[other.pk], p_values=values)
        except Exception as broken:
            log.exception("%s and %s could not be compared on the %s split.", one, other, split)
            trouble = _unforeseen(split, broken)
            # One sentence per kind of error: a board may have thousands of pairs.
            troubles += [trouble] if trouble not in troubles else []
    odd = [run.name for run in runs if run.pk not in sums]
    return [*troubles, _odd_sums(split, odd)] if odd else troubles


def usable_sums(task: AutomaticTask, gold: Gold, scores: Mapping[UUID, Score]) -> "dict[UUID, NDArray[np.float64]]":
    """The sums by run, without those whose columns or items are others than the measure has now."""
    columns = task.task_type.columns(gold, task.all_options)
    return {
        run_id: rows
        for run_id, score in scores.items()
        if (rows := unpacked(score.sums, columns)) is not None and len(rows) == len(gold.items)
    }


def _p_values(
    task: AutomaticTask, gold: Gold, one: "NDArray[np.float64]", other: "NDArray[np.float64]"
) -> dict[str, float]:
    from measures.resampling import p_values

    options = task.all_options
    return p_values(one, other, lambda total: task.task_type.figures_of(total, gold, options))


def _odd_sums(split: Split, names: Sequence[str]) -> Finding:
    text = gettext_noop("the stored sums of %(runs)s are not those of the measure of today")
    return Finding(split, text, {"runs": ", ".join(names)[:200]})


def _unforeseen(split: Split, broken: Exception) -> Finding:
    return Finding(split, gettext_noop("comparing ended in %(error)s"), {"error": type(broken).__name__})


def packed(sums: "NDArray[np.float64]", columns: Sequence[str]) -> bytes:
    """Sums with the names of their columns. Errors: `ValueError` where the numbers of both differ."""
    import numpy as np

    if sums.shape[1:] != (len(columns),):
        raise ValueError(f"Sums of shape {sums.shape} have no {len(columns)} columns.")
    names = np.frombuffer(json.dumps(columns).encode(), dtype=np.uint8)
    file = io.BytesIO()
    np.savez_compressed(file, sums=sums, columns=names)
    return file.getvalue()


def unpacked(content: bytes | memoryview, columns: Sequence[str]) -> "NDArray[np.float64] | None":
    """The stored sums; None where their columns are others than these."""
    import numpy as np

    with np.load(io.BytesIO(bytes(content)), allow_pickle=False) as file:
        sums: NDArray[np.float64] = file["sums"]
        names = json.loads(file["columns"].tobytes()) if "columns" in file else None
    return sums if names == list(columns) else None


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
