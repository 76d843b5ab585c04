"""The settings of the table `[calendar]`: the campaign's dates, and the time zone that they are shown in. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import available_timezones

from django.utils.translation import gettext_noop

from campaigns.calendar import DATES, DEFAULT_ZONE, LASTING, Calendar, is_after
from campaigns.campaign_file.setting import Changeable, Setting
from reading.kinds import Checked, Kind, Text, Wrong, shown

NO_DATE = "none"
EARLIEST, LATEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class MomentOr(Kind):
    """A date with time and offset, to the second, or a word where there is none. Gives it in UTC."""

    word: str = ""

    def value_of(self, value: Any) -> Any:
        if value == self.word:
            return value
        moment = _parsed(value)
        if moment is None or moment.tzinfo is None or moment.utcoffset() is None:
            text = gettext_noop(
                'must be a date with time and offset, such as 2026-03-01T09:00:00+08:00, or "%(word)s", not %(value)s'
            )
            raise Wrong(text, word=self.word, value=shown(value))
        if moment.microsecond:
            raise Wrong(gettext_noop("must be a whole second"))
        if not EARLIEST <= moment < LATEST:
            raise Wrong(gettext_noop("must be a year from 2000 to 2099"))
        return moment.astimezone(UTC)


def _parsed(value: Any) -> datetime | None:
    if isinstance(value, datetime):
        return value
    try:
        # A date without a time would be read, too, and mean midnight.
        return datetime.fromisoformat(value) if isinstance(value, str) and len(value) > len("2026-03-01") else None
    except ValueError:
        return None


TIME_ZONE = Checked(
    Text(64),
    lambda name: name in available_timezones(),
    gettext_noop("must be the IANA name of a time zone, such as Asia/Shanghai"),
)
_WORDS = {
    "registration_from": (
        gettext_noop("Registration from"),
        gettext_noop("when teams may begin to apply and to register systems"),
    ),
    "registration_until": (
        gettext_noop("Registration until"),
        gettext_noop("the last second in which a team may apply"),
    ),
    "frozen_at": (
        gettext_noop("Systems frozen"),
        gettext_noop("the last second in which a system may be registered or changed"),
    ),
    "testing_from": (gettext_noop("Testing from"), gettext_noop("when testers may begin to open dialogues")),
    "testing_until": (
        gettext_noop("Testing until"),
        gettext_noop(
            "the last second in which a dialogue may be opened; open ones may be finished for 30 minutes more"
        ),
    ),
    "review_from": (gettext_noop("Reviewing from"), gettext_noop("when reviewers, experts and adjudicators may begin")),
    "review_until": (
        gettext_noop("Reviewing until"),
        gettext_noop("the last second in which scores may be handed in or revised, those of testers too"),
    ),
    "publication_at": (
        gettext_noop("Publication"),
        gettext_noop(
            "the day that everybody is told; runs are accepted until then, no leaderboard is public before it, and publishing "
            "stays an act of its own"
        ),
    ),
    "ends_at": (
        gettext_noop("End"),
        gettext_noop("the last second in which anything changes; afterwards the campaign is read-only"),
    ),
}
CALENDAR = (
    Setting(
        "time_zone",
        TIME_ZONE,
        DEFAULT_ZONE,
        Changeable.ALWAYS,
        gettext_noop("Time zone"),
        gettext_noop("the time zone in which dates are entered and shown"),
        table="calendar",
    ),
    *(
        Setting(
            name,
            MomentOr(NO_DATE),
            NO_DATE,
            Changeable.ALWAYS,
            *_WORDS[name],
            table="calendar",
            words={NO_DATE: gettext_noop("no date")},
            word_for_null=NO_DATE,
        )
        for name in DATES
    ),
)


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
