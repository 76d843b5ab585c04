"""Which date must follow which, and what is wrong about dates that do not. Pure."""

from dataclasses import dataclass

from django.utils.translation import gettext_noop

from campaigns.calendar import DATES, LASTING, Calendar

# Each date with those that come before it in time. Reviewing may begin while testing goes on, but not before.
_UNTIL_TESTING = ("registration_from", "registration_until", "frozen_at", "testing_from")
_LAST = ("review_until", "publication_at", "ends_at")
_ORDER = ((*_UNTIL_TESTING, "testing_until", *_LAST), (*_UNTIL_TESTING, "review_from", *_LAST))
# A phase lasts at least a second; other dates may fall on the same moment.
_LASTING_PAIRS = frozenset(LASTING.values())


@dataclass(frozen=True, slots=True)
class OutOfOrder:
    """Two dates of which the later one comes first."""

    earlier: str
    later: str

    @property
    def text(self) -> str:
        return (
            gettext_noop("must come after %(earlier)s")
            if self.is_strict
            else gettext_noop("must not come before %(earlier)s")
        )

    @property
    def is_strict(self) -> bool:
        return (self.earlier, self.later) in _LASTING_PAIRS


def pairs_in_order() -> list[OutOfOrder]:
    """Every pair of dates whose order is fixed."""
    pairs = {
        OutOfOrder(earlier, later): None
        for chain in _ORDER
        for index, earlier in enumerate(chain)
        for later in chain[index + 1 :]
    }
    return list(pairs)


def out_of_order(calendar: Calendar) -> list[OutOfOrder]:
    """What is wrong in the order of the dates: per date its nearest neighbour that comes at the wrong time."""
    wrong: dict[str, OutOfOrder] = {}
    for pair in pairs_in_order():
        earlier, later = getattr(calendar, pair.earlier), getattr(calendar, pair.later)
        if earlier is None or later is None:
            continue
        if later < earlier or (pair.is_strict and later == earlier):
            wrong[pair.later] = pair
    return [wrong[name] for name in DATES if name in wrong]
