"""The page of settings: every one, with what it means, what it is, and whether it may still change."""

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import person_of
from campaigns.access import for_roles
from campaigns.campaign_settings import settings_of
from campaigns.models import Campaign, Role
from campaigns.setting import Setting
from organizing.setting_up.settings_changes import changed_settings
from organizing.setting_up.settings_form import read_settings
from organizing.setting_up.settings_page import tables_of_settings

NOTHING: Mapping[str, str] = {}


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    if request.method != "POST":
        return _page(request, campaign, NOTHING, NOTHING, status=200)
    read, wrong = read_settings(request.POST.dict())
    changed: list[Setting] = []
    if not wrong:
        changed, wrong = changed_settings(campaign, read, by=person_of(request), at=timezone.now())
    if wrong:
        return _page(request, campaign, request.POST.dict(), wrong, status=422)
    if changed:
        names = ", ".join(_(one.label) for one in changed)
        messages.success(request, _("Changed: %(names)s.") % {"names": names})
    else:
        messages.info(request, _("Nothing was different, so nothing was changed."))
    if {one.name for one in changed} & {*settings_of("plan"), "free_choice"}:
        messages.warning(request, _("Assignments follow the plan once they are drawn again: Manage › Coverage."))
    return redirect("settings", slug=campaign.slug)


def _page(
    request: HttpRequest, campaign: Campaign, sent: Mapping[str, str], wrong: Mapping[str, str], *, status: int
) -> HttpResponse:
    shown = {
        "campaign": campaign,
        "tables": tables_of_settings(campaign, timezone.now(), sent, wrong),
        "n_wrong": len(wrong),
    }
    return render(request, "organizing/setting_up/settings.html", shown, status=status)
