"""The board of a task on one split: one run per team, ranked by any figure, with intervals and comparisons."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from automatic_tasks.boards.feedback import rounded
from automatic_tasks.models import AutomaticTask, Comparison, PublishedFigures, Run, RunState, Score, Split
from leaderboards.board import Board, Key, Row, Words, present_keys, ranked
from measures.ranking import RankingKey, sort_key
from participants.models import Team
from scoring.task_types.contract import Figure
from verification.bundle_format import TEAM_WITHOUT_RUN


class UnknownFigure(Exception):
    """The task has no figure of that name."""


class Unranked(models.TextChoices):
    FAILED = "failed", _("its run failed")
    NO_SCORE = "no score yet", _("no score yet")
    OUTDATED = "outdated", _("scored by an older version, to be scored again")


def board(task: AutomaticTask, split: Split, *, by: str = "", for_teams: bool = False) -> Board:
    """Ranked by the task's rule, or by the figure `by` alone. For teams only what feedback gives away is counted."""
    runs = board_runs(task, split, only_revealed=for_teams and split == Split.DEVELOPMENT)
    scores = {score.run_id: score for score in Score.objects.filter(run__in=runs, split=split).defer("sums")}
    decimals = task.decimals if for_teams and split == Split.DEVELOPMENT else None
    names = {run.pk: run.name for run in runs}
    published = {row.name: row for row in PublishedFigures.objects.filter(task=task, split=split)}
    # A run takes the place of printed figures of the same name.
    rows = {name: Row(row.name, row.name, row.figures, source=row.source) for name, row in published.items()}
    rows |= {run.name: _row(run, scores[run.pk], decimals) for run in runs}
    if not for_teams:
        rows |= {run.name: _leading_on(rows[run.name], run, split) for run in runs}
    p_values = comparisons_of(runs, split)
    keys = {figure.name: key_of(figure) for figure in task.task_type.figures}
    return ranked(
        keys=present_keys(keys.values(), list(rows.values())),
        rule=[keys[key.figure] for key in rule_of(task, by)],
        rows=[*rows.values(), *_unranked(task, split, runs)],
        p_values={(names[one], names[other]): values for (one, other), values in p_values.items()},
    )


def key_of(figure: Figure) -> Key:
    return Key(figure.name, Words.of(figure.label), figure.better, figure.decimals)


def _row(run: Run, score: Score, decimals: int | None) -> Row:
    """A run's row; figures that are rounded for teams have no intervals, which would say more than they do."""
    return Row(
        key=run.name,
        name=run.name,
        figures=rounded(score.figures, decimals),
        team=run.team.name if run.team else "",
        intervals=score.intervals if decimals is None else {},
        baseline=run.baseline,
        team_en=run.team.name_en if run.team else "",
    )


def _leading_on(row: Row, run: Run, split: Split) -> Row:
    """The row with the addresses of the run and of the items behind each of its figures."""
    slug = run.task.campaign.slug
    items = reverse("run-items", args=[slug, run.pk, split])
    links = {name: f"{items}?{urlencode({'figure': name})}" for name, value in row.figures.items() if value is not None}
    return replace(row, page=reverse("run", args=[slug, run.pk]), links=links)


def as_table(made: Board) -> tuple[list[str], list[list[Any]]]:
    """Columns and one flat row per run, for a spreadsheet; unrounded, intervals as two columns of the ranking figure."""
    key = made.rule[0].name
    names = [column.name for column in made.keys]
    rows = [
        [
            *(row.rank, row.name, row.team),
            *(row.figures.get(name) for name in names),
            *row.intervals.get(key, (None, None)),
            " ".join(map(str, row.better_than)),
            row.team_en,
        ]
        for row in made.rows
    ]
    return ["rank", "run", "team", *names, f"{key}.low", f"{key}.high", "better_than", "team_en"], rows


def to_json(task: AutomaticTask, split: Split, made: Board) -> dict[str, Any]:
    return {
        "task": task.key,
        "split": split,
        "rule": [{"key": key.name, "better": key.better} for key in made.rule],
        "rows": [
            {
                "rank": row.rank,
                "run": row.name,
                "team": row.team or None,
                "team_en": row.team_en,
                "baseline": row.baseline or None,
                "source": row.source or None,
                "figures": row.figures,
                "intervals": row.intervals,
                # Null, not empty, where nothing was compared.
                "better_than": row.better_than if made.is_compared else None,
            }
            for row in made.rows
        ],
        "unranked": [
            {
                **{"name": row.name, "team": row.team or None, "team_en": row.team_en},
                "reason": row.reason.value if row.reason else None,
            }
            for row in made.unranked
        ],
    }


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


def _unranked(task: AutomaticTask, split: Split, runs: Sequence[Run]) -> Iterable[Row]:
    """Teams that took part and have no run on the board, by name, then baselines scored by an older version."""
    ranked = {run.team_id for run in runs if run.team_id is not None}
    outdated = set(Score.objects.outdated(task).filter(split=split).values_list("run_id", flat=True))
    of_team: dict[Team, list[Run]] = {}
    for run in task.runs.exclude(team_id__in=ranked).select_related("team").order_by("number"):
        if run.team is not None:
            of_team.setdefault(run.team, []).append(run)
    for team, theirs in sorted(of_team.items(), key=lambda one: one[0].name):
        key, reason = TEAM_WITHOUT_RUN.format(team=team.name), _reason(theirs, outdated)
        yield Row(key, team.name, {}, team=team.name, reason=reason, team_en=team.name_en)
    for run in task.runs.filter(team=None, pk__in=outdated).order_by("number"):
        yield Row(run.name, run.name, {}, reason=Unranked.OUTDATED)


def _reason(runs: Sequence[Run], outdated: Collection[UUID]) -> Unranked:
    if any(run.pk in outdated for run in runs):
        return Unranked.OUTDATED
    return Unranked.FAILED if runs[-1].state == RunState.FAILED else Unranked.NO_SCORE
