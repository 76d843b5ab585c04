"""The reason that an act asks for."""

from participants.limits import REASON_LIMIT
from scoring.storable import is_storable


class ReasonNeeded(Exception):
    """Somebody reads why it was done: a tester on their list, or whoever reads the trail."""


def reason_of(because: str) -> str:
    """The reason as it is stored. Errors: `ReasonNeeded`."""
    if not because.strip() or len(because) > REASON_LIMIT or not is_storable(because):
        raise ReasonNeeded
    return because.strip()
