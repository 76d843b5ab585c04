"""What a failure of the bot costs it on the leaderboard. Pure.

The ledger keeps every failure with its fault, apart from what it costs, so another policy can be applied to the same
dialogues at any time.
"""

from dataclasses import dataclass
from typing import Protocol

COUNTED, LEFT_OUT = "counted", "left_out"
FREE, CHARGED = "free", "charged"


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
