"""The form of a bot, for a team's pages and the organizers': its choices, its fields as the actions read them, the page that tries it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.access import person_of
from campaigns.models import Campaign, Entry
from participants.adapters import ADAPTERS, FIND_OUT
from participants.adapters.trying import Tried
from participants.limits import NAME_LIMIT, PARALLEL, REASON_LIMIT
from participants.mappings import PRESETS
from participants.mappings.mapping import PATHS
from reading.checking import BadForm
from reading.digits import ID_DIGITS, whole_or_none, whole_or_text
from reading.kinds import FLAG, Kind, Whole
from serving.refused import Refused
from team_desk.trying import Found, find_protocol, read_try, read_url, try_address

Fields = dict[str, str]
# Fields of the form that hold an option of the protocol.
OPTION = "option-"


def address_fields(posted: QueryDict) -> dict[str, Any]:
    """Empty options are left out; an empty secret keeps the stored one unless none is wanted."""
    protocol = posted.get("protocol", "")
    address: dict[str, Any] = {"url": posted.get("url", "").strip(), "protocol": protocol}
    if posted.get("no_secret"):
        address["secret"] = ""
    elif posted.get("secret"):
        address["secret"] = posted["secret"]
    if parallel := posted.get("parallel", "").strip():
        address["parallel"] = whole_or_text(parallel)
    kinds = {name: one.kind for name, one in ADAPTERS[protocol].options.items()} if protocol in ADAPTERS else {}
    options = {name: _option(kind, posted.get(OPTION + name, "")) for name, kind in kinds.items()}
    return address | {"options": {name: value for name, value in options.items() if value != ""}}


def bot_fields(posted: QueryDict) -> dict[str, Any]:
    return address_fields(posted) | {"name": posted.get("name", "").strip()}


def _option(kind: Kind, typed: str) -> Any:
    # Browsers end lines as mails do; what is stored is what a file would say.
    typed = typed.replace("\r\n", "\n").strip()
    if kind is FLAG:
        return True if typed else ""
    return whole_or_text(typed) if isinstance(kind, Whole) else typed


def typed_fields(posted: QueryDict) -> dict[str, str]:
    """The typed fields, to be shown again; never a secret."""
    kept = {name: str(posted[name]) for name in posted if name not in {"secret", "csrfmiddlewaretoken"}}
    return {name.replace("-", "_"): value for name, value in kept.items()}


def wrong_fields(bad: BadForm) -> dict[str, str]:
    """The first problem of each field as a sentence, in the reader's language."""
    wrong: dict[str, str] = {}
    for problem in bad.problems:
        name = problem.place.partition("[")[0].replace("options.", "option_")
        subject = _("The URL %(problem)s") if name == "url" else _("This %(problem)s")
        wrong.setdefault(name, subject % {"problem": problem.message})
    return wrong


def stored_fields(entry: Entry) -> dict[str, str]:
    """The stored address as fields of the form."""
    return fields_of(entry.protocol, entry.url, entry.options) | {"parallel": str(entry.parallel)}


def fields_of(protocol: str, url: str, options: Mapping[str, Any]) -> dict[str, str]:
    # A checkbox that says no is one that is not ticked.
    typed = {f"option_{name}": str(value) for name, value in options.items() if value is not False}
    return {"protocol": protocol, "url": url} | typed


def form_context(request: HttpRequest, entry: Entry | None, bad: BadForm | None) -> dict[str, Any]:
    """The form's values: the typed ones with their problems, else the stored ones of `entry`."""
    stored = stored_fields(entry) if entry else {}
    return {
        "typed": typed_fields(request.POST) if bad else stored,
        "wrong": wrong_fields(bad) if bad else {},
        **choices(),
    }


def choices() -> dict[str, Any]:
    return {
        "protocols": list(ADAPTERS.items()),
        "find_out": FIND_OUT,
        "presets": PRESETS,
        "name_limit": NAME_LIMIT,
        "reason_limit": REASON_LIMIT,
        "parallel": PARALLEL,
    }


@dataclass(frozen=True, slots=True)
class TryForm:
    """The form of a new bot or of `entry`: its addresses for trying and storing, the page that it is part of, the teams to choose from."""

    campaign: Campaign
    entry: Entry | None
    try_url: str
    store_url: str
    base: str
    teams: Sequence[str] = ()

    @property
    def context(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}


def chosen_entry(request: HttpRequest, entries: Any) -> Entry | None:
    """The bot whose address is changed; None for a new one. Errors: `Http404`."""
    number = request.POST.get("entry") or request.GET.get("entry") or ""
    if not number:
        return None
    entry: Entry = get_object_or_404(entries, pk=whole_or_none(number, ID_DIGITS) or 0)
    return entry


def try_page(request: HttpRequest, form: TryForm) -> HttpResponse:
    """GET shows the form; POST with `act=fill` fills it with a preset, any other tries what was typed."""
    if request.method != "POST":
        return _page(request, form, stored_fields(form.entry) if form.entry else {})
    if request.POST.get("act") == "fill":
        return _page(request, form, _filled(typed_fields(request.POST), request.POST.get("preset", "")))
    return tried_page(request, form)


def tried_page(request: HttpRequest, form: TryForm) -> HttpResponse:
    """Makes a call, or asks the URL for its protocol where none was chosen, and shows the outcome with the form."""
    typed, address = typed_fields(request.POST), address_fields(request.POST)
    by, at = person_of(request), timezone.now()
    try:
        if is_to_find_out(request):
            return found_page(request, form)
        read = read_try(address, request.POST.get("word") or _("Hello"), form.entry)
        result = try_address(campaign=form.campaign, typed=read, by=by, at=at)
    except BadForm as bad:
        return _page(request, form, typed, wrong=wrong_fields(bad), status=422)
    except Refused as refused:
        messages.error(request, str(refused))
        return _page(request, form, typed, status=422)
    return _page(request, form, typed, wrong=_wrong_paths(result), result=result)


def found_page(request: HttpRequest, form: TryForm) -> HttpResponse:
    """Asks the URL for its protocol, and shows the outcome with the form; the one that the answers speak for is filled in.

    Errors: `BadForm`, for the page on which the URL was typed.
    """
    typed = typed_fields(request.POST)
    url, secret = read_url(address_fields(request.POST), form.entry)
    try:
        found = find_protocol(campaign=form.campaign, url=url, secret=secret, by=person_of(request), at=timezone.now())
    except Refused as refused:
        messages.error(request, str(refused))
        return _page(request, form, typed, status=422)
    return _page(request, form, typed | {"protocol": found.protocol or FIND_OUT}, found=found)


def is_to_find_out(request: HttpRequest) -> bool:
    """Whether the form leaves the protocol to the platform."""
    return request.POST.get("protocol") == FIND_OUT


def _filled(typed: Fields, key: str) -> Fields:
    """The typed fields with the preset's mapping in place of their own."""
    kept = {name: value for name, value in typed.items() if not name.startswith("option_")}
    preset = next((one for one in PRESETS if one.key == key), None)
    return typed if preset is None else kept | fields_of("mapping", typed.get("url", ""), preset.options)


def _wrong_paths(result: Tried) -> Fields:
    """The message of a path that found nothing, by its field."""
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
        "secret_was_typed": bool(request.POST.get("secret")),
        "word": typed.get("word") or _("Hello"),
        **choices(),
    }
    return render(request, "team_desk/try.html", context, status=status)
