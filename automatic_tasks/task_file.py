"""Reads a file of automatic tasks (TOML, or JSON of the same shape). Pure: every problem has its place."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaigns.table_reader import Problem, TableReader, Texts, parsed_file
from scoring.one_run import read_options
from scoring.task_types import TASK_TYPES
from scoring.task_types.contract import Quota, TaskType

KEYS = {
    "key", "type", "name", "gold", "noise", "options", "ranking", "development_share", "development_ids", "quota_total",
    "quota_per_day", "decimals", "min_gain", "batch_size", "deadline_s", "noise_ratio", "open", "board_open", "services",
}  # fmt: skip


class BadTaskFile(Exception):
    """The file cannot be loaded; `problems` names every reason found."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class ServiceSpec:
    team: str
    url: str


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """One task as declared. `gold` and `noise` are paths beside the file; the split is a share or a list of ids.

    `defaults` holds the settings that the file leaves to the task type, with their values.
    """

    key: str
    type: str
    name: Texts
    gold: str
    noise: str
    options: Mapping[str, Any]
    ranking: tuple[str, ...]
    development_share: float
    development_ids: tuple[str, ...]
    quota: Quota
    decimals: int | None
    min_gain: float | None
    batch_size: int
    deadline_s: float
    noise_ratio: float
    is_open: bool
    board_is_open: bool
    defaults: Mapping[str, Any]
    services: tuple[ServiceSpec, ...]


@dataclass(frozen=True, slots=True)
class TaskFile:
    campaign: str
    tasks: tuple[TaskSpec, ...]


def read_task_file(name: str, content: bytes) -> TaskFile:
    """The tasks of a file. Errors: `BadTaskFile`."""
    try:
        parsed = parsed_file(name, content)
    except ValueError as bad:
        raise BadTaskFile([Problem(name, f"cannot be read: {bad}")]) from bad
    reader = _Reader()
    file = reader.file(parsed)
    if reader.problems:
        raise BadTaskFile(reader.problems)
    return file


class _Reader(TableReader):
    def file(self, parsed: Any) -> TaskFile:
        root = self.table(parsed, "file", {"campaign", "tasks"})
        return TaskFile(
            campaign=self.slug(root, "campaign", "file"),
            tasks=self.rows(root, "tasks", self.task, lambda task: task.key),
        )

    def task(self, row: Any, place: str) -> TaskSpec:
        row = self.table(row, place, KEYS)
        type_name = self.choice(row, "type", place, tuple(TASK_TYPES), next(iter(TASK_TYPES)))
        if "type" not in row:
            self.note(f"{place} type", f"is missing; there are {', '.join(TASK_TYPES)}")
        task_type = TASK_TYPES[type_name]
        default = task_type.default_settings()
        return TaskSpec(
            key=self.slug(row, "key", place),
            type=type_name,
            name=self.texts(row, "name", place),
            gold=self.string(row, "gold", place, limit=2000, needed=True),
            noise=self.string(row, "noise", place, limit=2000),
            options=self.options(row, place, task_type),
            ranking=self.ranking(row, place, task_type),
            development_share=self.decimal(row, "development_share", place, (0, 1), default["development_share"]),
            development_ids=tuple(self.strings(row, "development_ids", place)),
            quota=Quota(
                self.number(row, "quota_total", place, (1, 1_000_000), default["quota_total"]) or 1,
                self.number(row, "quota_per_day", place, (1, 1_000_000), default["quota_per_day"]) or 1,
            ),
            decimals=self.number(row, "decimals", place, (0, 12), None),
            min_gain=self.decimal(row, "min_gain", place, (0, 1_000_000), 0.0) if "min_gain" in row else None,
            batch_size=self.number(row, "batch_size", place, (1, 100_000), default["batch_size"]) or 1,
            deadline_s=self.decimal(row, "deadline_s", place, (0.1, 120), default["deadline_s"]),
            noise_ratio=self.decimal(row, "noise_ratio", place, (0, 100), 0.0),
            is_open=self.flag(row, "open", place) if "open" in row else True,
            board_is_open=self.flag(row, "board_open", place),
            defaults=_undeclared(default, row),
            services=self.rows(row, "services", self.service, lambda service: service.team),
        )

    def options(self, row: dict[str, Any], place: str, task_type: TaskType) -> dict[str, Any]:
        given = {name: self._option_text(value) for name, value in self.free_table(row, "options", place).items()}
        try:
            return {name: read_options(task_type, given)[name] for name in given}
        except ValueError as bad:
            self.note(f"{place} options", str(bad))
            return {}

    @staticmethod
    def _option_text(value: Any) -> str:
        return ",".join(map(str, value)) if isinstance(value, list) else str(value)

    def ranking(self, row: dict[str, Any], place: str, task_type: TaskType) -> tuple[str, ...]:
        names = self.strings(row, "ranking", place) if "ranking" in row else task_type.default_settings()["ranking"]
        if not names:
            self.note(f"{place} ranking", "names no figure")
        known = [figure.name for figure in task_type.figures]
        for name in names:
            if name not in known:
                self.note(f"{place} ranking", f"{name!r} is not a figure; there are {', '.join(known)}")
        return tuple(names)

    def service(self, row: Any, place: str) -> ServiceSpec:
        row = self.table(row, place, {"team", "url"})
        url = self.string(row, "url", place, limit=2000, needed=True)
        if url and not url.startswith(("http://", "https://")):
            self.note(f"{place} url", "must start with http:// or https://")
        return ServiceSpec(self.string(row, "team", place, limit=200, needed=True), url)

    def decimal(self, row: dict[str, Any], name: str, place: str, limits: tuple[float, float], default: float) -> float:
        value = row.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not limits[0] <= value <= limits[1]:
            self.note(f"{place} {name}", f"must be a number from {limits[0]:g} to {limits[1]:g}")
            return default
        return float(value)


def _undeclared(default: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    left = {name: value for name, value in default.items() if name not in row}
    if "development_ids" in row:
        left.pop("development_share", None)
    return left
