"""Pages of the lab: a check of a bot with its report and a permalink, the history of its checks, the badge."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access import open_to_all, person_of
from campaigns.access import for_roles, has_role
from campaigns.models import Campaign, Entry, Role
from conformance.access import ROLES, check_for, entry_for
from conformance.actions import ask_check
from conformance.models import Check
from conformance.pages import Place, asked, badge_of, check_page, checks_page


@for_roles(*ROLES)
@require_http_methods(["GET", "HEAD", "POST"])
def checks(request: HttpRequest, campaign: Campaign, entry_id: int) -> HttpResponse:
    """GET shows the checks of one bot and its fingerprints; POST asks for a check."""
    entry = entry_for(person_of(request), campaign, entry_id)
    place = place_of(request, campaign, entry)
    if request.method == "POST":
        return asked(request, place, lambda: ask_check(entry=entry, by=person_of(request), at=timezone.now()))
    return checks_page(request, place)


@for_roles(*ROLES)
@require_GET
def one_check(request: HttpRequest, campaign: Campaign, check_id: UUID) -> HttpResponse:
    check = check_for(person_of(request), campaign, check_id)
    return check_page(request, place_of(request, campaign, check.entry), check)


def place_of(request: HttpRequest, campaign: Campaign, entry: Entry) -> Place:
    """A team knows its bot by the name that it gave, an organizer by its alias, too."""
    bot, alias = entry.bot, entry.alias
    if has_role(person_of(request), campaign, Role.ORGANIZER):
        home = reverse("team-bot", args=[campaign.slug, entry.pk])
        return Place(campaign, entry, Check.routes, f"{alias} {bot}", home, alias)
    home = reverse("own-bot", args=[campaign.slug, entry.pk])
    return Place(campaign, entry, Check.routes, bot.name, home, bot.name)


@open_to_all
@require_GET
def badge(request: HttpRequest, check_id: UUID) -> HttpResponse:
    return badge_of(request, get_object_or_404(Check, pk=check_id))
