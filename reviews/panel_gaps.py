"""What the panel of a dialogue still lacks, and why nobody is drawn for it, also in words. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


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


NAMED = 4


def why_sentences(panel: Panel) -> list[str]:
    """Everybody who reviews in the campaign, by what keeps them from being drawn."""
    if not panel.hindered:
        return [_("The campaign has no reviewers.")]
    return [_said(because) % {"names": names(people)} for because, people in why_nobody(panel.hindered).items()]


def _said(because: Hindrance) -> str:
    return {
        Hindrance.SCORED: _("scored it: %(names)s"),
        Hindrance.AT_WORK: _("have it to score: %(names)s"),
        Hindrance.RAN_OUT: _("ran out of time: %(names)s"),
        Hindrance.CANNOT_JUDGE: _("cannot judge it: %(names)s"),
        Hindrance.TALKED: _("talked in it: %(names)s"),
        Hindrance.ADJUDICATED: _("adjudicated it: %(names)s"),
        Hindrance.INTERESTED: _("take part for a team: %(names)s"),
        Hindrance.IN_TRAINING: _("have not passed the training: %(names)s"),
        Hindrance.PAUSES: _("paused by an organizer: %(names)s"),
        Hindrance.LEFT: _("review no longer: %(names)s"),
    }[because]


def what_fills(panel: Panel, gap: Gap) -> list[str]:
    """What would bring the missing reviews; each sentence is one way."""
    people = why_nobody(panel.hindered)
    ways = [
        ngettext(
            "%(n)d more reviewer who did not talk in it", "%(n)d more reviewers who did not talk in it", gap.n_short
        )
        % {"n": gap.n_short}
    ]
    if out := people.get(Hindrance.RAN_OUT):
        ways.append(_("the return of %(names)s: the draft and the place are still theirs") % {"names": names(out)})
    if training := people.get(Hindrance.IN_TRAINING):
        ways.append(_("the training, once passed: %(names)s") % {"names": names(training)})
    if paused := people.get(Hindrance.PAUSES):
        ways.append(_("ending the pause of: %(names)s") % {"names": names(paused)})
    if gap.may_be_closed:
        said = ngettext(
            "your decision to count it with %(n)d review", "your decision to count it with %(n)d reviews", gap.n_scored
        )
        ways.append(said % {"n": gap.n_scored})
    return ways


def names(people: Sequence[str]) -> str:
    """The first few by name, the rest by number."""
    n_others = len(people) - NAMED
    others = [ngettext("%(n)d other", "%(n)d others", n_others) % {"n": n_others}] if n_others > 0 else []
    return _(", ").join([*people[:NAMED], *others])
