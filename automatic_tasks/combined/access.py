"""Which combined board, or board of runs, a key or a request means, and who may read it. What somebody may not see is a 404.

A board of runs is the board of one task on one split in the shape of a combined board, so that it can be frozen and published.
"""

from datetime import datetime
from typing import Any

from django.http import Http404
from django.utils import timezone

from automatic_tasks.access import is_organizer, task_of
from automatic_tasks.boards.task_boards import board as board_of_task
from automatic_tasks.boards.task_boards import rule_of
from automatic_tasks.combined.boards import Reader, is_visible
from automatic_tasks.models import AutomaticTask, CombinedBoard, Split
from automatic_tasks.models.combined import IN_KEY_OF_RUNS
from campaigns.access import roles_of
from campaigns.clocks import keep_clocks_of
from campaigns.models import Campaign
from leaderboards.board import Words
from publication.models import Publication
from publication.queries import Published, published


def key_of_run_board(task: AutomaticTask, split: str) -> str:
    """What its snapshots say that they are of."""
    return f"{task.key}{IN_KEY_OF_RUNS}{split}"


def run_board(task: AutomaticTask, split: Split) -> CombinedBoard:
    """The board as it is now, with a column for each figure that a row of it has. It is not stored."""
    shown = [key.name for key in board_of_task(task, split).keys]
    ranking = [key.figure for key in rule_of(task, "")]
    figures = {figure.name: Words.of(figure.label) for figure in task.task_type.figures}
    split_words = Words.of(split.label)
    return CombinedBoard(
        campaign=task.campaign,
        key=key_of_run_board(task, split),
        name_zh=f"{task.name_zh} · {split_words.zh}",
        name_en=f"{task.name_en} · {split_words.en}",
        columns=[_column(task, split, name, words) for name, words in figures.items() if name in {*shown, *ranking}],
        total=None,
        ranking=ranking,
    )


def _column(task: AutomaticTask, split: Split, figure: str, words: Words) -> dict[str, Any]:
    name = {"zh": words.zh, "en": words.en}
    own = {"key": figure, "figure": figure, "task": task.key, "split": str(split)}
    return own | {"letter": "", "name": name, "weight": 1.0}


def place_in_key(key: str) -> tuple[str, str]:
    """Task and split that the key of a board of runs names."""
    task, _, split = key.partition(IN_KEY_OF_RUNS)
    return task, split


def board_of_key(campaign: Campaign, key: str) -> CombinedBoard | None:
    """The combined board or board of runs that a snapshot or an order says it is of; None where it is gone."""
    if IN_KEY_OF_RUNS not in key:
        return campaign.combined_boards.select_related("campaign__rubric").filter(key=key).first()
    task_key, split = place_in_key(key)
    task = campaign.automatic_tasks.select_related("campaign__rubric").filter(key=task_key).first()
    return run_board(task, Split(split)) if task is not None and split in task.splits else None


def published_for(person: Any, task: AutomaticTask, split: str, at: datetime) -> Published | None:
    """What everybody reads as this board since it was frozen and published; organizers read it as it is now."""
    if is_organizer(person, task.campaign):
        return None
    return published(task.campaign, at, of_board=key_of_run_board(task, split))


def published_run_boards(campaign: Campaign, at: datetime) -> set[str]:
    """The keys of those that everybody reads now."""
    rows = Publication.objects.public(at).filter(
        snapshot__campaign=campaign, snapshot__of_board__contains=IN_KEY_OF_RUNS
    )
    return set(rows.order_by().values_list("snapshot__of_board", flat=True))


def board_for(person: Any, slug: str, key: str) -> tuple[CombinedBoard, Reader]:
    """The board, if the person may see it. Errors: `Http404`."""
    found = CombinedBoard.objects.filter(campaign__slug=slug, key=key).select_related("campaign__rubric").first()
    if found is None:
        raise Http404
    reader = Reader(roles_of(person, found.campaign), timezone.now())
    if not is_visible(found, reader):
        raise Http404
    keep_clocks_of(found.campaign)
    return found, reader


def board_declared(campaign: Campaign, key: str) -> CombinedBoard:
    """Errors: `Http404`."""
    found = campaign.combined_boards.select_related("campaign__rubric").filter(key=key).first()
    if found is None:
        raise Http404
    return found


def run_board_on(campaign: Campaign, key: str, split: str) -> CombinedBoard:
    """The board of that task on that split. Errors: `Http404`."""
    task = task_of(campaign, key)
    if split not in task.splits:
        raise Http404
    return run_board(task, Split(split))
