"""What follows from bots that failed together: the platform says so, and what was booked to them is its own."""

from datetime import datetime

from audit.actions import record
from participants.failures import Fault
from serving.shared_transaction import joining
from testing_console.actions.deciding import what_follows
from testing_console.actions.ledger import held, write
from testing_console.actions.outcomes import Outcome, WaitingTurn
from testing_console.acts import FAILED_TOGETHER
from testing_console.events import FaultBooked, LedgerLine
from testing_console.models import Attempt, Outage
from testing_console.turn_taking import TurnStatus


@joining
def note_outage(*, process: str, began_at: datetime, until: datetime) -> Outage:
    """Says that bots fail together, as this process finds; while they go on, `until` moves on."""
    outage, is_new = Outage.objects.update_or_create(process=process, began_at=began_at, defaults={"until": until})
    if is_new:
        record(FAILED_TOGETHER, by=None, at=began_at)
    return outage


@joining
def book_to_platform(*, turn: WaitingTurn, at: datetime) -> Outcome | None:
    """Books a failed attempt of a turn, which was its bot's, to the platform; None where that has to wait for a turn in flight.

    A turn that was asked again since has told of another outcome: its earlier failure counts no longer, and no line
    follows. A dialogue that its tester has scored stays as it is; an organizer may book it.
    """
    dialogue = held(turn.dialogue_id)
    failed = Attempt.objects.filter(turn=turn.id, outcome=Attempt.Outcome.FAILURE, fault=Fault.BOT)
    attempt = failed.filter(number=turn.attempt_number).first()
    if attempt is None or dialogue.scored_at is not None:
        return Outcome()
    # A turn in flight has reserved the next number of the ledger.
    if attempt.is_current and dialogue.turns.filter(status=TurnStatus.WAITING).exists():
        return None
    attempt.fault, attempt.measured_fault = Fault.PLATFORM, attempt.measured_fault or Fault.BOT
    attempt.save(update_fields=["fault", "measured_fault"])
    if not attempt.is_current:
        return Outcome()
    lines: list[LedgerLine] = [FaultBooked(turn.number, Fault.PLATFORM, "")]
    lines += what_follows(dialogue, "")
    return Outcome(told=[write(dialogue, lines, at)])
