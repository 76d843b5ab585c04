"""The words that the scripts of pairs say, in the reader's language; they reach them through json_script."""

from django.utils.translation import gettext as _

from dialogues.fault_policy import FaultPolicy
from testing_console.console_strings import console_strings


def pair_strings(faults: FaultPolicy | None = None) -> dict[str, str]:
    """Those of the console with what a pair says otherwise."""
    return console_strings(faults) | {
        "side.left": _("Left"),
        "side.right": _("Right"),
        "vote.left": _("Left is better"),
        "vote.right": _("Right is better"),
        "vote.tie": _("Equally good"),
        "vote.both_bad": _("Both are bad"),
        "vote.failed": _("The comparison was not stored: {reason}"),
        "vote.reasonNeeded": _("Say why in a few words, then choose."),
        "vote.nothingSaid": _("Talk to both systems first: nothing was said yet."),
        "vote.ending": _("Both dialogues are being ended …"),
        "vote.notEnded": _("A dialogue could not be ended. Wait for the connection, then choose again."),
        "pair.sideOver": _("{side}: {because} Go on with the other side, or compare them."),
        "pair.bothOver": _("Both sides are over. Which one is better?"),
        "pair.sideFailed": _("{side}: {because} The pair goes on."),
        "pair.uncounted": _("{side}: this dialogue does not count any more. Go on with the next pair."),
        "pair.inFlight": _("A system has not answered yet. Your text stays here."),
        "pair.turns": _("{used} of {cap} turns"),
        "pair.partDone": _("Done: {kind}"),
        "pair.partGivenUp": _("Give up: {kind}"),
        "closed.voided": _("The organizer declared it void, so it does not count."),
        "closed.void": _("Our side failed, so this dialogue does not count."),
    }
