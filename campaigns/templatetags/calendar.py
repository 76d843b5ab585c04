"""The calendar in the reader's words: the current phase, the next one, and the time left."""

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.utils import timezone
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_noop, ngettext

from campaigns.calendar import Calendar, Change, Phase, has_dates, now_and_next
from campaigns.models import Campaign
from look.moments import time_element

PHASES = {
    Phase.REGISTRATION: gettext_noop("Registration"),
    Phase.FREEZE: gettext_noop("Systems are frozen"),
    Phase.TESTING: gettext_noop("Testing"),
    Phase.REVIEW: gettext_noop("Reviewing"),
    Phase.PUBLICATION: gettext_noop("Publication"),
    Phase.END: gettext_noop("Ended, read-only"),
}
_BEGINS = {
    Phase.REGISTRATION: gettext_noop("Registration opens on %(when)s"),
    Phase.FREEZE: gettext_noop("Systems are frozen on %(when)s"),
    Phase.TESTING: gettext_noop("Testing begins on %(when)s"),
    Phase.REVIEW: gettext_noop("Reviewing begins on %(when)s"),
    Phase.PUBLICATION: gettext_noop("Publication on %(when)s"),
    Phase.END: gettext_noop("The campaign ends on %(when)s"),
}
_ENDS = {
    Phase.REGISTRATION: gettext_noop("Registration closes on %(when)s"),
    Phase.TESTING: gettext_noop("Testing ends on %(when)s"),
    Phase.REVIEW: gettext_noop("Reviewing ends on %(when)s"),
}


@dataclass(frozen=True, slots=True)
class ShownPhase:
    """A phase that is on: its name, its last second as an element, how long still; the latter two are empty without an end."""

    name: str
    until: str = ""
    left: str = ""


@dataclass(frozen=True, slots=True)
class ShownCalendar:
    """What is on now, and the sentence of what changes next with the time until then; empty where nothing does."""

    now: tuple[ShownPhase, ...]
    next: str
    left: str


def shown_calendar(calendar: Calendar, at: datetime) -> ShownCalendar | None:
    """None where the campaign has no dates."""
    if not has_dates(calendar):
        return None
    seen, zone = now_and_next(calendar, at), ZoneInfo(calendar.time_zone)
    now = [
        ShownPhase(gettext(PHASES[phase]), time_element(zone, until), time_left(until - at))
        if until
        else ShownPhase(gettext(PHASES[phase]))
        for phase, until in seen.now
    ]
    if seen.next is None:
        return ShownCalendar(tuple(now), "", "")
    return ShownCalendar(tuple(now), _said(seen.next, zone), time_left(seen.next.at - at))


def _said(change: Change, zone: tzinfo) -> SafeString:
    words = _BEGINS if change.is_beginning else _ENDS
    return mark_safe(escape(gettext(words[change.phase])) % {"when": time_element(zone, change.at)})


def time_left(left: timedelta) -> str:
    """In whole days from two days on, in whole hours from two hours on, else in minutes; never more than there is."""
    minutes = max(0, int(left.total_seconds() // 60))
    if minutes >= 2 * 24 * 60:
        n = minutes // (24 * 60)
        return ngettext("%(n)d day", "%(n)d days", n) % {"n": n}
    if minutes >= 2 * 60:
        n = minutes // 60
        return ngettext("%(n)d hour", "%(n)d hours", n) % {"n": n}
    return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}


register = template.Library()


@register.inclusion_tag("campaigns/_now_and_next.html", name="now_and_next")
def now_and_next_strip(campaign: Campaign) -> dict[str, Any]:
    """A strip with what is on, until when, and what comes next."""
    return {"calendar": shown_calendar(campaign, timezone.now())}


@register.inclusion_tag("campaigns/_phase_now.html")
def phase_now(campaign: Campaign) -> dict[str, Any]:
    """The same on one short line, for rows of lists."""
    return {"calendar": shown_calendar(campaign, timezone.now())}
