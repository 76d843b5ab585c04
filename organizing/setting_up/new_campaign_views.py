"""The page on which the site's organizers make a campaign, from a preset or as a copy."""

from typing import Any
from zoneinfo import available_timezones

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import for_staff, person_of
from accounts.models import Person
from campaigns.actions import DatesOutOfOrder, SlugTaken, copy_campaign, create_campaign
from campaigns.campaign_settings import SETTINGS
from campaigns.models import Campaign, CampaignQuerySet, Role
from organizing.setting_up.new_campaign_form import NewCampaignForm, read_new_campaign
from organizing.setting_up.preset_cards import preset_cards


@for_staff
@require_http_methods(["GET", "HEAD", "POST"])
def new_campaign(request: HttpRequest) -> HttpResponse:
    may_copy = own_campaigns(person_of(request))
    if request.method != "POST":
        return _page(request, may_copy, read_new_campaign({}, ()), status=200, is_fresh=True)
    form = read_new_campaign(request.POST.dict(), set(may_copy.values_list("slug", flat=True)))
    campaign = None if form.is_wrong else make(form, person_of(request))
    if campaign is None:
        return _page(request, may_copy, form, status=422)
    messages.success(request, _("The campaign is made, and you organize it. This is what it still lacks."))
    return redirect("campaign", slug=campaign.slug)


def own_campaigns(person: Person) -> CampaignQuerySet:
    """Those that the person organizes: their rules and scenarios are theirs to copy."""
    held = person.campaign_roles.filter(role=Role.ORGANIZER).values("campaign")
    return Campaign.objects.filter(pk__in=held).order_by("-created_at")


def make(form: NewCampaignForm, by: Person) -> Campaign | None:
    """The campaign that was asked for; None after a note in the form."""
    calendar = form.calendar
    said: dict[str, Any] = {
        "slug": form.slug,
        "name": form.name,
        "dates": calendar.dates,
        "time_zone": calendar.time_zone,
    }
    try:
        if form.copied:
            source = own_campaigns(by).get(slug=form.copied)
            return copy_campaign(source=source, by=by, at=timezone.now(), **said)
        return create_campaign(preset=form.start, language=form.language, by=by, at=timezone.now(), **said)
    except SlugTaken:
        form.wrong["slug"] = _("This address is taken: choose another.")
    except DatesOutOfOrder as wrong:
        form.calendar.complain_of_order(list(wrong.wrong))
    return None


def _page(
    request: HttpRequest, may_copy: CampaignQuerySet, form: NewCampaignForm, *, status: int, is_fresh: bool = False
) -> HttpResponse:
    if is_fresh:
        form.wrong.clear()
    shown = {
        "form": form,
        "cards": preset_cards(),
        "may_copy": may_copy,
        "languages": [(value, _(words)) for value, words in SETTINGS["language"].words.items()],
        "zones": sorted(available_timezones()),
    }
    return render(request, "organizing/setting_up/new_campaign.html", shown, status=status)
