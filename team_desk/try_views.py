"""The page on which an address is tried before it is stored, for a team's members and for organizers."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
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
from participants.adapters import FIND_OUT
from participants.adapters.trying import Tried
from participants.mappings import PRESETS
from participants.mappings.mapping import PATHS
from reading.checking import BadForm
from reading.digits import ID_DIGITS, whole_or_none
from serving.refused import Refused
from team_desk.finding import Found, find_protocol, read_url
from team_desk.forms import choices, fields_of, said_address, stored_fields, typed_fields, wrong_fields
from team_desk.own_bots import entries_of
from team_desk.trying import read_try, try_address

Fields = dict[str, str]


@dataclass(frozen=True, slots=True)
class TryForm:
    """The form of one campaign: of a new system or of `entry`, with where it is tried and stored, and for whom it is."""

    campaign: Campaign
    entry: Entry | None
    try_url: str
    store_url: str
    base: str
    teams: Sequence[str] = ()

    @property
    def context(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}


def form_of_team(campaign: Campaign, entry: Entry | None) -> TryForm:
    register = reverse("team", args=[campaign.slug])
    store = reverse("own-bot", args=[campaign.slug, entry.pk]) if entry else register
    return TryForm(campaign, entry, reverse("try-own-bot", args=[campaign.slug]), store, "participant")


@for_roles(Role.PARTICIPANT)
@require_http_methods(["GET", "HEAD", "POST"])
def try_own_bot(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    team = team_of(person_of(request), campaign)
    if team is None:
        return render(request, "team_desk/no_team.html", {"campaign": campaign}, status=404)
    entry = chosen_entry(request, entries_of(team, campaign))
    return try_page(request, form_of_team(campaign, entry))


def chosen_entry(request: HttpRequest, entries: Any) -> Entry | None:
    """The system whose address is changed; none where a new one is registered. Errors: `Http404`."""
    number = request.POST.get("entry") or request.GET.get("entry") or ""
    if not number:
        return None
    entry: Entry = get_object_or_404(entries, pk=whole_or_none(number, ID_DIGITS) or 0)
    return entry


def try_page(request: HttpRequest, form: TryForm) -> HttpResponse:
    """GET shows the form; POST with `act=fill` fills it with a preset, any other asks for the protocol or makes the call."""
    if request.method != "POST":
        return _page(request, form, stored_fields(form.entry) if form.entry else {})
    typed = typed_fields(request.POST)
    if request.POST.get("act") == "fill":
        return _page(request, form, _filled(typed, request.POST.get("preset", "")))
    if request.POST.get("protocol") == FIND_OUT:
        return found_page(request, form)
    try:
        read = read_try(said_address(request.POST), request.POST.get("word") or _("Hello"), form.entry)
        result = try_address(campaign=form.campaign, typed=read, by=person_of(request), at=timezone.now())
    except BadForm as bad:
        return _page(request, form, typed, wrong=wrong_fields(bad), status=422)
    except Refused as refused:
        messages.error(request, str(refused))
        return _page(request, form, typed, status=422)
    return _page(request, form, typed, wrong=_wrong_paths(result), result=result)


def found_page(request: HttpRequest, form: TryForm) -> HttpResponse:
    """Asks the URL that was typed, and shows what it said with the form; the protocol that it speaks for is filled in."""
    typed = typed_fields(request.POST)
    try:
        read = read_url(said_address(request.POST), form.entry)
        found = find_protocol(campaign=form.campaign, typed=read, by=person_of(request), at=timezone.now())
    except BadForm as bad:
        return _page(request, form, typed, wrong=wrong_fields(bad), status=422)
    except Refused as refused:
        messages.error(request, str(refused))
        return _page(request, form, typed, status=422)
    return _page(request, form, typed | {"protocol": found.protocol or FIND_OUT}, found=found)


def _filled(typed: Fields, key: str) -> Fields:
    """What was typed, with the mapping of the preset in place of its own."""
    kept = {name: value for name, value in typed.items() if not name.startswith("option_")}
    preset = next((one for one in PRESETS if one.key == key), None)
    return typed if preset is None else kept | fields_of("mapping", typed.get("url", ""), preset.options)


def _wrong_paths(result: Tried) -> Fields:
    """What a path did not find, beside its field."""
    finding = result.failure.detail if result.failure else None
    name = finding.place.partition("[")[0] if finding else ""
    known = {*PATHS, "request", "headers", "query"}
    return {f"option_{name}": finding.message} if finding and name in known else {}


def _page(
    request: HttpRequest,
    form: TryForm,
    typed: Fields,
    *,
    wrong: Fields | None = None,
    result: Tried | None = None,
    found: Found | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        **form.context,
        "has_secret": bool(form.entry and form.entry.has_secret),
        "typed": typed,
        "wrong": wrong or {},
        "result": result,
        "found": found,
        "shown_once": result is not None or found is not None,
        "word": typed.get("word") or _("Hello"),
        **choices(),
    }
    return render(request, "team_desk/try.html", context, status=status)
