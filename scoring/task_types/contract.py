"""What a task type is: gold loader, run loader, scorer, split and quota. Adding one is one file and a registration."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext_noop

from measures.ranking import Direction, RankingKey
from reading.checking import Problems
from reading.findings import Finding
from reading.kinds import Wrong

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Options = Mapping[str, Any]
Figures = dict[str, float | None]
Missing = Literal["refuse", "count"]

BATCH_SIZE = 50
DEADLINE_S = 4.0
# Of SMP2018 Task 1 we know that the hidden sentences stood in "a lot of noise"; how much of it is ours.
NOISE_RATIO = 1.0


@dataclass(frozen=True, slots=True)
class Gold:
    """The answers: one item per id, and what belongs to the whole (`about`: the declared classes, say)."""

    items: Mapping[str, Any]
    about: Any = None

    def only(self, ids: Sequence[str]) -> "Gold":
        """The part of a split; `about` stays that of the whole."""
        wanted = set(ids)
        return replace(self, items={name: item for name, item in self.items.items() if name in wanted})


@dataclass(frozen=True, slots=True)
class CheckedRun:
    """The answers of a run that passed its check, by item id, and what its team should know."""

    items: Mapping[str, Any]
    warnings: list[Finding] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Scored:
    """Figures of a run, and the sums they are made of.

    `sums` has one row per item `(n_items, n_columns)`, its columns named by the task type's `columns`; `figures_of` turns
    any total of rows into figures, which is what intervals and tests of significance are drawn from. Figures that are no
    sums over items stand in `figures` only.
    """

    sums: "NDArray[np.float64]"
    figures: Figures
    notes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a task's result; dots in the name are levels of the JSON report. `aliases` are other published heads."""

    name: str
    better: Direction
    label: str | Promise
    decimals: int = 4
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """A setting of the scorer: how its text is read, and what it is unless given.

    `is_local`: it names a file or folder of the platform's machine, which is nothing for a browser to say.
    """

    name: str
    read: Callable[[str], Any]
    default: Any
    help: str
    is_local: bool = False


@dataclass(frozen=True, slots=True)
class Quota:
    """How many scored runs a team has, altogether and per day."""

    total: int = 50
    per_day: int = 5


@dataclass(frozen=True, slots=True)
class TaskType:
    """One kind of automatic task.

    read_gold(content, options)          Errors: `BadFile`
    read_run(content, gold, options)     Errors: `BadFile` naming every problem
    score(gold, run, options)            only of what passed the check
    columns(gold, options)               the names of the columns of `Scored.sums`
    figures_of(total, gold, options)     figures of added-up rows of `Scored.sums`
    version                              raised whenever the same run could get another figure than before
    baselines                            name → the file of that run, made from the gold
    is_distance                          its figures may be reported as −log2 of the means
    part                                 the field of a run's rows that it reads, where one file may carry the parts of several tasks
    development_share                    how much of the gold gives feedback before the release
    """

    name: str
    title: str | Promise
    figures: tuple[Figure, ...]
    ranking: tuple[RankingKey, ...]
    read_gold: Callable[[bytes, Options], Gold]
    read_run: Callable[[bytes, Gold, Options], CheckedRun]
    score: Callable[[Gold, CheckedRun, Options], Scored]
    columns: Callable[[Gold, Options], tuple[str, ...]]
    figures_of: "Callable[[NDArray[np.float64], Gold, Options], Figures]"
    run_format: str | Promise
    version: int = 1
    options: tuple[Option, ...] = ()
    baselines: Mapping[str, Callable[[Gold], bytes]] = field(default_factory=dict)
    development_share: float = 0.5
    quota: Quota = Quota()
    is_service: bool = False
    is_distance: bool = False
    part: str = ""

    def default_settings(self) -> dict[str, Any]:
        """What a task gets where its file declares nothing; it keeps these until the file is loaded again.

        Noise is mixed in where there is any.
        """
        of_services = {"noise_ratio": NOISE_RATIO} if self.is_service else {}
        return of_services | {
            "quota_total": self.quota.total,
            "quota_per_day": self.quota.per_day,
            "development_share": self.development_share,
            "batch_size": BATCH_SIZE,
            "deadline_s": DEADLINE_S,
            "ranking": [key.figure for key in self.ranking],
        }

    def default_options(self) -> dict[str, Any]:
        return {option.name: option.default for option in self.options}

    def report(self, scored: Scored, n_items: int) -> dict[str, Any]:
        """The nested JSON of a result, unrounded; a figure that is not a finite number is null."""
        report: dict[str, Any] = {}
        for figure in self.figures:
            if figure.name not in scored.figures:
                continue
            *levels, last = figure.name.split(".")
            place = report
            for level in levels:
                place = place.setdefault(level, {})
            value = scored.figures[figure.name]
            place[last] = value if value is not None and isfinite(value) else None
        return report | {"n_items": n_items} | scored.notes


def choice_of(name: str, *choices: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in choices:
            wrong = gettext_noop("--%(option)s must be one of %(choices)s, not %(value)s")
            raise Wrong(wrong, option=name, choices=", ".join(map(repr, choices)), value=repr(text))
        return text

    return read


def share(name: str) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1:
            wrong = gettext_noop("--%(option)s must be a number from 0 to 1, not %(value)s")
            raise Wrong(wrong, option=name, value=repr(text))
        return value

    return read


def names(text: str) -> tuple[str, ...]:
    """Names with commas between."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def missing_option(default: Missing) -> Option:
    return Option(
        "missing",
        choice_of("missing", "refuse", "count"),
        default,
        gettext_noop("items that the run lacks: refuse, or count as wrong"),
    )


def finished_gold(items: Mapping[str, Any], problems: Problems, nothing: str, about: Any = None) -> Gold:
    """The gold of a file; `nothing` says what is missing where it holds no item. Errors: `BadFile`."""
    if not items and not problems:
        problems.note("file", nothing)
    problems.refuse()
    return Gold(items, about)


@dataclass(frozen=True, slots=True)
class RunCheck:
    """What a run loader has found so far: answers, the places of the ids seen, what is wrong, what stood out."""

    gold: Gold
    options: Options
    items: dict[str, Any] = field(default_factory=dict)
    seen: dict[str, str] = field(default_factory=dict)
    problems: Problems = field(default_factory=Problems)
    warnings: Problems = field(default_factory=Problems)

    def is_known(self, name: str, place: str, unknown: str) -> bool:
        """Whether the task has this item; one that it has not is left out with a warning, which `unknown` words."""
        if name not in self.gold.items:
            self.warnings.note(place, unknown, name=name)
        return name in self.gold.items

    def finished(self, what: str, nothing: str = "") -> CheckedRun:
        """The checked run; `what` an item is called, `nothing` the sentence if there was none. Errors: `BadFile`."""
        if nothing and not self.items and not self.problems:
            self.problems.note("file", nothing)
        note_missing(self, what)
        self.problems.refuse()
        return CheckedRun(self.items, self.warnings.listed())


def note_missing(check: RunCheck, what: str) -> None:
    """Items whose id was not seen are problems or, where the switch says so, warnings."""
    if check.options["missing"] == "refuse":
        noted, text = check.problems, gettext_noop("is missing")
    else:
        noted, text = check.warnings, gettext_noop("is missing, which counts as wrong")
    for name in check.gold.items:
        if name not in check.seen:
            noted.note(f"{what} {name}", text)
