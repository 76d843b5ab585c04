"""How sure the boards of runs are, drawn from the items of the gold; what it holds is said in `measures/board_statistics.py`.

The worker computes it beside its queue, and it is stored with the version of the board; pages read it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from automatic_tasks.boards.task_boards import board, board_runs
from automatic_tasks.models import AutomaticTask, BoardStatistics, Run, Score, Split
from automatic_tasks.runs.gold_files import gold_of, split_of
from automatic_tasks.runs.scores import usable_sums
from leaderboards.board import Board
from leaderboards.live_board import board_of, stored_board
from measures.ranking import RankingKey, rank
from scoring.task_types.contract import Figures

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from measures.samples import Sample

N_RESAMPLES = 2000
# As many as NTCIR-14 and as on live boards (`measures/tukey.py`, which would bring numpy with it).
N_PERMUTATIONS = 5000

ReportProgress = Callable[[float], None]


def go_on(share: float) -> None:
    """For those who compute to the end, and wait for no progress."""


def stored_statistics(task: AutomaticTask, split: Split) -> dict[str, Any]:
    """What was computed last; empty where nothing was yet. Its rows are runs by the names that they have on the board."""
    content: dict[str, Any] = (
        BoardStatistics.objects.filter(task=task, split=split).values_list("content", flat=True).first() or {}
    )
    return content


def statistics_under_way(task: AutomaticTask, split: Split) -> BoardStatistics | None:
    """How far those of the board as it is now are; a row that nobody stored where none was begun yet, None where they are done."""
    stored = BoardStatistics.objects.filter(task=task, split=split).first() or BoardStatistics(task=task, split=split)
    return None if stored.board_version == task.board_version else stored


def shown_statistics(task: AutomaticTask, split: Split, *, for_teams: bool) -> dict[str, Any]:
    """What a reader may see beside the board that was made of the `task` before: empty while that of these runs is computed.

    Teams see rounded figures on the development split, of revealed runs alone, and no statistics. How the board agrees with that of people
    is for organizers: it tells of scores that may not be published.
    """
    if for_teams and split == Split.DEVELOPMENT:
        return {}
    # Asked of the row as it is now, too: the board may have changed between the reading of the task and that of its runs.
    same = BoardStatistics.objects.filter(board_version=task.board_version, task__board_version=task.board_version)
    stored = same.filter(task=task, split=split).first()
    if stored is None:
        return {}
    is_of_people_now = not for_teams and stored.scores_version == stored_board(task.campaign).scores_version
    return {name: told for name, told in stored.content.items() if name != "people" or is_of_people_now}


def statistics_of(task: AutomaticTask, split: Split, report_progress: ReportProgress = go_on) -> dict[str, Any]:
    """Ranks, pairs and rankings of the runs on the board as JSON.

    Runs without usable sums and figures that papers printed take no part. On the hidden split `development` says how far its ranking
    goes together with that of the development split.
    """
    from measures.board_statistics import statistics
    from measures.samples import SEED

    made = sums_of_runs(task, split, report_progress)
    drawn = {"seed": SEED, "n_resamples": N_RESAMPLES, "n_permutations": N_PERMUTATIONS, "n_items": made.n_items}
    if not made.runs:
        return drawn | {"rows": {}, "pairs": [], "rankings": {}}
    names = [run.name for run in made.runs]
    rule = [key for key in task.ranking_rule if key in made.keys]
    found = drawn | statistics(sample_of_runs(made, names=names, needed=rule, seed=SEED), rule)
    if split == Split.HIDDEN:
        found |= {"development": tau_with_development(task, list(made.runs), made.scores)}
    return found


@dataclass(frozen=True, slots=True)
class RunSums:
    """What the figures of runs are drawn from: `sums` `(n_items, n_runs, n_columns)`, and what figures any total of them makes."""

    runs: tuple[Run, ...]
    keys: list[RankingKey]
    scores: Mapping[UUID, Score]
    sums: "NDArray[np.float64]"
    figures_of: "Callable[[NDArray[np.float64]], Figures]"
    n_items: int


def sums_of_runs(
    task: AutomaticTask, split: Split, report_progress: ReportProgress = go_on, only: Collection[str] | None = None
) -> RunSums:
    """Of the runs on the board that have usable sums, or of those `only` by their names."""
    gold = split_of(task, gold_of(task), split)
    scores = {score.run_id: score for score in Score.objects.filter(run__in=board_runs(task, split), split=split)}
    sums = usable_sums(task, gold, scores)
    runs = [run for run in board_runs(task, split) if run.pk in sums and (only is None or run.name in only)]
    keys = _keys(task, [scores[run.pk] for run in runs])
    # Each run's total is drawn so often, then looked at item by item and as it is. Distances are means, which are shuffled item by item.
    n_shuffled = 0 if task.task_type.is_distance else N_PERMUTATIONS
    n_totals = len(runs) * (N_RESAMPLES + n_shuffled + len(gold.items))
    counting = _Counting(report_progress, n_totals)

    def figures_of(total: "NDArray[np.float64]") -> Figures:
        counting.count()
        return task.task_type.figures_of(total, gold, task.all_options)

    return RunSums(tuple(runs), keys, scores, _stacked([sums[run.pk] for run in runs]), figures_of, len(gold.items))


class _Counting:
    """Reports how much is computed by how many figures were: those are what takes the time."""

    def __init__(self, report_progress: ReportProgress, n_expected: int) -> None:
        self._report_progress = report_progress
        self._n_expected = n_expected
        self._n = 0

    def count(self) -> None:
        self._report_progress(min(1.0, self._n / self._n_expected))
        self._n += 1


def sample_of_runs(made: RunSums, *, names: Sequence[str], needed: Collection[RankingKey], seed: int) -> "Sample":
    """The sample of those runs under the names given, whose resamples have all `needed` figures."""
    from measures.samples import sample_of_sums

    scores = [made.scores[run.pk] for run in made.runs]
    return sample_of_sums(
        rows=names,
        keys=made.keys,
        sums=made.sums,
        figures_of=made.figures_of,
        figures=_table(scores, made.keys),
        intervals=[score.intervals for score in scores],
        needed=needed,
        seed=seed,
        n_resamples=N_RESAMPLES,
        n_permutations=N_PERMUTATIONS,
    )


def _keys(task: AutomaticTask, scores: list[Score]) -> list[RankingKey]:
    """The figures that any of the runs has."""
    present = {name for score in scores for name, value in score.figures.items() if value is not None}
    return [RankingKey(one.name, one.better) for one in task.task_type.figures if one.name in present]


def _stacked(sums: "list[NDArray[np.float64]]") -> "NDArray[np.float64]":
    import numpy as np

    return np.stack(sums, axis=1) if sums else np.zeros((0, 0, 0))


def _table(scores: list[Score], keys: list[RankingKey]) -> "NDArray[np.float64]":
    import numpy as np

    figures = [[score.figures.get(key.figure) for key in keys] for score in scores]
    return np.array([[np.nan if value is None else value for value in row] for row in figures], dtype=float)


def tau_with_people(task: AutomaticTask, split: Split) -> dict[str, Any] | None:
    """Kendall's tau of the ranking of runs with that of the stored leaderboard, over the teams that both rank.

    Of several systems of a team the best ranked one speaks for it.
    """
    from measures.board_statistics import tau_of

    campaign = task.campaign
    of_runs = _rank_by_team(board(task, split))
    of_people = _rank_by_team(board_of(campaign, stored_board(campaign).rows))
    both = [team for team in of_runs if team in of_people]
    return tau_of([of_runs[team] for team in both], [of_people[team] for team in both])


def _rank_by_team(made: Board) -> dict[str, int]:
    # Backwards, so that the best rank of a team comes last and stays.
    return {row.team: row.rank for row in reversed(made.rows) if row.team and row.rank is not None}


def tau_with_development(task: AutomaticTask, runs: list[Run], hidden: Mapping[UUID, Score]) -> dict[str, Any] | None:
    """Kendall's tau of the runs' ranking on both splits; None where they have no two ranks on either."""
    from measures.board_statistics import tau_of

    development = {
        score.run_id: score for score in Score.objects.current(task).filter(run__in=runs, split=Split.DEVELOPMENT)
    }
    both = [run for run in runs if run.pk in development]
    on_hidden, on_development = (
        {place.name: place.rank for place in rank({str(run.pk): of[run.pk].figures for run in both}, task.ranking_rule)}
        for of in (hidden, development)
    )
    names = list(on_hidden)
    return tau_of([on_hidden[name] for name in names], [on_development[name] for name in names])
