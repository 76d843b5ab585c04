"""Everything that changes a dialogue: open, take a turn, settle it, retry it, close a subtask, end.

Each action is one transaction with the constraints of models.py as arbiter, and tells its events on commit. The hot
ones (take_turn, record_reply) run inside the group commit of a server process (serving/group_commit.py); they are as
correct on their own.
"""

from testing_console.actions.closing import close_subtask, end_dialogue
from testing_console.actions.ledger import Admission
from testing_console.actions.opening import open_chosen_dialogue, open_dialogue, resume_or_open_chosen_dialogue
from testing_console.actions.turns import (
    TakenTurn,
    record_failure,
    record_reply,
    record_requests,
    recover_interrupted,
    retry_turn,
    take_turn,
)

__all__ = [
    "Admission",
    "TakenTurn",
    "close_subtask",
    "end_dialogue",
    "open_chosen_dialogue",
    "open_dialogue",
    "record_failure",
    "record_reply",
    "record_requests",
    "recover_interrupted",
    "resume_or_open_chosen_dialogue",
    "retry_turn",
    "take_turn",
]
