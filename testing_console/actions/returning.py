"""Sends a collected dialogue back: it counts nowhere, its assignment is open again, and its ledger says why."""

from datetime import datetime

from django.db import transaction

from testing_console.actions.ledger import held, write
from testing_console.events import DialogueReturned
from testing_console.masking import masker_of
from testing_console.models import Dialogue
from testing_console.queries import masked_words
from testing_console.turn_taking import DialogueStatus

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
