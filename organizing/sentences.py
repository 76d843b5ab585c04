"""Says in words what is missing and what would fill it."""

from collections import Counter

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.redrawing import Changes
from organizing.coverage import Cell

NAMED = 3


def missing_sentence(cell: Cell) -> str:
    """What is missing of a row or cell, and who is to do it; empty where nothing is."""
    if not cell.n_missing:
        return ""
    missing = ngettext("%(n)d dialogue is missing", "%(n)d dialogues are missing", cell.n_missing) % {
        "n": cell.n_missing
    }
    return _("%(missing)s: %(parts)s.") % {"missing": missing, "parts": _("; ").join(_parts(cell))}


def _parts(cell: Cell) -> list[str]:
    parts = []
    if cell.n_open:
        parts.append(_("%(n)d in progress") % {"n": cell.n_open})
    if cell.n_left:
        parts.append(_("%(n)d not begun by %(names)s") % {"n": cell.n_left, "names": _names(cell.left)})
    if cell.n_paused:
        parts.append(_("%(n)d waiting for the paused system") % {"n": cell.n_paused})
    if cell.n_undrawn:
        parts.append(_("%(n)d not drawn yet: draw") % {"n": cell.n_undrawn})
    if cell.n_short:
        parts.append(_("%(n)d that no tester can be drawn for") % {"n": cell.n_short})
    return parts


def missing_reviews_sentence(cell: Cell) -> str:
    """What is missing of the panels of a row or cell, and who is to do it; empty where nothing is."""
    if not cell.n_missing:
        return ""
    missing = ngettext("%(n)d review is missing", "%(n)d reviews are missing", cell.n_missing) % {"n": cell.n_missing}
    parts = []
    if cell.n_open:
        parts.append(_("%(n)d in progress") % {"n": cell.n_open})
    if cell.n_left:
        parts.append(_("%(n)d not begun by %(names)s") % {"n": cell.n_left, "names": _names(cell.left)})
    if cell.n_coming:
        parts.append(_("%(n)d to be drawn by the platform") % {"n": cell.n_coming})
    if cell.n_short:
        parts.append(_("%(n)d that no reviewer can be drawn for") % {"n": cell.n_short})
    return _("%(missing)s: %(parts)s.") % {"missing": missing, "parts": _("; ").join(parts)}


def drawn_sentence(changes: Changes) -> str:
    """What a drawing did."""
    counts = {"added": len(changes.add), "taken": len(changes.take_away), "left": len(changes.leave)}
    return _("Drawn: %(added)d added, %(taken)d taken away, %(left)d left as they were.") % counts


def _names(left: Counter[str]) -> str:
    """Those with most of it first."""
    ordered = sorted(left, key=lambda name: (-left[name], name))
    if len(ordered) == 1:
        return ordered[0]
    named = [_("%(name)s (%(n)d)") % {"name": name, "n": left[name]} for name in ordered[:NAMED]]
    n_others = len(ordered) - NAMED
    if n_others > 0:
        named.append(ngettext("%(n)d other", "%(n)d others", n_others) % {"n": n_others})
    return _(", ").join(named)
