"""Which combined board, or board of runs, a request means. What somebody may not see is a 404."""

from typing import Any

from django.http import Http404
from django.utils import timezone

from automatic_tasks.access import task_of
from automatic_tasks.combined_boards import Reader, is_visible
from automatic_tasks.models import CombinedBoard, Split
from automatic_tasks.run_boards import run_board
from campaigns.access import roles_of
from campaigns.clocks import keep_clocks_of
from campaigns.models import Campaign


def board_for(person: Any, slug: str, key: str) -> tuple[CombinedBoard, Reader]:
    """The board, for whoever may see it. Errors: `Http404`."""
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
