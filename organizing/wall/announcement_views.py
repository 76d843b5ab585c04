"""Announcements to all testers, made and taken back from the wall."""

from datetime import datetime, timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.access import person_of
from accounts.form_routes import form_on
from campaigns.access import for_roles
from campaigns.actions import ReasonNeeded
from campaigns.models import Campaign, Role
from dialogues.actions.announcing import BadAnnouncement, make_announcement, take_back_announcement
from dialogues.models import Announcement
from organizing.wall.views import wall_page


@for_roles(Role.ORGANIZER)
@form_on("wall")
def announce(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    at, said = timezone.now(), {name: request.POST.get(name, "") for name in ("zh", "en", "lasts")}
    try:
        make_announcement(
            campaign=campaign, by=person_of(request), zh=said["zh"], en=said["en"], until=ends(said["lasts"], at), at=at
        )
    except BadAnnouncement as bad:
        return wall_page(request, campaign, said=said, wrong={bad.field: str(bad)})
    messages.success(request, _("All testers are shown it now."))
    return redirect("wall", slug=campaign.slug)


@for_roles(Role.ORGANIZER)
@form_on("wall")
def take_back(request: HttpRequest, campaign: Campaign, announcement_id: int) -> HttpResponse:
    announcement = get_object_or_404(Announcement, pk=announcement_id, campaign=campaign)
    because = request.POST.get("because", "")
    try:
        take_back_announcement(announcement=announcement, because=because, by=person_of(request), at=timezone.now())
    except ReasonNeeded as wrong:
        messages.error(request, str(wrong))
    else:
        messages.success(request, _("Testers are no longer shown it."))
    return redirect("wall", slug=campaign.slug)


def ends(lasts: str, at: datetime) -> datetime | None:
    """After that many minutes; never, if none are given."""
    return at + timedelta(minutes=int(lasts)) if lasts in {"15", "60", "240", "1440"} else None
