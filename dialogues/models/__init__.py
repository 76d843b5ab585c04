"""Dialogues with their turns and ledger, what people say about them, and what holds while people talk."""

from dialogues.models.dialogues import (
    TALKED,
    Attempt,
    BotState,
    Dialogue,
    DialogueQuerySet,
    DialogueSubtask,
    LedgerEvent,
    Turn,
    is_broken,
)
from dialogues.models.live_state import ANNOUNCEMENT_LIMIT, Announcement, Outage, Presence, Probe
from dialogues.models.reports import Objection, Problem, TurnFlag

__all__ = [
    "ANNOUNCEMENT_LIMIT",
    "TALKED",
    "Announcement",
    "Attempt",
    "BotState",
    "Dialogue",
    "DialogueQuerySet",
    "DialogueSubtask",
    "LedgerEvent",
    "Objection",
    "Outage",
    "Presence",
    "Probe",
    "Problem",
    "Turn",
    "TurnFlag",
    "is_broken",
]
