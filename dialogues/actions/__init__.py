"""Everything that changes a dialogue: open, take a turn, settle it, retry it, close a subtask, end.

Each action is one transaction with the constraints of models.py as arbiter. What is to be done once it is committed
(sockets told, a bot asked) is its result, an `Outcome`. In a server process they run inside the group commit
(serving/commits/group_commit.py), whose followers do it; they are as correct on their own.
"""

from dialogues.actions.closing import abandon_dialogue, close_overdue_dialogue, close_subtask, end_dialogue
from dialogues.actions.importing import Imported, import_dialogues
from dialogues.actions.ledger import Admission, Asked, NotTestingNow, Outcome, Remembered, Settled, Taken, Told
from dialogues.actions.opening import (
    NotOffered,
    PausedTester,
    open_chosen_dialogue,
    open_dialogue,
    resume_or_open_chosen_dialogue,
)
from dialogues.actions.turns import (
    record_failure,
    record_reply,
    record_requests,
    recover_interrupted,
    retry_turn,
    take_opening,
    take_turn,
)

__all__ = [
    "Admission",
    "Asked",
    "Imported",
    "NotOffered",
    "NotTestingNow",
    "Outcome",
    "PausedTester",
    "Remembered",
    "Settled",
    "Taken",
    "Told",
    "abandon_dialogue",
    "close_overdue_dialogue",
    "close_subtask",
    "end_dialogue",
    "import_dialogues",
    "open_chosen_dialogue",
    "open_dialogue",
    "record_failure",
    "record_reply",
    "record_requests",
    "recover_interrupted",
    "resume_or_open_chosen_dialogue",
    "retry_turn",
    "take_opening",
    "take_turn",
]
