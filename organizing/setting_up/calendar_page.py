"""The calendar of a campaign, page and API: its dates, what they open and close, each change with its reason."""

from dataclasses import dataclass
from typing import Any, TypedDict
from zoneinfo import ZoneInfo, available_timezones

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import Access, person_of
from api.describing import describes
from api.parsers import body_in
from api.problems import problem_answer
from campaigns.access import RolesView, for_roles, require_role
from campaigns.actions import ConfirmationNeeded, DatesOutOfOrder, ReasonNeeded, change_calendar
from campaigns.calendar import DATES, Doing, NotNow, is_open, now_and_next
from campaigns.campaign_file.calendar_settings import NO_DATE, TIME_ZONE, MomentOr
from campaigns.models import Campaign, Role
from organizing.setting_up.calendar_form import CalendarForm, form_of, read_form
from participants.limits import REASON_LIMIT
from reading.json_schemas import Moment, Schema, schema_of
from reading.kinds import FLAG, Text
from reading.tables import Field, Table


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def calendar(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    if request.method != "POST":
        return _page(request, campaign, form_of(campaign))
    form, zone_before = read_form(request.POST.dict(), campaign.time_zone), campaign.time_zone
    if form.wrong:
        return _page(request, campaign, form)
    try:
        changes = change_calendar(
            campaign=campaign,
            dates=form.dates,
            time_zone=form.time_zone,
            because=request.POST.get("because", ""),
            is_confirmed=request.POST.get("is_confirmed") == "yes",
            by=person_of(request),
            at=timezone.now(),
        )
    except DatesOutOfOrder as wrong:
        form.complain_of_order(list(wrong.wrong))
    except ReasonNeeded as needed:
        form.wrong["because"] = str(needed)
    except ConfirmationNeeded as unconfirmed:
        closing = _("This is in the past: what it covers closes at once.")
        form.wrong |= {change.name: closing for change in unconfirmed.changes}
        return _page(request, campaign, form, asks_to_confirm=True)
    except NotNow as over:
        form.wrong["ends_at"] = over.message
    if form.wrong:
        return _page(request, campaign, form)
    if changes:
        messages.success(request, _("The calendar is changed. Everybody sees the new dates at once."))
    elif form.time_zone != zone_before:
        messages.success(request, _("The time zone is changed. No date was moved."))
    else:
        messages.info(request, _("Nothing was different, so nothing was changed."))
    return redirect("calendar", slug=campaign.slug)


def _page(
    request: HttpRequest, campaign: Campaign, form: CalendarForm, *, asks_to_confirm: bool = False
) -> HttpResponse:
    shown = {
        "campaign": campaign,
        "form": form,
        "zones": sorted(available_timezones()),
        "reason_limit": REASON_LIMIT,
        "because": request.POST.get("because", ""),
        "asks_to_confirm": asks_to_confirm,
    }
    return render(request, "organizing/setting_up/calendar.html", shown, status=422 if form.wrong else 200)


class NextPhase(TypedDict):
    phase: str
    at: Moment
    begins: bool


class CalendarAnswer(TypedDict):
    """Beside these one member per date of the calendar, each a time or null. `open` says what may be done now."""

    time_zone: str
    now: list[str]
    next: NextPhase | None
    open: dict[str, bool]


@dataclass(frozen=True)
class DateOrNull(MomentOr):
    """Null takes the date back, as the word does."""

    def value_of(self, value: Any) -> Any:
        return super().value_of(self.word if value is None else value)


@schema_of.register
def _date_or_null(kind: DateOrNull) -> Schema:
    return {"type": ["string", "null"]}


DATE = DateOrNull(NO_DATE)
CHANGES = Table(
    {
        "because": Field(Text(REASON_LIMIT, may_be_empty=True), ""),
        "confirmed": Field(FLAG, False),
        "time_zone": Field(TIME_ZONE, ""),
        **{name: Field(DATE, None) for name in DATES},
    },
    keeps_others=True,
)


class CalendarOfCampaign(RolesView):
    """GET gives dates, phases and what is open now; PATCH changes the dates that it names (null takes one back)."""

    access = Access("roles", tuple(Role.values))

    @describes("Gives the dates, the phases and what is open now", CalendarAnswer)
    def get(self, request: Request) -> Response:
        return Response(calendar_answer(self.campaign))

    @describes("Changes the dates that it names; null takes one back", CalendarAnswer, reads=CHANGES, refuses=(409,))
    def patch(self, request: Request) -> Response:
        require_role(request.user, self.campaign, Role.ORGANIZER)
        asked = body_in(request, CHANGES)
        try:
            change_calendar(
                campaign=self.campaign,
                dates={name: None if asked[name] == NO_DATE else asked[name] for name in DATES if asked[name]},
                time_zone=asked["time_zone"],
                because=asked["because"],
                is_confirmed=asked["confirmed"],
                by=person_of(request),
                at=timezone.now(),
            )
        except DatesOutOfOrder as wrong:
            fields = {one.later: [_(one.text) % {"earlier": one.earlier}] for one in wrong.wrong}
            raise ValidationError(fields) from wrong
        except ReasonNeeded as silent:
            raise ValidationError({"because": [str(silent)]}) from silent
        except ConfirmationNeeded as closing:
            names = ", ".join(change.name for change in closing.changes)
            return problem_answer(
                409,
                "unconfirmed",
                lambda: (
                    _("This closes at once what %(names)s covers: send it with confirmed = true.") % {"names": names}
                ),
            )
        return Response(calendar_answer(self.campaign))


def calendar_answer(campaign: Campaign) -> dict[str, Any]:
    """Dates carry the offset of the campaign's own clocks."""
    zone, at = ZoneInfo(campaign.time_zone), timezone.now()
    dates = {name: getattr(campaign, name) for name in DATES}
    seen = now_and_next(campaign, at)
    following = seen.next and {
        "phase": seen.next.phase,
        "at": seen.next.at.astimezone(zone).isoformat(),
        "begins": seen.next.is_beginning,
    }
    return {
        "time_zone": campaign.time_zone,
        **{name: moment.astimezone(zone).isoformat() if moment else None for name, moment in dates.items()},
        "now": [phase for phase, _until in seen.now],
        "next": following,
        "open": {doing.value: is_open(campaign, doing, at) for doing in Doing},
    }
