"""Hours of the week and of single days: when a bot is open, and when a tester is on shift. Pure.

"mon-fri 09:00-12:00,14:00-18:00; 2026-12-05 10:00-24:00": days and their times, on the clocks of the campaign. Nothing said is
always. A time begins with its minute and ends before the other one; what is open then goes on.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from functools import lru_cache

from django.utils.translation import gettext_noop

from participants.limits import HOURS_LIMIT
from reading.kinds import Kind, Text, Wrong

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
CHINESE_DAYS = dict(zip("一二三四五六日", DAYS, strict=True)) | {"天": "sun"}
EVERY_DAY = ("daily", "每天")
_TIME = re.compile(r"(\d{1,2}):(\d{2})-(\d{1,2}):(\d{2})")
WHOLE_DAY = 24 * 60
# An opening that is farther away is told as none.
LOOKED_AHEAD = timedelta(days=370)


@dataclass(frozen=True, slots=True)
class Hours:
    """`weekly` are times by the number of the weekday, `dated` those of single days; both in minutes since midnight."""

    weekly: tuple[tuple[int, int, int], ...] = ()
    dated: tuple[tuple[date, int, int], ...] = ()

    @property
    def is_always(self) -> bool:
        return not self.weekly and not self.dated

    def on(self, day: date) -> list[tuple[int, int]]:
        """The times of one day, the earliest first."""
        weekly = [(begin, end) for number, begin, end in self.weekly if number == day.weekday()]
        return sorted(weekly + [(begin, end) for one, begin, end in self.dated if one == day])

    def is_open(self, at: datetime, zone: tzinfo) -> bool:
        local = at.astimezone(zone)
        minute = local.hour * 60 + local.minute
        return self.is_always or any(begin <= minute < end for begin, end in self.on(local.date()))

    def next_opening(self, at: datetime, zone: tzinfo) -> datetime | None:
        """The beginning of the next time after that moment; None where there is none within a year."""
        first = at.astimezone(zone).date()
        for n_days in range(LOOKED_AHEAD.days):
            day = first + timedelta(days=n_days)
            for begin, _end in self.on(day):
                opening = datetime.combine(day, time(begin // 60, begin % 60), zone)
                if opening > at:
                    return opening
        return None


ALWAYS = Hours()


@lru_cache(maxsize=1024)
def hours_of(said: str) -> Hours:
    """Errors: `Wrong`."""
    weekly: list[tuple[int, int, int]] = []
    dated: list[tuple[date, int, int]] = []
    for line in filter(None, map(str.strip, re.split(r"[;；\n]", said))):
        days, _between, times = line.partition(" ")
        if not times.strip():
            raise Wrong(gettext_noop("“%(said)s” needs days and times, such as mon-fri 09:00-18:00"), said=line)
        spans = [_times_of(one) for one in _listed(times)]
        for one in _listed(days):
            if (day := _date_of(one)) is not None:
                dated += [(day, begin, end) for begin, end in spans]
            else:
                weekly += [(number, begin, end) for number in _weekdays_of(one) for begin, end in spans]
    return Hours(tuple(weekly), tuple(dated))


def _listed(said: str) -> list[str]:
    return [
        one for part in re.split(r"[,，、]", said) if (one := re.sub(r"\s*[–—至到-]\s*", "-", part.strip().casefold()))
    ]


def _times_of(said: str) -> tuple[int, int]:
    if (found := _TIME.fullmatch(said)) is not None:
        hours, minutes, until_hours, until_minutes = map(int, found.groups())
        begin, end = hours * 60 + minutes, until_hours * 60 + until_minutes
        if minutes < 60 and until_minutes < 60 and begin < end <= WHOLE_DAY:
            return begin, end
    raise Wrong(gettext_noop("“%(said)s” is no time of a day, such as 09:00-18:00; 24:00 ends the day"), said=said)


def _date_of(said: str) -> date | None:
    try:
        return date.fromisoformat(said) if len(said) == len("2026-12-05") else None
    except ValueError:
        return None


def _weekdays_of(said: str) -> list[int]:
    if said in EVERY_DAY:
        return list(range(7))
    first, _between, last = said.partition("-")
    begin, end = _weekday_of(first), _weekday_of(last or first)
    if begin is None or end is None:
        text = gettext_noop("“%(said)s” is no day: write mon to sun, daily, or a date such as 2026-12-05")
        raise Wrong(text, said=said)
    return [(begin + n) % 7 for n in range((end - begin) % 7 + 1)]


def _weekday_of(said: str) -> int | None:
    for prefix in ("周", "星期"):
        if said.startswith(prefix):
            said = CHINESE_DAYS.get(said.removeprefix(prefix), said)
    return DAYS.index(said) if said in DAYS else None


class HoursText(Kind):
    """Hours as they are typed; empty is always."""

    nothing = ""

    def value_of(self, value: object) -> str:
        said: str = Text(HOURS_LIMIT, may_be_empty=True).value_of(value).replace("\r\n", "\n").strip()
        hours_of(said)
        return said


HOURS = HoursText()
