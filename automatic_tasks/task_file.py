"""Reads a file of automatic tasks (TOML, or JSON of the same shape). Pure: every problem has its place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated, Any

from django.utils.translation import gettext_noop

from automatic_tasks.combined.board_file import BoardSpec, check_board
from campaigns.campaign_file.calendar_settings import MomentOr
from participants.limits import NAME_LIMIT, REASON_LIMIT, SECRET
from reading.checking import Problems, read_declared
from reading.findings import FILE, item, under
from reading.kinds import (
    ANY_TEXT,
    FLAG,
    SLUG,
    BothTexts,
    Choice,
    FreeTable,
    ListOf,
    Number,
    Text,
    Texts,
    Whole,
    Wrong,
    http_url,
)
from reading.tables import Rows, table_of
from scoring.one_run import read_options
from scoring.task_types import TASK_TYPES

QUOTA = Whole(1, 1_000_000)
# A team may be left without any runs.
QUOTA_OF_TEAM = Whole(0, 1_000_000)
NO_DATE = "none"
MOMENT = MomentOr(word=NO_DATE)
NO_PART = gettext_noop("has no meaning: a file holds nothing but this task's answers")
QUOTA_OF_ANOTHER = gettext_noop("has no meaning here: the quota of task %(key)s holds, with which it is handed in")
# Stands for the default of the task's type until the type is known.
OF_THE_TYPE: Any = None
# The path of a file beside the task file.
FILE_NAME_LIMIT = 2000


@dataclass(frozen=True, slots=True)
class ServiceSpec:
    """`secret` is None where the stored one stays. A `draft` waits for an organizer; of a service that is there, the file says nothing of that."""

    team: Annotated[str, Text(NAME_LIMIT)]
    url: Annotated[str, http_url()]
    secret: Annotated[str | None, SECRET] = None
    draft: Annotated[bool, FLAG] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaSpec:
    """A team's own quota; what is None is as for every team."""

    team: Annotated[str, Text(NAME_LIMIT)]
    total: Annotated[int | None, QUOTA_OF_TEAM] = None
    per_day: Annotated[int | None, QUOTA_OF_TEAM] = None
    reason: Annotated[str, Text(REASON_LIMIT)]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSpec:
    """One task as declared. `gold` and `noise` are paths beside the file; the split is a share or a list of ids.

    `handed_in_with` is the key of the task in whose files its part stands. `defaults` holds the settings that the file leaves to the task type, with their values.
    """

    key: Annotated[str, SLUG]
    type: Annotated[str, Choice(TASK_TYPES)]
    name: Annotated[Texts, BothTexts(limit=NAME_LIMIT)]
    gold: Annotated[str, Text(FILE_NAME_LIMIT)]
    noise: Annotated[str, Text(FILE_NAME_LIMIT, may_be_empty=True)] = ""
    options: Annotated[Mapping[str, Any], FreeTable()] = field(default_factory=dict)
    ranking: Annotated[tuple[str, ...], ListOf(ANY_TEXT)] = OF_THE_TYPE
    development_share: Annotated[float, Number(0, 1)] = OF_THE_TYPE
    development_ids: Annotated[tuple[str, ...], ListOf(ANY_TEXT)] = ()
    handed_in_with: Annotated[str, Text(60, may_be_empty=True)] = ""
    quota_total: Annotated[int, QUOTA] = OF_THE_TYPE
    quota_per_day: Annotated[int, QUOTA] = OF_THE_TYPE
    decimals: Annotated[int | None, Whole(0, 12)] = None
    min_gain: Annotated[float | None, Number(0, 1_000_000)] = None
    batch_size: Annotated[int, Whole(1, 100_000)] = OF_THE_TYPE
    deadline_s: Annotated[float, Number(0.1, 120)] = OF_THE_TYPE
    noise_ratio: Annotated[float, Number(0, 100)] = OF_THE_TYPE
    is_open: Annotated[bool, FLAG, "open"] = True
    board_is_open: Annotated[bool, FLAG, "board_open"] = False
    runs_from: Annotated[datetime | None, MOMENT] = None
    runs_until: Annotated[datetime | None, MOMENT] = None
    services: Annotated[tuple[ServiceSpec, ...], Rows(table_of(ServiceSpec), "team")] = ()
    quotas: Annotated[tuple[QuotaSpec, ...], Rows(table_of(QuotaSpec), "team")] = ()
    defaults: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TaskFile:
    campaign: Annotated[str, SLUG]
    tasks: Annotated[tuple[TaskSpec, ...], Rows(table_of(TaskSpec), "key")] = ()
    # None: the file says nothing of boards, and those that are stored stay.
    boards: Annotated[tuple[BoardSpec, ...] | None, Rows(table_of(BoardSpec), "key")] = None


def read_task_file(name: str, content: bytes) -> TaskFile:
    """The tasks and boards of a file. Errors: `BadFile`."""
    problems = Problems()
    file: TaskFile = problems.read(read_declared(name, content), FILE, table_of(TaskFile)) or TaskFile("")
    tasks = tuple(
        completed(task, f"[[tasks]] {number}", problems)
        for number, task in enumerate(file.tasks, start=1)
        if task.type is not None
    )
    for number, board in enumerate(file.boards or (), start=1):
        check_board(board, number, problems)
    problems.refuse()
    return replace(file, tasks=tasks)


def completed(task: TaskSpec, place: str, problems: Problems) -> TaskSpec:
    """With the options as the task type reads them, and its settings where the file has none."""
    task_type = TASK_TYPES[task.type]
    task = replace(task, runs_from=_moment(task.runs_from), runs_until=_moment(task.runs_until))
    if task.runs_from and task.runs_until and task.runs_until <= task.runs_from:
        problems.note(under(place, "runs_until"), gettext_noop("must be later than runs_from"))
    for index, quota in enumerate(task.quotas):
        if quota.team and quota.total is None and quota.per_day is None:
            where = item(under(place, "quotas"), index)
            problems.note(where, gettext_noop("says no quota: give total, per_day or both"))
    _check_joined(task, place, problems)
    if task.noise_ratio is None and not (task.noise and task_type.is_service):
        task = replace(task, noise_ratio=0.0)
    left = {name: value for name, value in task_type.default_settings().items() if getattr(task, name) is None}
    settings = left | ({"ranking": tuple(left["ranking"])} if "ranking" in left else {})
    if task.development_ids:
        left.pop("development_share", None)
    task = replace(task, **settings, defaults=left, options=_options(task, place, problems))
    _check_ranking(task.ranking, [figure.name for figure in task_type.figures], under(place, "ranking"), problems)
    return task


def _moment(said: Any) -> datetime | None:
    return said if isinstance(said, datetime) else None


def _check_joined(task: TaskSpec, place: str, problems: Problems) -> None:
    """A task that is handed in with another one counts by its quota."""
    if not task.handed_in_with:
        return
    if not TASK_TYPES[task.type].part:
        problems.note(under(place, "handed_in_with"), NO_PART)
    own = {"quota_total": task.quota_total, "quota_per_day": task.quota_per_day, "quotas": task.quotas or None}
    for name in (name for name, said in own.items() if said is not None):
        problems.note(under(place, name), QUOTA_OF_ANOTHER, key=task.handed_in_with)


def _options(task: TaskSpec, place: str, problems: Problems) -> dict[str, Any]:
    given = {name: _option_text(value) for name, value in task.options.items()}
    try:
        options = read_options(TASK_TYPES[task.type], given)
    except Wrong as wrong:
        problems.note(under(place, "options"), wrong.text, **wrong.values)
        return {}
    return {name: options[name] for name in given}


def _option_text(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _check_ranking(names: Sequence[str], known: Sequence[str], place: str, problems: Problems) -> None:
    if not names:
        problems.note(place, gettext_noop("names no figure"))
    for name in names:
        if name not in known:
            text = gettext_noop("“%(name)s” is not a figure; there are %(known)s")
            problems.note(place, text, name=name, known=", ".join(known))
