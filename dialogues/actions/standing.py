"""How a dialogue stands before its next turn, read by one statement, and what was said in it."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from campaigns.calendar import finished_before
from campaigns.models import Assignment, Campaign, Entry
from dialogues.actions.ledger import hold
from dialogues.actions.outcomes import Remembered, WaitingTurn
from dialogues.actions.season import IS_DRAFT_TO_TESTERS
from dialogues.models import Dialogue, Turn
from dialogues.queries import said_before
from participants.adapters import History
from serving.statements import Statement

_TURN, _DIALOGUE = Turn._meta.db_table, Dialogue._meta.db_table

# The dialogue as far as its next turn depends on it, how its last turn stands, the turn that the same key made,
# whether the campaign's time is over, the bot is a draft, which no tester talks to, and who speaks first: three more
# rows found by their keys, so that no turn asks for itself.
_standing = Statement(
    f"""
SELECT dialogue.assignment_id, dialogue.tester_id, dialogue.status, dialogue.turns_used, dialogue.turn_cap,
       dialogue.subtask_index, dialogue.subtask_turns, dialogue.subtask_cap, dialogue.last_seq,
       last.status, same.id, campaign.testing_until < %s OR campaign.ends_at < %s,
       {IS_DRAFT_TO_TESTERS}, campaign.opened_by = 'bot'
FROM {_DIALOGUE} dialogue
JOIN {Assignment._meta.db_table} assignment ON assignment.id = dialogue.assignment_id
JOIN {Campaign._meta.db_table} campaign ON campaign.id = assignment.campaign_id
JOIN {Entry._meta.db_table} entry ON entry.id = assignment.entry_id
LEFT JOIN {_TURN} last ON last.dialogue_id = dialogue.id AND last.number = dialogue.turns_used
LEFT JOIN {_TURN} same ON same.dialogue_id = dialogue.id AND same.key = %s
WHERE dialogue.id = %s""",
    (Campaign, "testing_until"),
    (Campaign, "ends_at"),
    (Turn, "key"),
    (Dialogue, "id"),
)


class Standing(NamedTuple):
    """What a row of `_standing` holds; `last_status` and `same_id` are empty where there is no such turn.

    `is_over` is empty or false while open dialogues may go on.
    """

    assignment_id: int
    tester_id: int
    status: str
    turns_used: int
    turn_cap: int | None
    subtask_index: int
    subtask_turns: int
    subtask_cap: int | None
    last_seq: int
    last_status: str | None
    same_id: int | None
    is_over: bool | None
    is_draft: bool
    is_opened_by_bot: bool

    @property
    def is_opening_due(self) -> bool:
        """Whether the bot speaks first and has not begun; a dialogue with any line in its ledger has been opened."""
        return bool(self.is_opened_by_bot) and self.last_seq == 0


def standing_of(dialogue_id: UUID, key: str | None, at: datetime) -> Standing:
    """Holds the dialogue. Without a key `same_id` is empty. Errors: `Dialogue.DoesNotExist`."""
    hold(dialogue_id)
    row = _standing(*finished_before(at), key, dialogue_id).fetchone()
    if row is None:
        raise Dialogue.DoesNotExist
    return Standing._make(row)


def history_of(turn: WaitingTurn, remembered: Remembered | None, last_seq: int) -> History:
    """What is remembered, if nothing came after it: neither another turn nor a reply that another process stored."""
    is_latest = remembered is not None and remembered.seq == last_seq
    return remembered.history if remembered is not None and is_latest else said_before(turn.dialogue_id, turn.number)
