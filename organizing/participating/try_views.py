"""The page on which an address is tried before it is stored, for a team's members and for organizers."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import person_of
from campaigns.access import for_roles, team_of
from campaigns.models import Campaign, Entry, Role
from organizing.participating.forms import fields_of, said_address, stored_fields, typed_fields, wrong_fields
from organizing.participating.own_bots import entries_of
from organizing.participating.trying import read_try, try_address
from organizing.participating.views import limits
from organizing.teams.listing import team_names
from participants.adapters.trying import Tried
from participants.mappings import PRESETS
from participants.mappings.mapping import PATHS
from scoring.checking import BadForm
from scoring.digits import ID_DIGITS, whole_or_none
from serving.refused import Refused

Fields = dict[str, str]


@for_roles(Role.PARTICIPANT)
@require_http_methods(["GET", "HEAD", "POST"])
def try_own_bot(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    team = team_of(person_of(request), campaign)
    if team is None:
        return render(request, "organizing/participating/no_team.html", {"campaign": campaign}, status=404)
    entry = _chosen(request, entries_of(team, campaign))
    register = reverse("team", args=[campaign.slug])
    store = reverse("own-bot", args=[campaign.slug, entry.pk]) if entry else register
    where = {"try_url": request.path, "store_url": store, "base": "participant"}
    return _try_page(request, campaign, entry, where)


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def try_bot(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    entry = _chosen(request, campaign.entries.select_related("bot__team", "campaign"))
    register = reverse("teams", args=[campaign.slug])
    store = reverse("team-bot", args=[campaign.slug, entry.pk]) if entry else register
    where = {"try_url": request.path, "store_url": store, "base": "organizer", "teams": team_names(campaign)}
    return _try_page(request, campaign, entry, where)


def _chosen(request: HttpRequest, entries: Any) -> Entry | None:
    """The system whose address is changed; none where a new one is registered. Errors: `Http404`."""
    number = request.POST.get("entry") or request.GET.get("entry") or ""
    if not number:
        return None
    entry: Entry = get_object_or_404(entries, pk=whole_or_none(number, ID_DIGITS) or 0)
    return entry


def _try_page(request: HttpRequest, campaign: Campaign, entry: Entry | None, where: dict[str, Any]) -> HttpResponse:
    """GET shows the form; POST with `act=fill` fills it with a preset, any other makes the call."""
    stored = stored_fields(entry) if entry else {}
    if request.method != "POST":
        return _page(request, campaign, entry, where, stored)
    typed = typed_fields(request.POST)
    if request.POST.get("act") == "fill":
        return _page(request, campaign, entry, where, _filled(typed, request.POST.get("preset", "")))
    wrong: Fields = {}
    result: Tried | None = None
    try:
        read = read_try(said_address(request.POST), request.POST.get("word") or _("Hello"), entry)
        result = try_address(campaign=campaign, typed=read, by=person_of(request), at=timezone.now())
        wrong = _wrong_paths(result)
    except BadForm as bad:
        wrong = wrong_fields(bad)
    except Refused as refused:
        messages.error(request, str(refused))
    return _page(request, campaign, entry, where, typed, result, wrong, status=200 if result else 422)


def _filled(typed: Fields, key: str) -> Fields:
    """What was typed, with the mapping of the preset in place of its own."""
    kept = {name: value for name, value in typed.items() if not name.startswith("option_")}
    preset = next((one for one in PRESETS if one.key == key), None)
    return typed if preset is None else kept | fields_of("mapping", typed.get("url", ""), preset.options)


def _wrong_paths(result: Tried) -> Fields:
    """What a path did not find, beside its field."""
    finding = result.failure.finding if result.failure else None
    name = finding.place.partition("[")[0] if finding else ""
    known = {*PATHS, "request", "headers", "query"}
    return {f"option_{name}": finding.message} if finding and name in known else {}


def _page(
    request: HttpRequest,
    campaign: Campaign,
    entry: Entry | None,
    where: dict[str, Any],
    typed: Fields,
    result: Tried | None = None,
    wrong: Fields | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "campaign": campaign,
        "entry": entry,
        "has_secret": bool(entry and entry.has_secret),
        "typed": typed,
        "wrong": wrong or {},
        "result": result,
        "shown_once": result is not None,
        "word": typed.get("word") or _("Hello"),
        **where,
        **limits(),
    }
    return render(request, "organizing/participating/try.html", context, status=status)
