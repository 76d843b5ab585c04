"""What the panel of a dialogue still lacks, and why a reviewer is not drawn for it. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Hindrance(StrEnum):
    """Why somebody is not to be drawn for a dialogue. Those who are in training or pause may be drawn later."""

    SCORED = "scored"
    AT_WORK = "at_work"
    RAN_OUT = "ran_out"
    CANNOT_JUDGE = "cannot_judge"
    TALKED = "talked"
    ADJUDICATED = "adjudicated"
    INTERESTED = "interested"
    IN_TRAINING = "in_training"
    PAUSES = "pauses"
    LEFT = "left"


@dataclass(slots=True)
class Panel:
    """What is known of a panel: what stands between each reviewer and a place in it, if anything does."""

    n_needed: int
    hindered: dict[str, Hindrance] = field(default_factory=dict)

    def hinder(self, reviewer: str, because: Hindrance) -> None:
        """What was said first of a reviewer stays."""
        self.hindered.setdefault(reviewer, because)

    def count(self, because: Hindrance) -> int:
        return sum(one is because for one in self.hindered.values())


@dataclass(frozen=True, slots=True)
class Gap:
    """How many reviews are done, at work, still to be drawn for, and how many nobody can be drawn for."""

    n_needed: int
    n_scored: int
    n_at_work: int
    n_to_draw: int
    n_short: int

    @property
    def may_be_closed(self) -> bool:
        """An organizer may take the panel for whole: it has a review, and nobody will add one as things are."""
        return bool(self.n_short and self.n_scored) and not (self.n_at_work or self.n_to_draw)


def gap_of(panel: Panel, reviewers: Collection[str]) -> Gap:
    """What the panel lacks, given everybody who reviews in the campaign."""
    n_scored, n_at_work = panel.count(Hindrance.SCORED), panel.count(Hindrance.AT_WORK)
    n_lacking = max(0, panel.n_needed - n_scored - n_at_work)
    n_to_draw = min(n_lacking, sum(one not in panel.hindered for one in reviewers))
    return Gap(panel.n_needed, n_scored, n_at_work, n_to_draw, n_lacking - n_to_draw)


def why_nobody(hindered: Mapping[str, Hindrance]) -> dict[Hindrance, list[str]]:
    """The people behind each reason, in the order in which `Hindrance` lists the reasons."""
    found = {because: sorted(one for one, own in hindered.items() if own is because) for because in Hindrance}
    return {because: people for because, people in found.items() if people}
