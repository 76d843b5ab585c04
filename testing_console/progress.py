"""Where a tester's assignments stand: open, begun, to be scored, done."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from accounts.models import Person
from campaigns.models import Assignment, Campaign
from testing_console.models import Dialogue
from testing_console.turn_taking import DialogueStatus

TO_DO, BEGUN, TO_SCORE, DONE = "to_do", "begun", "to_score", "done"


@dataclass(frozen=True, slots=True)
class AssignmentRow:
    assignment: Assignment
    dialogue_id: UUID | None
    status: str
    turns_used: int
    is_scored: bool

    @property
    def state(self) -> str:
        if self.dialogue_id is None:
            return TO_DO
        if self.status == DialogueStatus.OPEN:
            return BEGUN
        return DONE if self.is_scored else TO_SCORE


def assignment_rows(tester: Person, campaign: Campaign | None = None) -> list[AssignmentRow]:
    """The tester's assignments in their order, each with its counted dialogue; two queries whatever their number."""
    assignments: QuerySet[Assignment] = Assignment.objects.of_tester(tester).with_names().in_order()
    assignments = assignments.filter(campaign__roles__person=tester, campaign__roles__role="tester")
    if campaign is not None:
        assignments = assignments.filter(campaign=campaign)
    dialogues = {dialogue.assignment_id: dialogue for dialogue in Dialogue.objects.of_tester(tester).not_void()}
    return [_row(assignment, dialogues.get(assignment.pk)) for assignment in assignments]


def _row(assignment: Assignment, dialogue: Dialogue | None) -> AssignmentRow:
    if dialogue is None:
        return AssignmentRow(assignment, None, "", 0, is_scored=False)
    return AssignmentRow(
        assignment, dialogue.pk, dialogue.status, dialogue.turns_used, is_scored=dialogue.scored_at is not None
    )


def next_row(rows: Iterable[AssignmentRow]) -> AssignmentRow | None:
    """What the tester does next: finish what was begun, score what was ended, then the next in order."""
    waiting = [row for row in rows if row.state != DONE]
    return min(waiting, key=lambda row: (BEGUN, TO_SCORE, TO_DO).index(row.state), default=None)
