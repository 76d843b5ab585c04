"""How many dialogues a campaign's plan asks for, and how many of them are missing. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from campaigns.plans import PlanKind


@dataclass(frozen=True, slots=True)
class Demand:
    """What a campaign's plan asks for (`campaigns/plans.py`)."""

    plan: str
    n_testers: int
    n_scenarios: int
    testers_per_cell: int
    dialogues_per_bot: int
    quota: Mapping[str, int] = field(default_factory=dict)

    @property
    def per_bot(self) -> int:
        """How many dialogues each bot is to have."""
        return {
            PlanKind.FULL: self.n_testers * self.n_scenarios,
            PlanKind.PER_CELL: self.testers_per_cell * self.n_scenarios,
            PlanKind.RANDOM_GOALS: self.dialogues_per_bot,
            PlanKind.QUOTA: sum(self.quota.values()),
        }[PlanKind(self.plan)]

    def missing(self, assigned: Iterable[int]) -> int:
        """What lacks an assignment, given how many each bot has; what one has too many fills no gap of another."""
        return sum(max(0, self.per_bot - n) for n in assigned)
