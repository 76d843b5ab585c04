"""Dialogues over the days: how many ended on each, when the plan is done at the pace of late, and both as a picture; a tester's days and minutes."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import ceil
from statistics import median
from zoneinfo import ZoneInfo

from django.db.models import Count
from django.db.models.functions import TruncDate
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Campaign
from dialogues.models import Dialogue
from look.plots import WIDTH, Line, Mark, Plot, Word
from scoring.printed_figures import fixed

# The pace of late: fewer days would follow each pause, more would not follow a change.
PACE_DAYS = 7
# A forecast beyond this is not shown.
FARTHEST = timedelta(days=365)
# As many days as a sparkline has ticks.
SPARK_DAYS = 14
LEFT, RIGHT, TOP, BOTTOM = 40, WIDTH - 10, 12, 112


@dataclass(frozen=True, slots=True)
class DailyProgress:
    """`per_day` are the days on which dialogues ended, by the campaign's clocks; `until` is the last day of testing, where it has one."""

    per_day: Mapping[date, int]
    n_expected: int
    today: date
    until: date | None

    @property
    def n_done(self) -> int:
        return sum(self.per_day.values())

    @property
    def pace(self) -> float:
        """Dialogues a day over the last days, or since the first one."""
        since = max(min(self.per_day), self.today - timedelta(days=PACE_DAYS - 1))
        n_days = (self.today - since).days + 1
        return sum(n for day, n in self.per_day.items() if since <= day <= self.today) / n_days

    @property
    def done_on(self) -> date | None:
        """The day on which all are done at that pace; None where they are, or at a standstill."""
        n_left = self.n_expected - self.n_done
        if n_left <= 0 or not self.pace or n_left / self.pace > FARTHEST.days:
            return None
        return self.today + timedelta(days=ceil(n_left / self.pace))

    @property
    def is_late(self) -> bool:
        return bool(self.until and self.done_on and self.done_on > self.until)

    @property
    def rows(self) -> list[tuple[date, int, int]]:
        """Each day with how many ended on it, and by its end."""
        total, found = 0, []
        for day, n in sorted(self.per_day.items()):
            total += n
            found.append((day, n, total))
        return found

    @property
    def sentence(self) -> str:
        pace = fixed(self.pace, 1)
        if self.done_on is None:
            return _("%(pace)s dialogues per day lately.") % {"pace": pace}
        told = {"pace": pace, "day": self.done_on.isoformat(), "until": self.until and self.until.isoformat()}
        if self.until is None:
            text = _("%(pace)s dialogues per day lately: at this pace, all will be done on %(day)s.")
        elif self.is_late:
            text = _(
                "%(pace)s dialogues per day lately: at this pace, all will be done on %(day)s, after testing closes on %(until)s."
            )
        else:
            text = _(
                "%(pace)s dialogues per day lately: at this pace, all will be done on %(day)s; testing closes on %(until)s."
            )
        return text % told

    @property
    def _last_shown(self) -> date:
        """A forecast far behind everything else is cut: the days until now would be one line."""
        known = max(day for day in (self.today, self.until) if day)
        span = known - min(self.per_day)
        return min(max(known, self.done_on), known + max(span, timedelta(days=PACE_DAYS))) if self.done_on else known

    @property
    def plot(self) -> Plot:
        """The dialogues that are done as a line of days, the number to reach, the forecast, and the end of testing."""
        first = min(self.per_day) - timedelta(days=1)
        last = self._last_shown
        most = max(self.n_expected, self.n_done, 1)

        def x(day: date) -> float:
            return round(LEFT + (RIGHT - LEFT) * (day - first).days / max(1, (last - first).days), 1)

        def y(n: int) -> float:
            return round(BOTTOM - (BOTTOM - TOP) * n / most, 1)

        marks: list[Mark] = [
            Line("axis", LEFT, BOTTOM, RIGHT, BOTTOM),
            Word("number", LEFT - 6, BOTTOM + 4, "0", "end"),
        ]
        if self.n_expected:
            marks += [
                Line("target", LEFT, y(self.n_expected), RIGHT, y(self.n_expected)),
                Word("number", LEFT - 6, y(self.n_expected) + 4, str(self.n_expected), "end"),
            ]
        before, n_before = first, 0
        for day, _n, total in self.rows:
            marks += [Line("done", x(before), y(n_before), x(day - timedelta(days=1)), y(n_before))]
            marks += [Line("done", x(day - timedelta(days=1)), y(n_before), x(day), y(total))]
            before, n_before = day, total
        marks.append(Line("done", x(before), y(n_before), x(self.today), y(n_before)))
        if self.done_on:
            share = min(1.0, (last - self.today).days / (self.done_on - self.today).days)
            end = round(n_before + share * (self.n_expected - n_before))
            marks.append(Line("forecast", x(self.today), y(n_before), x(min(last, self.done_on)), y(end)))
        if self.until:
            marks.append(Line("until", x(self.until), TOP, x(self.until), BOTTOM))
        marks += _named_days(
            {
                first + timedelta(days=1),
                self.today,
                *(day for day in (self.until, self.done_on) if day and day <= last),
            },
            x,
        )
        return Plot(BOTTOM + 20, tuple(marks))


def _named_days(days: set[date], x: Callable[[date], float]) -> list[Mark]:
    """Their names below the axis, as far as they do not touch."""
    marks: list[Mark] = []
    free_from = 0.0
    for day in sorted(days):
        if x(day) - 18 >= free_from:
            at = min(x(day), WIDTH - 18)
            marks += [
                Line("axis", x(day), BOTTOM, x(day), BOTTOM + 4),
                Word("number", at, BOTTOM + 18, f"{day:%m-%d}", "middle"),
            ]
            free_from = at + 24
    return marks


def daily_progress(campaign: Campaign, n_expected: int, at: datetime) -> DailyProgress | None:
    """None before the second day: one day shows no pace."""
    zone = ZoneInfo(campaign.time_zone)
    ended = Dialogue.objects.of_campaign(campaign).counted().filter(closed_at__isnull=False)
    days = ended.annotate(day=TruncDate("closed_at", tzinfo=zone)).order_by().values_list("day").annotate(n=Count("pk"))
    per_day = dict(days)
    until = campaign.testing_until
    today = at.astimezone(zone).date()
    if not per_day or min(per_day) == today:
        return None
    return DailyProgress(per_day, n_expected, today, until.astimezone(zone).date() if until else None)


@dataclass(frozen=True, slots=True)
class PaceOfTester:
    """`days` are how many dialogues ended on each of the last days, the oldest first; `minutes` the median length of all of them."""

    days: tuple[int, ...]
    minutes: float | None

    @property
    def in_words(self) -> str:
        n = sum(self.days)
        return ngettext("%(n)d dialogue in the last 14 days", "%(n)d dialogues in the last 14 days", n) % {"n": n}


def paces_of_testers(campaign: Campaign, at: datetime) -> dict[int, PaceOfTester]:
    """By the ids of testers who ended a dialogue."""
    zone = ZoneInfo(campaign.time_zone)
    today = at.astimezone(zone).date()
    per_day: dict[int, Counter[int]] = defaultdict(Counter)
    minutes: dict[int, list[float]] = defaultdict(list)
    ended = Dialogue.objects.of_campaign(campaign).counted().filter(closed_at__isnull=False)
    for tester, opened_at, closed_at in ended.order_by().values_list("tester", "opened_at", "closed_at"):
        per_day[tester][(today - closed_at.astimezone(zone).date()).days] += 1
        minutes[tester].append((closed_at - opened_at).total_seconds() / 60)
    return {
        tester: PaceOfTester(tuple(days[ago] for ago in reversed(range(SPARK_DAYS))), median(minutes[tester]))
        for tester, days in per_day.items()
    }


def own_pace(ended: Iterable[datetime], campaign: Campaign, at: datetime) -> PaceOfTester | None:
    """Of the dialogues that ended at these times, without their minutes; None where none did."""
    today = at.astimezone(ZoneInfo(campaign.time_zone)).date()
    days = Counter((today - one.astimezone(ZoneInfo(campaign.time_zone)).date()).days for one in ended)
    return PaceOfTester(tuple(days[ago] for ago in reversed(range(SPARK_DAYS))), None) if days else None
