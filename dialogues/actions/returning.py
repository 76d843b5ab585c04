"""Sends a collected dialogue back: it counts nowhere, its assignment is open again, and its ledger says why."""

from datetime import datetime

from django.db import transaction

from dialogues.actions.ledger import held, write
from dialogues.events import DialogueReturned
from dialogues.masking import masker_of
from dialogues.models import Dialogue
from dialogues.queries import masked_words
from dialogues.turn_taking import DialogueStatus

CLOSED_AND_COUNTED = (DialogueStatus.COMPLETED, DialogueStatus.UNFINISHED)


@transaction.atomic
def return_dialogue(*, dialogue: Dialogue, because: str, at: datetime) -> Dialogue:
    """Has a closed dialogue done again; itself it stays as it is, with its scores. One that is open, or counts nowhere, is left alone."""
    dialogue = held(dialogue.pk)
    if dialogue.status in CLOSED_AND_COUNTED:
        dialogue.status, dialogue.reason = DialogueStatus.RETURNED, DialogueStatus.RETURNED
        dialogue.save(update_fields=["status", "reason"])
        # The tester's sockets get the line as it is stored.
        masker = masker_of(masked_words(dialogue.assignment.campaign))
        write(dialogue, [DialogueReturned(masker.mask(because))], at)
    return dialogue
