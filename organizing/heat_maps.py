"""What page, files and API show of a stored meta-evaluation, as far as their reader may see it: heat maps as MSDE Tables 11–13."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from automatic_tasks.access import visible_boards
from automatic_tasks.models import Split
from campaigns.labels import skill_label
from campaigns.models import Campaign, Role
from leaderboards.board import Key, Words
from leaderboards.live_board import columns_of
from organizing.correlations import (
    EVERYBODY,
    ORGANIZERS,
    audiences_of,
    is_of_snapshot_in_force,
    state_of,
    stored_evaluation,
    with_metrics,
)
from organizing.metrics import Metric
from organizing.models import MetaEvaluation
from scoring.figure_tables import COEFFICIENTS

SIGNIFICANT = 0.05
# Shades on each side of 0: under 0.2 there is none, from 0.8 on the darkest.
SHADES = 4
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """A correlation; all None where it is undefined or no system has both figures. `shade` is −4…4."""

    value: float | None = None
    interval: Sequence[float] | None = None
    p: float | None = None
    n: int = 0

    @property
    def shade(self) -> int:
        if self.value is None:
            return 0
        steps = min(SHADES, int(abs(self.value) * 5 + 1e-9))
        return steps if self.value > 0 else -steps

    @property
    def is_significant(self) -> bool:
        """At the 5% level, for this pair alone."""
        return self.p is not None and self.p < SIGNIFICANT


@dataclass(frozen=True, slots=True)
class HeatMap:
    """One table: `skill` (empty: all of them), its criteria as columns, per metric one cell for each."""

    skill: str
    criteria: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell]]]


def cell_of(row: Row, coefficient: str) -> Cell:
    """The named coefficient of a row as `scoring/figure_tables.py` gives it."""
    return Cell(row[coefficient], row[f"{coefficient}_interval"], row[f"{coefficient}_p"], row["n"])


def heat_maps(
    rows: Sequence[Row], coefficient: str, *, metrics: Sequence[str], criteria: Sequence[str]
) -> list[HeatMap]:
    """One map per skill in the order of the rows; metrics and criteria in the given order, those without any row left out."""
    found: dict[str, dict[tuple[str, str], Cell]] = {}
    for row in rows:
        found.setdefault(row["skill"], {})[row["metric"], row["criterion"]] = cell_of(row, coefficient)
    maps = []
    for skill, cells in found.items():
        there = {metric for metric, _ in cells}, {criterion for _, criterion in cells}
        columns = [name for name in criteria if name in there[1]]
        lines = [
            (metric, [cells.get((metric, criterion), Cell()) for criterion in columns])
            for metric in metrics
            if metric in there[0]
        ]
        if lines and columns:
            maps.append(HeatMap(skill, columns, lines))
    return maps


Rows = Iterator[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Reading:
    """A stored meta-evaluation in the words of today; what the reader may not see is left out."""

    campaign: Campaign
    stored: MetaEvaluation
    is_outdated: bool
    metrics: Mapping[str, Metric]
    criteria: Mapping[str, Key]

    @property
    def rows(self) -> list[dict[str, Any]]:
        found = self.stored.content.get("rows", [])
        return [row for row in found if row["metric"] in self.metrics and row["criterion"] in self.criteria]

    @property
    def n_systems(self) -> int:
        return max((row["n"] for row in self.rows), default=0)

    @property
    def names(self) -> dict[str, str]:
        """What each system is called in the files, by its entry's id: its team where that is enough."""
        return dict(self.stored.content.get("names", {}))

    @property
    def unmatched(self) -> list[str]:
        return list(self.stored.content.get("unmatched", []))

    @property
    def ambiguous(self) -> list[str]:
        return list(self.stored.content.get("ambiguous", []))

    def maps(self, coefficient: str) -> list["ShownMap"]:
        made = heat_maps(self.rows, coefficient, metrics=list(self.metrics), criteria=list(self.criteria))
        return [ShownMap(one, self.metrics, self.criteria) for one in made]

    def lines(self) -> list["Line"]:
        """Skill by skill in the order of metrics and criteria."""
        places = {name: place for place, name in enumerate((*self.metrics, *self.criteria))}
        rows = sorted(self.rows, key=lambda row: (row["skill"], places[row["metric"]], places[row["criterion"]]))
        return [Line(row, self.metrics[row["metric"]], self.criteria[row["criterion"]]) for row in rows]


@dataclass(frozen=True, slots=True)
class Head:
    """A metric or criterion as a head of the map: its words, and which way is better (empty where nobody knows)."""

    label: str
    words: str
    better: str


@dataclass(frozen=True, slots=True)
class ShownMap:
    """A heat map with its heads in words."""

    map: HeatMap
    metrics: Mapping[str, Metric]
    criteria: Mapping[str, Key]

    @property
    def skill(self) -> str:
        return skill_label(self.map.skill)

    @property
    def columns(self) -> list[Head]:
        return [head_of_criterion(self.criteria[name]) for name in self.map.criteria]

    @property
    def rows(self) -> list[tuple[Head, list[tuple[Cell, int]]]]:
        """Each cell with its shade: positive where metric and people agree, whichever way is better of them."""
        return [(head_of_metric(self.metrics[name]), self._shaded(name, cells)) for name, cells in self.map.rows]

    def _shaded(self, name: str, cells: Sequence[Cell]) -> list[tuple[Cell, int]]:
        # Of a metric whose direction nobody knows, higher is taken for better, as of most.
        better = self.metrics[name].better or "higher"
        found = zip(self.map.criteria, cells, strict=True)
        return [(cell, cell.shade if self.criteria[key].better == better else -cell.shade) for key, cell in found]


@dataclass(frozen=True, slots=True)
class Line:
    """One pair of a metric and a criterion with all three coefficients."""

    row: Mapping[str, Any]
    metric: Metric
    criterion: Key

    @property
    def skill(self) -> str:
        return skill_label(self.row["skill"])

    @property
    def cells(self) -> list[Cell]:
        return [cell_of(self.row, name) for name in COEFFICIENTS]


def head_of_metric(metric: Metric) -> Head:
    return Head(str(metric.words), metric.key, metric.better)


def head_of_criterion(key: Key) -> Head:
    return Head(key.head, str(key.words), key.better)


def reading_of(campaign: Campaign, roles: frozenset[str], at: datetime) -> Reading:
    """For organizers everything, as the scores are now; for everybody else what is published."""
    audience = ORGANIZERS if Role.ORGANIZER in roles else EVERYBODY
    stored = stored_evaluation(campaign, audience)
    now = with_metrics(at).filter(pk=campaign.pk).first()
    if audience == EVERYBODY and (now is None or not is_of_snapshot_in_force(stored, now)):
        # The snapshot before may have named teams where the one in force hides them.
        stored = MetaEvaluation(campaign=campaign, audience=audience)
    metrics = [metric_of(kept) for kept in stored.content.get("metrics", [])]
    seen = _seen(campaign, roles, stored)
    return Reading(
        campaign,
        stored,
        now is not None and audience in audiences_of(now) and stored.made_from != state_of(now, audience),
        {metric.key: metric for metric in metrics if not metric.task or (metric.task, metric.split) in seen},
        {key.name: key for key in columns_of(campaign)},
    )


def metric_of(kept: Mapping[str, str]) -> Metric:
    return Metric(kept["key"], Words(kept["zh"], kept["en"]), kept["better"], kept["task"], kept["split"])


def _seen(campaign: Campaign, roles: frozenset[str], stored: MetaEvaluation) -> set[tuple[str, str]]:
    """The boards of tasks that the reader may see, by task and split; none where teams are hidden."""
    if stored.content.get("hides_teams"):
        # A task's board names teams: equal figures here would tell who is behind which alias.
        return set()
    tasks = campaign.automatic_tasks.select_related("campaign")
    # Teams see the development board rounded, and of revealed runs alone, until the scores are released: here are all of it.
    return {
        (task.key, split)
        for task in tasks
        for split in visible_boards(task, roles)
        if split == Split.HIDDEN or task.released_at is not None or Role.ORGANIZER in roles
    }


# -- the tables behind it: `manage.py correlate automatic.csv human.csv --system system` gives the same ----------------


def correlation_table(reading: Reading) -> tuple[list[str], Rows]:
    heads = ["skill", "metric", "criterion", "n"]
    of_coefficients = [name + more for name in COEFFICIENTS for more in ("", "_low", "_high", "_p")]
    return [*heads, *of_coefficients], ([*(row[head] for head in heads), *_figures(row)] for row in reading.rows)


def _figures(row: Mapping[str, Any]) -> list[float | None]:
    return [
        value
        for name in COEFFICIENTS
        for value in (row[name], *(row[f"{name}_interval"] or (None, None)), row[f"{name}_p"])
    ]


def automatic_table(reading: Reading) -> tuple[list[str], Rows]:
    names, metrics = reading.names, list(reading.metrics)
    return ["skill", "system", *metrics], (
        [kept["skill"], names[kept["entry"]], *(kept["figures"].get(metric) for metric in metrics)]
        for kept in reading.stored.content.get("automatic", [])
        if kept["entry"] in names
    )


def human_table(reading: Reading) -> tuple[list[str], Rows]:
    names = reading.names
    return ["skill", "system", "criterion", "score"], (
        [kept["skill"], names[kept["entry"]], criterion, score]
        for kept in reading.stored.content.get("human", [])
        for criterion, score in kept["figures"].items()
        if kept["entry"] in names and criterion in reading.criteria
    )


TABLES = {"correlations": correlation_table, "automatic": automatic_table, "human": human_table}
