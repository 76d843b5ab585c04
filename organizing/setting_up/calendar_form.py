"""The form of the calendar: dates as the clocks of the campaign show them, and what is wrong beside each. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaigns.calendar import DATES, Calendar
from campaigns.campaign_file.calendar_settings import EARLIEST, LATEST, TIME_ZONE, OutOfOrder
from campaigns.campaign_file.campaign_settings import SETTINGS
from reading.kinds import Wrong

NOT_A_DATE = gettext_noop("Write it as 2026-03-01 09:00.")
NO_SUCH_TIME = gettext_noop("The clocks of this time zone skip this time.")
NO_SUCH_YEAR = gettext_noop("The year must be from 2000 to 2099.")


@dataclass(frozen=True, slots=True)
class DateField:
    """One date of the form, with what was typed and what is wrong with it."""

    name: str
    label: str
    about: str
    typed: str
    wrong: str = ""


@dataclass(slots=True)
class CalendarForm:
    """What was typed, what it means, and what is wrong by the name of the field."""

    time_zone: str
    typed: Mapping[str, str]
    dates: dict[str, datetime | None] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)

    def fields(self) -> list[DateField]:
        return [
            DateField(
                name,
                _(SETTINGS[name].label),
                _(SETTINGS[name].about),
                self.typed.get(name, ""),
                self.wrong.get(name, ""),
            )
            for name in DATES
        ]

    def complain_of_order(self, pairs: list[OutOfOrder]) -> None:
        for pair in pairs:
            earlier = _(SETTINGS[pair.earlier].label)
            self.wrong[pair.later] = _(pair.text) % {"earlier": f"“{earlier}”"}


def form_of(calendar: Calendar) -> CalendarForm:
    """The form as it is first shown."""
    zone = ZoneInfo(calendar.time_zone)
    return CalendarForm(calendar.time_zone, {name: on_clock(getattr(calendar, name), zone) for name in DATES})


def read_form(sent: Mapping[str, str], time_zone: str) -> CalendarForm:
    """The dates that were typed, by the clocks of the zone that was typed; an empty zone is the campaign's."""
    form = CalendarForm(sent.get("time_zone", "").strip() or time_zone, {name: sent.get(name, "") for name in DATES})
    try:
        zone = ZoneInfo(TIME_ZONE.value_of(form.time_zone))
    except Wrong as wrong:
        form.wrong["time_zone"] = _(wrong.text)
        return form
    for name, typed in form.typed.items():
        try:
            form.dates[name] = moment_of(typed.strip(), zone)
        except Wrong as wrong:
            form.wrong[name] = _(wrong.text)
    return form


def on_clock(moment: datetime | None, zone: ZoneInfo) -> str:
    """As a field for dates shows it; empty for none."""
    if moment is None:
        return ""
    return moment.astimezone(zone).replace(tzinfo=None).isoformat(timespec="seconds" if moment.second else "minutes")


def moment_of(typed: str, zone: ZoneInfo) -> datetime | None:
    """What was typed by the clocks of the zone. Errors: `Wrong`."""
    if not typed:
        return None
    try:
        clock = datetime.fromisoformat(typed)
    except ValueError:
        raise Wrong(NOT_A_DATE) from None
    if clock.tzinfo is not None or clock.microsecond or "T" not in typed.upper().replace(" ", "T"):
        raise Wrong(NOT_A_DATE)
    # Before zones are reckoned with: at the ends of time they would lead beyond it.
    if not EARLIEST.year - 1 <= clock.year <= LATEST.year + 1:
        raise Wrong(NO_SUCH_YEAR)
    moment = clock.replace(tzinfo=zone)
    # Where clocks are put forward, an hour of them does not exist: its times come back as others.
    if moment.astimezone(ZoneInfo("UTC")).astimezone(zone).replace(tzinfo=None) != clock:
        raise Wrong(NO_SUCH_TIME)
    if not EARLIEST <= moment < LATEST:
        raise Wrong(NO_SUCH_YEAR)
    return moment.astimezone(ZoneInfo("UTC"))
