"""Which automatic figures a campaign's systems have: those of its tasks' boards, and those of its uploaded table."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite

from automatic_tasks.boards.task_boards import board
from automatic_tasks.models import AutomaticTask, Split
from campaigns.models import Campaign
from leaderboards.board import Row, Words
from organizing.models import MetricFile

# Figures by skill (empty: all of them) and the id of the entry as a text.
Place = tuple[str, str]
SystemsByName = Mapping[str, Collection[str]]


@dataclass(frozen=True, slots=True)
class Metric:
    """An automatic figure. `task` is empty for one that was computed elsewhere; then nobody knows which direction is better."""

    key: str
    words: Words
    better: str = ""
    task: str = ""
    split: str = ""


@dataclass(slots=True)
class Gathered:
    """The metrics in their order, the figures of each system, and the names that do not count: of no system of the campaign, or of several."""

    metrics: dict[str, Metric] = field(default_factory=dict)
    figures: dict[Place, dict[str, float]] = field(default_factory=lambda: defaultdict(dict))
    unmatched: set[str] = field(default_factory=set)
    ambiguous: set[str] = field(default_factory=set)

    def entry_of(self, name: str, systems: SystemsByName) -> str | None:
        """The only system with that name; otherwise the name is noted as unmatched or ambiguous."""
        entries = systems.get(name, frozenset())
        if len(entries) == 1:
            return min(entries)
        (self.ambiguous if entries else self.unmatched).add(name)
        return None


def gather(campaign: Campaign) -> Gathered:
    """What there is now. Two rows of one board for the same system: the better ranked one counts."""
    gathered, systems = Gathered(), systems_by_name(campaign)
    for task in campaign.automatic_tasks.select_related("campaign"):
        _add_task(gathered, task, systems)
    file = MetricFile.objects.filter(campaign=campaign).first()
    if file is not None:
        _add_file(gathered, file, systems)
    return gathered


def systems_by_name(campaign: Campaign) -> SystemsByName:
    """The entries that go by each name: a system's key, its bot's name, its team's in either language."""
    named = campaign.entries.values_list("pk", "key", "bot__name", "bot__team__name", "bot__team__name_en")
    entries: dict[str, set[str]] = defaultdict(set)
    for pk, *names in named:
        for name in filter(None, names):
            entries[name].add(str(pk))
    return entries


def split_of(task: AutomaticTask) -> Split:
    """The split whose figures count: the hidden one, where the task has one."""
    return Split.HIDDEN if task.has_hidden else Split.DEVELOPMENT


def _add_task(gathered: Gathered, task: AutomaticTask, systems: SystemsByName) -> None:
    split = split_of(task)
    made = board(task, split)
    rows = [(row, entry) for row in made.rows if (entry := _entry_of(row, systems, gathered)) is not None]
    for key in made.keys:
        name = f"{task.key}/{split}/{key.name}"
        for row, entry in rows:
            value = row.figures.get(key.name)
            if value is not None and isfinite(value):
                words = Words(f"{task.name_zh} {key.words.zh}", f"{task.name_en} {key.words.en}")
                gathered.metrics.setdefault(name, Metric(name, words, key.better, task.key, split))
                gathered.figures["", entry].setdefault(name, value)


def _entry_of(row: Row, systems: SystemsByName, gathered: Gathered) -> str | None:
    """The system of a board's row: its team's, or the one whose name printed figures go by; baselines are nobody's."""
    return None if row.baseline else gathered.entry_of(row.team or row.name, systems)


def _add_file(gathered: Gathered, file: MetricFile, systems: SystemsByName) -> None:
    for row in file.figures:
        if (entry := gathered.entry_of(row["system"], systems)) is None:
            continue
        for name, value in row["figures"].items():
            gathered.metrics.setdefault(name, Metric(name, Words(name, name)))
            gathered.figures[row["skill"], entry].setdefault(name, value)


def in_order(metrics: Iterable[Metric]) -> Iterator[dict[str, str]]:
    """As they are stored."""
    for metric in metrics:
        yield {
            "key": metric.key,
            "zh": metric.words.zh,
            "en": metric.words.en,
            "better": metric.better,
            "task": metric.task,
            "split": metric.split,
        }
