"""Settles the turns whose server process went away before their bot's answer was stored."""

from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from dialogues.actions.attempts import fail
from dialogues.actions.ledger import write
from dialogues.actions.outcomes import Outcome, WaitingTurn
from dialogues.models import Dialogue, Turn
from dialogues.turn_taking import TurnStatus
from participants import failure_sentences as sentences
from participants.failures import BotFailure, FailureKind
from reading.findings import sentence


@transaction.atomic
def recover_interrupted(*, at: datetime, is_lost: Callable[[Turn], bool]) -> Outcome:
    """Fails, as interrupted, every waiting turn that is lost."""
    waiting = Turn.objects.filter(status=TurnStatus.WAITING).select_related("dialogue__assignment__campaign")
    silent = {turn.dialogue_id for turn in waiting if is_lost(turn)}
    told = []
    # The dialogue is locked before its turn, as everywhere, or two writers would wait for each other. One that another
    # writer holds is left to the next sweep: this one waits for nobody, so it may lock in any order.
    for dialogue in Dialogue.everything.select_for_update(skip_locked=True).filter(pk__in=silent):
        for turn in filter(is_lost, waiting.filter(dialogue=dialogue)):
            failure = BotFailure(FailureKind.INTERRUPTED, sentence(sentences.PROCESS_GONE))
            if failed := fail(WaitingTurn.of(turn), failure, at):
                told.append(write(dialogue, [failed], at, first_seq=turn.outcome_seq))
    return Outcome(told=told)
