"""What a change of the calendar does: which dates differ, what it closes at once, and whether it must be explained. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from campaigns.calendar import DATES, Calendar, is_after

# The dates after whose second something is closed.
CLOSING = frozenset({"registration_until", "frozen_at", "testing_until", "review_until", "publication_at", "ends_at"})


@dataclass(frozen=True, slots=True)
class DateChange:
    """`before` and `after` are None where there is no date."""

    name: str
    before: datetime | None
    after: datetime | None

    def closes_at_once(self, at: datetime) -> bool:
        """Whether something that was open by this date is closed as soon as it is stored."""
        if self.name not in CLOSING or self.after is None or not is_after(at, self.after):
            return False
        return self.before is None or not is_after(at, self.before)


def changed_dates(before: Calendar, after: Calendar) -> list[DateChange]:
    pairs = [(name, getattr(before, name), getattr(after, name)) for name in DATES]
    return [DateChange(name, was, is_now) for name, was, is_now in pairs if was != is_now]


def needs_reason(changes: Sequence[DateChange], at: datetime) -> bool:
    """People go by a date once it is said: moving one is explained, and so is closing something at once."""
    return any(change.before is not None or change.closes_at_once(at) for change in changes)
