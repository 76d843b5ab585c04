"""The organizer's page of the calendar: its dates, what they open and close, and each change with its reason."""

from zoneinfo import available_timezones

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import person_of
from campaigns.access import for_roles
from campaigns.actions import ConfirmationNeeded, DatesOutOfOrder, ReasonNeeded, change_calendar
from campaigns.calendar import NotNow
from campaigns.models import Campaign, Role
from organizing.setting_up.calendar_form import CalendarForm, form_of, read_form
from participants.limits import REASON_LIMIT


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def calendar(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    if request.method != "POST":
        return _page(request, campaign, form_of(campaign))
    form = read_form(request.POST.dict(), campaign.time_zone)
    asks_to_confirm = _change(request, campaign, form) if not form.wrong else False
    if form.wrong or asks_to_confirm:
        return _page(request, campaign, form, asks_to_confirm=asks_to_confirm)
    return redirect("calendar", slug=campaign.slug)


def _change(request: HttpRequest, campaign: Campaign, form: CalendarForm) -> bool:
    """Stores the dates, or notes in the form what is wrong; gives whether the change is to be confirmed first."""
    zone_before = campaign.time_zone
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
    except ReasonNeeded as wrong:
        form.wrong["because"] = str(wrong)
    except ConfirmationNeeded as unconfirmed:
        for change in unconfirmed.changes:
            form.wrong[change.name] = _("This is in the past: what it covers closes at once.")
        return True
    except NotNow as over:
        form.wrong["ends_at"] = over.message
    else:
        _say(request, has_dates_changed=bool(changes), has_zone_changed=form.time_zone != zone_before)
    return False


def _say(request: HttpRequest, *, has_dates_changed: bool, has_zone_changed: bool) -> None:
    if has_dates_changed:
        messages.success(request, _("The calendar is changed. Everybody sees the new dates at once."))
    elif has_zone_changed:
        messages.success(request, _("The time zone is changed. No date was moved."))
    else:
        messages.info(request, _("Nothing was different, so nothing was changed."))


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
