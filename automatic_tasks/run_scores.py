"""Turns checked runs into stored figures: per split, with intervals, and compared with the other runs on the board."""

import io
import json
import logging
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.translation import gettext_noop

from automatic_tasks.boards import board_runs, comparisons_of, pairs_of
from automatic_tasks.findings import Finding
from automatic_tasks.gold_files import gold_of, split_of
from automatic_tasks.models import AutomaticTask, Run, Score, Split
from automatic_tasks.queue import SplitScore, settle_boards, store_comparison
from automatic_tasks.task_types.contract import CheckedRun, Gold

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
    from leaderboards.resampling import intervals

    options = task.all_options
    scored = task.task_type.score(gold, checked, options)
    ends = intervals(scored.sums, lambda total: task.task_type.figures_of(total, gold, options))
    sums = packed(scored.sums, task.task_type.columns(gold, options))
    return SplitScore(scored.figures, ends, scored.notes, sums, task.score_version)


class OddSums(Exception):
    """The stored sums of runs on one board have other columns or items than the measure has now."""

    def __init__(self, runs: Sequence[Run]) -> None:
        super().__init__(", ".join(run.name for run in runs))


def compare_boards(budget_s: float = COMPARE_S) -> bool:
    """Tests every pair of runs on the boards that changed; False where the time was up before all were done.

    What was compared is stored, so that it goes on where it was, after a kill too. A change that comes meanwhile raises
    the board's version again and is seen by the next look.
    """
    ends_at = time.monotonic() + budget_s
    return all(compare_boards_of(task, ends_at) for task in AutomaticTask.objects.due_for_comparison(timezone.now()))


def compare_boards_of(task: AutomaticTask, ends_at: float) -> bool:
    """Compares the boards of one task; False where the time was up. What goes wrong stays with the board it is about."""
    troubles = []
    for split in task.splits:
        try:
            if not compare_board(task, split, ends_at):
                return False
        except OddSums as odd:
            troubles.append(
                Finding(
                    split,
                    gettext_noop("the stored sums of %(runs)s are not those of the measure of today"),
                    {"runs": str(odd)[:200]},
                )
            )
        except Exception as broken:
            log.exception("The runs of %s on the %s split could not be compared.", task, split)
            troubles.append(
                Finding(split, gettext_noop("comparing ended in %(error)s"), {"error": type(broken).__name__})
            )
    settle_boards(task=task, troubles=troubles, at=timezone.now())
    return True


def compare_board(task: AutomaticTask, split: Split, ends_at: float) -> bool:
    """Compares the pairs that are not yet; False where the time was up. Errors: `OddSums`, after all other pairs."""
    from leaderboards.resampling import p_values

    runs = board_runs(task, split)
    known = comparisons_of(runs, split)
    missing = [(one, other) for one, other in pairs_of(runs) if (one.pk, other.pk) not in known]
    if not missing:
        return True
    scores = {score.run_id: score for score in Score.objects.filter(run__in=runs, split=split)}
    gold, options = split_of(task, gold_of(task), split), task.all_options
    columns = task.task_type.columns(gold, options)
    sums = {
        run_id: rows
        for run_id, score in scores.items()
        if (rows := unpacked(score.sums, columns)) is not None and len(rows) == len(gold.items)
    }
    for one, other in missing:
        if one.pk not in sums or other.pk not in sums:
            continue
        if time.monotonic() > ends_at:
            return False
        values = p_values(sums[one.pk], sums[other.pk], lambda total: task.task_type.figures_of(total, gold, options))
        store_comparison(one=scores[one.pk], other=scores[other.pk], p_values=values)
    odd = [run for run in runs if run.pk not in sums]
    if odd:
        raise OddSums(odd)
    return True


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
