"""Makes a campaign's combined boards those of its task file."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop

from automatic_tasks.combined.board_file import BoardSpec, ColumnSpec, place_of_board, place_of_column
from automatic_tasks.models import AutomaticTask, CombinedBoard
from automatic_tasks.preset_boards import preset_boards
from campaigns.actions.load_report import LoadReport
from campaigns.models import Campaign
from measures.ranking import Direction
from reading.findings import under

ONE_DIRECTION = gettext_noop("adds up figures of which some are better when higher, some when lower")


def load_boards(campaign: Campaign, boards: Sequence[BoardSpec], declared: Collection[str], report: LoadReport) -> None:
    """Inside the caller's transaction, after the tasks: `declared` are those of the file, of which some may be refused.

    Boards that the file no longer holds stay and are named, unless the load prunes.
    """
    tasks = {task.key: task for task in campaign.automatic_tasks.all()}
    for number, spec in enumerate(boards, start=1):
        _check(campaign, spec, number, tasks, declared, report)
    if report:
        return
    for number, spec in enumerate(boards, start=1):
        _store(campaign, spec, number, report)
    others = campaign.combined_boards.filter(is_of_preset=False).exclude(key__in=[spec.key for spec in boards])
    if not report.prunes:
        leave_boards_alone(others, report)
        return
    for gone in others:
        gone.delete()
        report.add_change(f"board {gone.key} removed")


def leave_boards_alone(boards: Iterable[CombinedBoard], report: LoadReport) -> None:
    for board in boards:
        report.leave_alone(gettext_noop("left alone: board %(key)s, no longer in the file"), key=board.key)


def _check(
    campaign: Campaign, spec: BoardSpec, number: int, tasks: Mapping[str, AutomaticTask], declared: Collection[str],
    report: LoadReport,
) -> None:  # fmt: skip
    """Every column is a figure that there is; a total adds up what has one direction."""
    better: dict[str, Direction] = {}
    for index, column in enumerate(spec.columns):
        place = place_of_column(number, index)
        if column.task and column.task not in tasks:
            if column.task not in declared:
                known = ", ".join(sorted({*tasks, *declared}))
                text = gettext_noop("the campaign has no task “%(task)s”; there are %(known)s")
                report.note(under(place, "task"), text, task=column.task, known=known or "–")
            continue
        figures = _figures(campaign, column, tasks)
        if column.figure not in figures:
            text = gettext_noop("“%(name)s” is not a figure; there are %(known)s")
            report.note(under(place, "figure"), text, name=column.figure, known=", ".join(figures))
            continue
        if column.task and column.split not in tasks[column.task].splits:
            report.note(under(place, "split"), gettext_noop("the task has no such split"))
        better[column.key] = figures[column.figure]
    if spec.total and len({better[key] for key in spec.parts_of_total if key in better}) > 1:
        report.note(f"{place_of_board(number)} total", ONE_DIRECTION)


def _figures(campaign: Campaign, column: ColumnSpec, tasks: Mapping[str, AutomaticTask]) -> dict[str, Direction]:
    if not column.task:
        return campaign.figures()
    return {figure.name: figure.better for figure in tasks[column.task].task_type.figures}


def _store(campaign: Campaign, spec: BoardSpec, number: int, report: LoadReport) -> None:
    values = {"position": number, **_values(spec)}
    # What a file declares takes the place of the preset's board of that key.
    campaign.combined_boards.filter(key=spec.key).update(is_of_preset=False)
    board = campaign.combined_boards.filter(key=spec.key).first()
    if board is None:
        CombinedBoard.objects.create(campaign=campaign, key=spec.key, **values)
        report.add_change(f"board {spec.key}: added")
        return
    report.apply(board, values, gettext_noop("board %(key)s: %(changed)s changed"), key=spec.key)


def keep_preset_boards(campaign: Campaign, report: LoadReport) -> None:
    """Has the boards that the campaign's preset declares join the tasks that there are. Inside the caller's transaction, after tasks changed.

    A board that a task file declares under the same key stays the file's.
    """
    specs = preset_boards(campaign)
    gone = campaign.combined_boards.filter(is_of_preset=True).exclude(key__in=[spec.key for spec in specs])
    for board in gone:
        board.delete()
        report.add_change(f"board {board.key} removed")
    for spec in specs:
        values = {"position": 0, "is_of_preset": True, **_values(spec)}
        stored = campaign.combined_boards.filter(key=spec.key).first()
        if stored is None:
            CombinedBoard.objects.create(campaign=campaign, key=spec.key, **values)
            report.add_change(f"board {spec.key}: added")
        elif stored.is_of_preset:
            report.apply(stored, values, gettext_noop("board %(key)s: %(changed)s changed"), key=spec.key)


def _values(spec: BoardSpec) -> dict[str, Any]:
    return {
        "name_zh": spec.name.zh or spec.name.en,
        "name_en": spec.name.en or spec.name.zh,
        "columns": [_column(column) for column in spec.columns],
        "total": _total(spec),
        "ranking": list(spec.ranking),
        "interim": [list(ranking) for ranking in spec.interim],
    }


def _column(column: ColumnSpec) -> dict[str, Any]:
    return {
        "key": column.key,
        "figure": column.figure,
        "task": column.task,
        "split": column.split,
        "letter": column.letter,
        "name": {"zh": column.name.zh, "en": column.name.en},
        "weight": column.weight,
    }


def _total(spec: BoardSpec) -> dict[str, Any] | None:
    if spec.total is None:
        return None
    name = {"zh": spec.total.name.zh, "en": spec.total.name.en}
    return {"by": spec.total.by, "of": list(spec.parts_of_total), "name": name, "decimals": spec.total.decimals}
