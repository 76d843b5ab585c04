"""Says in words why nobody can be drawn for a panel, and what would fill it."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from reviews.panel_gaps import Gap, Hindrance, Panel, why_nobody

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
