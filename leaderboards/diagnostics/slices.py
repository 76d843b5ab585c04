"""A board in parts: its figures per kind and skill of the scenarios, per tester and reviewer, and as an average reviewer would have scored.

Whole passes over the records, so they are computed beside the statistics and stored; pages read them.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.db.models import Avg
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign, Scenario
from dialogues.fault_policy import fault_policy_of
from dialogues.models import Dialogue
from leaderboards import explanations
from leaderboards.board import Board, Key, Row
from leaderboards.diagnostics.agreement_board import Score, Thing, imported_kinds, imported_scores, scores_fit
from leaderboards.diagnostics.changed_systems import splits_of
from leaderboards.live_board import LIVE, named, scored_criteria, stored_boards
from leaderboards.live_sums import Cell, People, sums_by_cell
from leaderboards.models import StoredBoard
from leaderboards.records import weights_of
from look.plots import shade_of
from measures.live import LiveSums
from measures.ranking import RankingKey, rank
from reviews.models import Rating, Review
from rubrics.models import Criterion

if TYPE_CHECKING:
    from measures.crossed import Crossed

WAYS = {
    "kind": _("By kind of scenario"),
    "skill": _("By skill"),
    "tester": _("By tester"),
    "reviewer": _("By reviewer"),
    "severity": _("Severity-adjusted"),
    "change": _("Before and after a change"),
}

SLICES = "slices"
AT_ONCE = 5_000

Sums = Mapping[Cell, LiveSums]


@dataclass(frozen=True, slots=True)
class PartsNow:
    """The figures of the board and of its parts, as both were computed last; `rows` are those of the parts of these figures."""

    figures: StoredBoard
    parts: StoredBoard

    @property
    def rows(self) -> dict[str, Any]:
        return self.parts.rows_beside(self.figures)

    @property
    def recomputing_since(self) -> datetime | None:
        return self.parts.awaited_since(self.figures)


def parts_now(campaign: Campaign) -> PartsNow:
    """Read in one query, so that no computation can end in between."""
    return PartsNow(*stored_boards(campaign, LIVE, SLICES))


def slices_of(campaign: Campaign) -> dict[str, Any]:
    """`{"by": {"kind": {entry: {name: {"n", "figures"}}}, "skill", "tester", "reviewer"}, "severity": {criterion: …}}` as JSON."""
    scored = scored_criteria(campaign)
    criteria = [criterion.key for criterion in scored]
    by_scenario = sums_by_cell(campaign, criteria)
    scenarios = {scenario.key: scenario for scenario in campaign.scenarios.prefetch_related("subtasks")}
    # Scenarios of imported records are as often as not unknown here; then their lines say the kinds.
    kinds = imported_kinds(campaign) | {key: kind for key, one in scenarios.items() if (kind := kind_of(one))}
    grouped = {
        "kind": regrouped(by_scenario, lambda key: kinds.get(key, "")),
        "skill": regrouped(by_scenario, lambda key: scenarios[key].skill if key in scenarios else ""),
        "tester": sums_by_cell(campaign, criteria, People.testers),
        "reviewer": sums_by_cell(campaign, criteria, People.reviewers),
    }
    return {
        "by": {name: _figures(sums, criteria) for name, sums in grouped.items()},
        "severity": {one.key: adjusted for one in scored if (adjusted := severity_adjusted(campaign, one))},
        "changes": splits_of(campaign),
    }


def kind_of(scenario: Scenario) -> str:
    """The kinds of a scenario's subtasks in their order; empty for one that has none."""
    return "+".join(subtask.kind for subtask in scenario.subtasks.all())


def regrouped(sums: Sums, group_of: Callable[[str], str]) -> Sums:
    """Cells added up by what their scenarios have in common; those without it are left out."""
    found: dict[Cell, LiveSums] = defaultdict(LiveSums)
    for (entry, key), cell in sums.items():
        if group := group_of(key):
            found[entry, group].add(cell)
    return found


def _figures(sums: Sums, criteria: list[str]) -> dict[str, dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = defaultdict(dict)
    for (entry, name), cell in sorted(sums.items()):
        rows[str(entry)][name] = {"n": cell.n_records, "figures": named(cell.figures(criteria))}
    return rows


def severity_adjusted(campaign: Campaign, criterion: Criterion) -> dict[str, Any] | None:
    """`{"severity": {reviewer: points}, "rows": {entry: [plain, adjusted]}}` of one criterion.

    None where no two reviewers scored the same thing, or the table is too large. A reviewer who shares none is not adjusted.
    """
    import numpy as np

    from measures.crossed import crossed
    from measures.reviewers import severities, without_severity

    weighed = list(_weighed_scores(campaign, criterion))
    scores = [score for score, _ in weighed]
    if len({reviewer for reviewer, _, _ in scores}) < 2 or not scores_fit(scores):
        return None
    made: Crossed[str, Thing] = crossed(scores)
    found = severities(made.table)
    if all(severity is None for severity in found):
        return None
    adjusted, is_given = without_severity(made.table), ~np.isnan(made.table)
    weights = crossed((reviewer, thing, float(weight)) for (reviewer, thing, _), weight in weighed).table
    rows = {}
    for entry in sorted({thing[0] for thing in made.columns}, key=int):
        own = is_given & np.array([thing[0] == entry for thing in made.columns])
        rows[entry] = [float(np.average(table[own], weights=weights[own])) for table in (made.table, adjusted)]
    return {"severity": dict(zip(made.rows, found, strict=True)), "rows": rows}


def _weighed_scores(campaign: Campaign, criterion: Criterion) -> Iterator[tuple[Score, Fraction]]:
    """Each record's score with its reviewer, the scored thing and the record's weight. The thing is the entry with its dialogue, or with its
    scenario where it was imported.

    The dialogue is identified by its assignment, which has at most one reviewable dialogue: whole numbers are read much faster than ids.
    """
    dialogues = Dialogue.objects.of_campaign(campaign).reviewable().under(fault_policy_of(campaign))
    ratings = Rating.objects.filter(
        criterion=criterion, review__is_counted=True, review__dialogue__in=dialogues
    ).order_by()
    columns = "review__reviewer__username", "review__dialogue__assignment__entry", "review__dialogue__assignment"
    if criterion.scope == Criterion.Scope.DIALOGUE:
        told = ratings.values_list(*columns, "review", "score")
    else:
        # One number per review: the mean over its subtasks or turns.
        told = ratings.values_list(*columns, "review").annotate(mean=Avg("score"))
    counted = Review.objects.filter(is_counted=True, dialogue__in=dialogues).order_by()
    weights = weights_of(counted.values_list("pk", "dialogue", "part"))
    for reviewer, entry, assignment, review, score in told.iterator(AT_ONCE):
        # A review that was handed in since belongs to the next computation.
        if review in weights:
            yield (reviewer, (str(entry), str(assignment)), float(score)), weights[review]
    yield from ((score, weight) for key, score, weight in imported_scores(campaign) if key == criterion.key)


@dataclass(frozen=True, slots=True)
class PartFigure:
    """A figure of one row in one part; None where it has no record there.

    `shade` is stronger the better it is within the table; one of a few records (`is_few`) is not compared.
    """

    name: str
    figure: float | None
    n: int
    shade: int | None = None

    @property
    def is_few(self) -> bool:
        return 0 < self.n < explanations.FEWEST


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A row's mean as it was scored, and as an average reviewer would have; ranks by this criterion alone."""

    row: Row
    plain: float
    adjusted: float
    rank: int
    adjusted_rank: int


def key_named(board: Board, name: str | None) -> Key:
    """The column of that name, or the first."""
    return next((key for key in board.keys if key.name == name), board.keys[0])


def parts_of(
    board: Board, stored: dict[str, Any], by: str, key: Key
) -> tuple[list[str], list[tuple[Row, list[PartFigure]]]]:
    """The names of the parts, and each row of the board with its cells."""
    rows = stored.get("by", {}).get(by, {})
    names = sorted({name for cells in rows.values() for name in cells})

    def figure(row: Row, name: str) -> PartFigure:
        cell = rows.get(row.key, {}).get(name)
        return PartFigure(name, cell["figures"].get(key.name), cell["n"]) if cell else PartFigure(name, None, 0)

    figures = [(row, [figure(row, name) for name in names]) for row in board.rows]
    among = [one.figure for _row, own in figures for one in own if one.figure is not None and not one.is_few]
    return names, [
        (row, [one if one.is_few else replace(one, shade=_shade(key, one.figure, among)) for one in own])
        for row, own in figures
    ]


def _shade(key: Key, value: float | None, among: Sequence[float]) -> int | None:
    """None where there is nothing to tell apart."""
    if value is None or len(among) < 2 or max(among) == min(among):
        return None
    share = (value - min(among)) / (max(among) - min(among))
    return shade_of(share if key.better == "higher" else 1 - share)


def adjusted_criteria(
    board: Board, stored: dict[str, Any]
) -> list[tuple[Key, list[Adjusted], list[tuple[str, float]]]]:
    """Of every criterion that could be adjusted its rows, the best adjusted first, and the reviewers with their severity."""
    found = stored.get("severity", {})
    rows = {row.key: row for row in board.rows}
    return [
        (key, _adjusted_rows(key, found[key.name]["rows"], rows), sorted(found[key.name]["severity"].items()))
        for key in board.keys
        if key.name in found
    ]


def _adjusted_rows(key: Key, told: dict[str, list[float]], rows: dict[str, Row]) -> list[Adjusted]:
    plain, adjusted = ({entry: {key.name: ends[i]} for entry, ends in told.items() if entry in rows} for i in (0, 1))
    rule = (RankingKey(key.name, key.better),)
    before = {place.name: place.rank for place in rank(plain, rule)}
    return [
        Adjusted(rows[place.name], told[place.name][0], told[place.name][1], before[place.name], place.rank)
        for place in rank(adjusted, rule)
    ]
