"""The combined boards that a campaign's preset declares, of the tasks that the campaign has by now."""

from collections.abc import Mapping
from typing import Any

from automatic_tasks.combined.board_file import BoardSpec, check_board
from automatic_tasks.models import AutomaticTask, Split
from campaigns.models import Campaign
from campaigns.presets import PRESETS
from leaderboards.live_board import has_figures
from reading.checking import Problems
from reading.tables import table_of

BOARD = table_of(BoardSpec)


def preset_boards(campaign: Campaign) -> list[BoardSpec]:
    """Those of which every task and every figure is there. The first task of a type stands for it, on its hidden split where it has one."""
    preset = PRESETS.get(campaign.preset)
    tasks: dict[str, AutomaticTask] = {}
    for task in campaign.automatic_tasks.all():
        tasks.setdefault(task.type, task)
    specs = [_with_tasks(table, tasks) for table in (preset.boards if preset else ())]
    return [
        spec
        for spec in specs
        if spec is not None and has_figures(campaign, (column.figure for column in spec.columns if not column.task))
    ]


def read_preset_board(table: Mapping[str, Any]) -> BoardSpec:
    """Errors: `BadFile`."""
    problems = Problems()
    spec: BoardSpec | None = problems.read(dict(table), "[[boards]]", BOARD)
    if spec is not None:
        check_board(spec, 1, problems)
    problems.refuse()
    assert spec is not None, "refused"
    return spec


def _with_tasks(table: Mapping[str, Any], tasks: Mapping[str, AutomaticTask]) -> BoardSpec | None:
    """The board with tasks in place of their types; None where one is missing."""
    columns = []
    for column in table["columns"]:
        if "task" not in column:
            columns.append(column)
        elif task := tasks.get(column["task"]):
            split = Split.HIDDEN if task.has_hidden else Split.DEVELOPMENT
            columns.append({**column, "task": task.key, "split": str(split)})
        else:
            return None
    return read_preset_board({**table, "columns": columns})
