"""Turns checked runs into stored figures: per split, with intervals, and compared with the other runs on the board."""

import io
import time
from typing import TYPE_CHECKING

from automatic_tasks.boards import board_runs, comparisons_of, pairs_of
from automatic_tasks.gold_files import gold_of, split_of
from automatic_tasks.models import AutomaticTask, Comparison, Run, Score, Split
from automatic_tasks.queue import SplitScore
from automatic_tasks.task_types.contract import CheckedRun, Gold

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
    return SplitScore(scored.figures, ends, scored.notes, packed(scored.sums))


def compare_boards(budget_s: float = COMPARE_S) -> bool:
    """Tests every pair of runs on the boards that changed; False where the time was up before all were done.

    What was compared is kept, so that it goes on where it was, after a kill too. A change that comes meanwhile raises the
    board's version again and is seen by the next look.
    """
    ends_at = time.monotonic() + budget_s
    for task in AutomaticTask.objects.with_changed_boards():
        if not all(compare_board(task, split, ends_at) for split in task.splits):
            return False
        AutomaticTask.objects.filter(pk=task.pk).update(compared_version=task.board_version)
    return True


def compare_board(task: AutomaticTask, split: Split, ends_at: float) -> bool:
    """Compares the pairs that are not yet; False where the time was up."""
    from leaderboards.resampling import p_values

    runs = board_runs(task, split)
    known = comparisons_of(runs, split)
    missing = [(one, other) for one, other in pairs_of(runs) if (one.pk, other.pk) not in known]
    if not missing:
        return True
    sums = {score.run_id: unpacked(score.sums) for score in Score.objects.filter(run__in=runs, split=split)}
    gold, options = split_of(task, gold_of(task), split), task.all_options
    for one, other in missing:
        if time.monotonic() > ends_at:
            return False
        values = p_values(sums[one.pk], sums[other.pk], lambda total: task.task_type.figures_of(total, gold, options))
        Comparison.objects.update_or_create(one=one, other=other, split=split, defaults={"p_values": values})
    return True


def packed(sums: "NDArray[np.float64]") -> bytes:
    import numpy as np

    file = io.BytesIO()
    np.savez_compressed(file, sums=sums)
    return file.getvalue()


def unpacked(content: bytes | memoryview) -> "NDArray[np.float64]":
    import numpy as np

    with np.load(io.BytesIO(bytes(content)), allow_pickle=False) as file:
        sums: NDArray[np.float64] = file["sums"]
    return sums
