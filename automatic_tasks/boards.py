"""The board of a task on one split: one run per team, ranked by any figure, with intervals and significance."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any
from uuid import UUID

from django.db import models
from django.utils.translation import gettext_lazy as _

from automatic_tasks.feedback import rounded
from automatic_tasks.models import AutomaticTask, Comparison, PublishedFigures, Run, RunState, Score, Split, labels_of
from measures.multiple_testing import holm
from measures.ranking import RankingKey, rank, sort_key
from scoring.task_types.contract import Figure

SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A ranked run, or figures as a paper printed them (`run` is None then, and `source` says which).

    `better_than` holds the ranks of rows that it beats significantly in the figure of the board.
    """

    rank: int
    name: str
    run: Run | None
    source: str
    figures: dict[str, float | None]
    intervals: dict[str, tuple[float, float]]
    better_than: tuple[int, ...]


class UnknownFigure(Exception):
    """The task has no figure of that name."""


class Unranked(models.TextChoices):
    FAILED = "failed", _("its run failed")
    NO_SCORE = "no score yet", _("no score yet")
    OUTDATED = "outdated", _("scored by an older version, to be scored again")


@dataclass(frozen=True, slots=True)
class UnrankedRow:
    """A team that took part and has no rank, or a baseline by the name of its run (`team` is None then), and why."""

    name: str
    team: str | None
    reason: Unranked


@dataclass(frozen=True, slots=True)
class Board:
    task: AutomaticTask
    split: Split
    rule: tuple[RankingKey, ...]
    figures: tuple[Figure, ...]
    rows: tuple[BoardRow, ...]
    unranked: tuple[UnrankedRow, ...]

    @property
    def rule_labels(self) -> list[str]:
        return labels_of(self.task.task_type, self.rule)

    def to_rows(self) -> list[dict[str, Any]]:
        """One flat row per run, for a spreadsheet; unrounded, intervals as two columns of the ranking figure."""
        key = self.rule[0].figure
        rows = []
        for row in self.rows:
            low, high = row.intervals.get(key, (None, None))
            rows.append(
                {"rank": row.rank, "run": row.name, "team": row.run.team.name if row.run and row.run.team else ""}
                | {figure.name: row.figures.get(figure.name) for figure in self.figures}
                | {f"{key}.low": low, f"{key}.high": high, "better_than": " ".join(map(str, row.better_than))}
            )
        return rows

    def to_json(self) -> dict[str, Any]:
        return {
            "task": self.task.key,
            "split": self.split,
            "rule": [{"key": key.figure, "better": key.better} for key in self.rule],
            "rows": [
                {
                    "rank": row.rank,
                    "run": row.name,
                    "team": row.run.team.name if row.run and row.run.team else None,
                    "baseline": (row.run.baseline or None) if row.run else None,
                    "source": row.source or None,
                    "figures": row.figures,
                    "intervals": row.intervals,
                    "better_than": row.better_than,
                }
                for row in self.rows
            ],
            "unranked": [{"name": row.name, "team": row.team, "reason": row.reason.value} for row in self.unranked],
        }


def board(task: AutomaticTask, split: Split, *, by: str = "", for_teams: bool = False) -> Board:
    """Ranked by the task's rule, or by the figure `by` alone. For teams only what feedback gives away is counted."""
    runs = board_runs(task, split, only_revealed=for_teams and split == Split.DEVELOPMENT)
    scores = {score.run_id: score for score in Score.objects.filter(run__in=runs, split=split).defer("sums")}
    decimals = task.decimals if for_teams and split == Split.DEVELOPMENT else None
    rule = rule_of(task, by)
    by_name = {run.name: run for run in runs}
    published = {row.name: row for row in PublishedFigures.objects.filter(task=task, split=split)}
    figures = {name: row.figures for name, row in published.items()}
    figures |= {name: rounded(scores[run.pk].figures, decimals) for name, run in by_name.items()}
    ranks = {place.name: place.rank for place in rank(figures, rule)}
    beaten = beaten_by(by_name, figures, ranks, comparisons_of(runs, split), rule[0])
    present = {name for row in figures.values() for name in row}
    return Board(
        task=task,
        split=split,
        rule=rule,
        figures=tuple(figure for figure in task.task_type.figures if figure.name in present),
        rows=tuple(
            BoardRow(
                rank=place,
                name=name,
                run=by_name.get(name),
                source="" if name in by_name else published[name].source,
                figures=figures[name],
                intervals=scores[by_name[name].pk].intervals if name in by_name and decimals is None else {},
                better_than=beaten.get(name, ()),
            )
            for name, place in ranks.items()
        ),
        unranked=tuple(_unranked(task, split, runs)),
    )


def rule_of(task: AutomaticTask, by: str) -> tuple[RankingKey, ...]:
    """The ranking rule. Errors: `UnknownFigure`."""
    if not by:
        return task.ranking_rule
    for figure in task.task_type.figures:
        if figure.name == by:
            return (RankingKey(figure.name, figure.better),)
    raise UnknownFigure(by)


def board_runs(task: AutomaticTask, split: Split, *, only_revealed: bool = False) -> list[Run]:
    """One run per team, and the baselines: the chosen run, else the best on the development split, else the latest.

    Runs that were scored by an older version represent nobody; a team that chose such a run has none on the board.
    """
    runs = task.runs.scored_on(split).select_related("team")
    if only_revealed:
        runs = runs.filter(is_revealed=True)
    current = set(Score.objects.current(task).filter(split=split).values_list("run_id", flat=True))
    by_team: dict[int, list[Run]] = {}
    standing = []
    for run in runs:
        if run.team_id is not None:
            by_team.setdefault(run.team_id, []).append(run)
        elif run.pk in current:
            standing.append(run)
    development = dict(
        Score.objects.current(task).filter(run__in=runs, split=Split.DEVELOPMENT).values_list("run_id", "figures")
    )
    for team_runs in by_team.values():
        chosen = [run for run in team_runs if run.is_chosen]
        candidates = [run for run in chosen or team_runs if run.pk in current]
        if candidates:
            standing.append(_standing(candidates, development, task.ranking_rule))
    return standing


def outdated_runs(task: AutomaticTask) -> list[Run]:
    """Runs with a score by an older version of the measure, or from other gold or options, in the order of the hand-in."""
    outdated = Score.objects.outdated(task).values("run")
    return list(task.runs.filter(pk__in=outdated).select_related("team").order_by("submitted_at", "number"))


def _standing(runs: Sequence[Run], development: Mapping[UUID, Any], rule: Sequence[RankingKey]) -> Run:
    if development:
        return min(runs, key=lambda run: (sort_key(development.get(run.pk, {}), rule), run.number))
    return max(runs, key=lambda run: run.number)


def pairs_of(runs: Iterable[Run]) -> list[tuple[Run, Run]]:
    """Every two runs, the one with the smaller id first."""
    return list(combinations(sorted(runs, key=lambda run: str(run.pk)), 2))


def comparisons_of(runs: Sequence[Run], split: Split) -> dict[tuple[UUID, UUID], dict[str, float]]:
    rows = Comparison.objects.filter(one__run__in=runs, other__run__in=runs, one__split=split)
    found = rows.values_list("one__run_id", "other__run_id", "p_values")
    return {(one, other): p_values for one, other, p_values in found}


def beaten_by(
    runs: Mapping[str, Run],
    figures: Mapping[str, Mapping[str, float | None]],
    ranks: Mapping[str, int],
    comparisons: Mapping[tuple[UUID, UUID], Mapping[str, float]],
    key: RankingKey,
) -> dict[str, tuple[int, ...]]:
    """For each run the ranks of those it beats at the 5 % level, Holm-adjusted for all pairs of the board."""
    name_of = {run.pk: name for name, run in runs.items()}
    uncorrected = {pair: values[key.figure] for pair, values in comparisons.items() if key.figure in values}
    beaten: dict[str, set[int]] = {name: set() for name in runs}
    for pair, value in holm(uncorrected).items():
        if value < SIGNIFICANT:
            winner, loser = sorted((name_of[pk] for pk in pair), key=lambda name: sort_key(figures[name], (key,)))
            beaten[winner].add(ranks[loser])
    return {name: tuple(sorted(found)) for name, found in beaten.items()}


def _unranked(task: AutomaticTask, split: Split, runs: Sequence[Run]) -> Iterable[UnrankedRow]:
    """Teams that took part and have no run on the board, by name, then baselines scored by an older version."""
    ranked = {run.team_id for run in runs if run.team_id is not None}
    outdated = set(Score.objects.outdated(task).filter(split=split).values_list("run_id", flat=True))
    of_team: dict[str, list[Run]] = {}
    for run in task.runs.exclude(team_id__in=ranked).select_related("team").order_by("number"):
        if run.team is not None:
            of_team.setdefault(run.team.name, []).append(run)
    for name, theirs in sorted(of_team.items()):
        yield UnrankedRow(name, name, _reason(theirs, outdated))
    for run in task.runs.filter(team=None, pk__in=outdated).order_by("number"):
        yield UnrankedRow(run.name, None, Unranked.OUTDATED)


def _reason(runs: Sequence[Run], outdated: Collection[UUID]) -> Unranked:
    if any(run.pk in outdated for run in runs):
        return Unranked.OUTDATED
    return Unranked.FAILED if runs[-1].state == RunState.FAILED else Unranked.NO_SCORE
