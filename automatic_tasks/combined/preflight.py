"""What to look at before a board with figures of runs is frozen: what it says itself, its tasks, and the work of people behind it."""

from collections import defaultdict
from collections.abc import Iterator

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from automatic_tasks.combined.boards import (
    PEOPLE,
    Reader,
    combined_board,
    final_keys,
    is_interim,
    places_of,
    tasks_of_board,
)
from automatic_tasks.models import CombinedBoard, Run, RunState, Split
from leaderboards.board import Board
from publication.actions.ordering import NotReady
from publication.preflight import Facts, Finding, blocks, findings_of
from publication.readiness import preflight

# What the preflight of the leaderboard says of its own ranks, which this board does not show.
OF_OWN_RANKS = {"empty", "tie", "unranked"}


def combined_findings(board: CombinedBoard) -> list[Finding]:
    """What blocks first, then what is worth a look."""
    made = combined_board(board, Reader.organizer(timezone.now()))
    found = [*_of_ranking(board, made), *_of_board(made), *_of_tasks(board)]
    if PEOPLE in places_of(board):
        found += [one for one in preflight(board.campaign) if one.key not in OF_OWN_RANKS]
    return sorted(found, key=lambda finding: not finding.blocks)


def check_ready(board: CombinedBoard) -> None:
    """Errors: `NotReady`."""
    found = combined_findings(board)
    if blocks(found):
        raise NotReady([finding for finding in found if finding.blocks])


def _of_ranking(board: CombinedBoard, made: Board) -> Iterator[Finding]:
    if is_interim(board, made):
        keys = {"now": " › ".join(made.ranked_by()), "final": ", ".join(key.head for key in final_keys(board, made))}
        text = _("No team has all figures of the final ranking (%(final)s) yet: this board ranks by %(now)s.") % keys
        yield Finding("interim", False, text, _("Publish it as the final ranking once both scores are there."))


def _of_board(made: Board) -> list[Finding]:
    sharing: dict[int, list[str]] = defaultdict(list)
    for row in made.rows:
        sharing[row.rank or 0].append(row.called)
    unranked = [(row.called, str(row.reason.label)) for row in made.unranked if row.reason]
    ties = [(rank, teams) for rank, teams in sharing.items() if len(teams) > 1]
    return findings_of(Facts(n_ranked=len(made.rows), ties=ties, unranked=unranked))


def _of_tasks(board: CombinedBoard) -> Iterator[Finding]:
    if any(split == Split.DEVELOPMENT for _task, split in places_of(board)):
        # Of this split teams show others what they choose to, rounded.
        text = _("A column is of a development split: this board would tell runs that their teams have not shown.")
        yield Finding("development", True, text, _("Freeze boards of hidden splits alone."))
    for task in tasks_of_board(board).values():
        if task.released_at is None:
            text = _("The scores of the task %(name)s are not released: this board would tell its figures, unrounded.")
            advice = _("Release them first, or publish this board on the day of the release.")
            yield Finding("not-released", False, text % {"name": task.name}, advice)
    waiting = Run.objects.filter(task__in=tasks_of_board(board).values())
    if n := waiting.filter(state__in=[RunState.QUEUED, RunState.RUNNING]).count():
        text = ngettext("%(n)d run is still to be scored.", "%(n)d runs are still to be scored.", n) % {"n": n}
        yield Finding("runs", False, text, _("Wait until they are scored: what they add would be missing."))
