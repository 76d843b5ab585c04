"""The reason that an act asks for: one rule for all acts. Pure."""

from django.utils.translation import gettext as _

from participants.limits import REASON_LIMIT
from reading.storable import is_storable
from serving.refused import Refused


class ReasonNeeded(Refused):
    """The reason is read later, by a tester on their list or in the trail."""

    code = "no_reason"

    def __str__(self) -> str:
        return _("Say why, in at most %(n)d characters.") % {"n": REASON_LIMIT}


def reason_of(because: str) -> str:
    """The reason as it is stored, never cut. Errors: `ReasonNeeded`, also where it is too long."""
    if not because.strip() or len(because) > REASON_LIMIT or not is_storable(because):
        raise ReasonNeeded
    return because.strip()


def reason_or_none(because: str) -> str:
    """The same of an act that needs no reason: empty where none is given. Errors: `ReasonNeeded` where it cannot be stored."""
    return reason_of(because) if because.strip() else ""
