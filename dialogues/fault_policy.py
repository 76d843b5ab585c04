"""What a failure of the bot costs it on the leaderboard, and the words for it. Pure.

The ledger keeps every failure with its fault, apart from what it costs, so another policy can be applied to the same
dialogues at any time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

COUNTED, LEFT_OUT = "counted", "left_out"
FREE, CHARGED = "free", "charged"
FAULTS = {
    "bot": gettext_lazy("the system"),
    "platform": gettext_lazy("the platform"),
    "nobody": gettext_lazy("nobody"),
    "tester": gettext_lazy("the tester"),
}


class HasFaults(Protocol):
    """A campaign."""

    @property
    def broken_dialogues(self) -> str: ...
    @property
    def failed_turns(self) -> str: ...


@dataclass(frozen=True, slots=True)
class FaultPolicy:
    """The two settings of a campaign file's `[faults]`."""

    broken_dialogues: str = COUNTED
    failed_turns: str = FREE

    @property
    def leaves_out_broken(self) -> bool:
        """Dialogues in which a subtask closed as failed are no records."""
        return self.broken_dialogues == LEFT_OUT

    @property
    def charges_failed_turns(self) -> bool:
        """Turns that the bot failed to answer are charged like answered ones."""
        return self.failed_turns == CHARGED


def fault_policy_of(campaign: HasFaults) -> FaultPolicy:
    return FaultPolicy(campaign.broken_dialogues, campaign.failed_turns)


def rules_in_words(faults: FaultPolicy) -> list[tuple[str, str]]:
    """Heads and sentences for the rules on the campaign's page."""
    turns = _("A turn that the system fails to answer is not charged; a retry uses no further turn.")
    if faults.charges_failed_turns:
        turns = _("A turn that the system fails to answer is charged like an answered one.")
    parts = _("Where the system fails at every try, the part closes and counts as not finished.")
    if faults.leaves_out_broken:
        parts = _("Where the system fails at every try, the part closes and its dialogue is left out of the result.")
    return [(_("Failed turns"), turns), (_("Failed parts"), parts)]


def costs_in_words(faults: FaultPolicy) -> dict[str, str]:
    """For the tester: what a failed turn, and a part that closes after its last retry, cost the system in the result."""
    # Shown while retries are left, beside a counter that fell. An answered retry makes it a turn like the others.
    free = _("It used one of your turns; the result charges it only if a retry is answered.")
    charged = _("For the result this turn counts as used.")
    left_out = _("The part closes as not finished, and the result leaves this dialogue out.")
    counted = _("The part closes, and for the result it counts as not finished.")
    last_left_out = _("One retry is left: if it fails, the part closes, and the result leaves this dialogue out.")
    last_counted = _("One retry is left: if it fails, the part closes and counts as not finished.")
    return {
        "failed.lastRetry": last_left_out if faults.leaves_out_broken else last_counted,
        "failed.free": free,
        "failed.costs": charged if faults.charges_failed_turns else free,
        "failed.closes": left_out if faults.leaves_out_broken else counted,
    }


def exceptions_in_words(faults: FaultPolicy) -> Iterator[str]:
    """For a published board: sentences where the policy differs from the default."""
    if faults.leaves_out_broken:
        yield _("Dialogues in which a subtask ended because the system failed are left out.")
    if faults.charges_failed_turns:
        yield _("Turns that the system failed to answer are charged, too.")
