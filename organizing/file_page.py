"""What loading an uploaded campaign file would change, with pruning where that is asked for, and loading exactly that."""

import binascii
from base64 import b64decode, b64encode
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any, NotRequired, TypedDict

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_GET, require_http_methods
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from accounts.models import Person
from api.answers import From, encoded
from api.describing import FileOf, describes
from api.parsers import StrictJSONParser, StrictMultiPartParser
from api.problems import problem_answer
from audit.actions import record
from campaigns.access import OrganizersView, for_roles
from campaigns.actions import Loaded, PreviewIsOld, load_file, preview_load
from campaigns.actions.entering import GONE as BOT_GONE
from campaigns.actions.entering import TAKEN_BY_PAGE as BOT_TAKEN
from campaigns.actions.loading_people import MADE_ITSELF, ROLE_GONE, TEAM_GONE
from campaigns.actions.loading_people import TAKEN_BY_PAGE as TEAM_TAKEN
from campaigns.actions.loading_scenarios import GONE as SCENARIO_GONE
from campaigns.actions.loading_scenarios import TAKEN_BY_PAGE as SCENARIO_TAKEN
from campaigns.campaign_file.dumping import FORMATS, file_of
from campaigns.campaign_file.reader import CampaignSpec, read_campaign_file
from campaigns.models import Campaign, Role
from dialogues.queries import void_assignments
from organizing.trail_acts import FILE_DOWNLOADED
from participants.adapters import PROTOCOLS
from reading.checking import BadFile
from reading.findings import Finding
from reading.kinds import Choice, Text
from reading.toml_text import NotToml

GONE = {BOT_GONE, ROLE_GONE, SCENARIO_GONE, TEAM_GONE}
TAKEN = {BOT_TAKEN, MADE_ITSELF, TEAM_TAKEN, SCENARIO_TAKEN}


def limit_bytes() -> int:
    """How large a file may be that a page shows first: it comes back in the form that confirms, as base64 with escapes."""
    return int(settings.UPLOAD_LIMIT_BYTES) // 2


def limit_mb() -> str:
    return f"{limit_bytes() / 1024 / 1024:g}"


@dataclass(frozen=True, slots=True)
class Preview:
    """`pruned` is None where it was not asked for, where nothing could be pruned, or where that would be refused for
    `pruning_problems`."""

    problems: tuple[Finding, ...] = ()
    loaded: Loaded | None = None
    pruned: Loaded | None = None
    pruning_problems: tuple[Finding, ...] = ()
    takes_over: bool = False
    prunes: bool = False

    @property
    def changes(self) -> list[Finding]:
        return self.loaded.report.changed if self.loaded else []

    @property
    def left_alone(self) -> list[Finding]:
        return self.loaded.report.left_alone if self.loaded else []

    @property
    def removals(self) -> list[Finding]:
        """What pruning would change besides."""
        return [one for one in self.pruned.report.changed if one not in self.changes] if self.pruned else []

    @property
    def may_prune(self) -> bool:
        """Whether rows of a file stay that it no longer holds, and nobody has asked yet what removing them would change."""
        return not self.prunes and any(left.text in GONE for left in self.left_alone)

    @property
    def may_take_over(self) -> bool:
        """Whether something is only refused because it was made or changed in the browser."""
        return any(problem.text in TAKEN for problem in self.problems)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it was uploaded, and how it is to be loaded."""

    name: str
    content: bytes
    takes_over: bool = False
    prunes: bool = False


def spec_of_upload(campaign: Campaign, upload: Upload) -> CampaignSpec:
    """Errors: `BadFile`, also where the file is another campaign's."""
    spec = read_campaign_file(upload.name.lower(), upload.content, PROTOCOLS)
    if spec.slug != campaign.slug:
        text = gettext_noop("is %(said)s, but this is the campaign %(slug)s: a file never changes another campaign")
        raise BadFile([Finding("[campaign] slug", text, {"said": spec.slug, "slug": campaign.slug})])
    return spec


def preview_of(campaign: Campaign, upload: Upload, *, by: Person, at: datetime) -> Preview:
    """Stores nothing."""
    shown = Preview(takes_over=upload.takes_over, prunes=upload.prunes)
    try:
        spec, void = spec_of_upload(campaign, upload), void_assignments(campaign)
        loaded = preview_load(spec=spec, void=void, takes_over=upload.takes_over, by=by, at=at)
    except BadFile as bad:
        return replace(shown, problems=tuple(bad.problems))
    if not upload.prunes:
        return replace(shown, loaded=loaded)
    try:
        pruned = preview_load(spec=spec, void=void, prunes=True, takes_over=upload.takes_over, by=by, at=at)
    except BadFile as bad:
        return replace(shown, loaded=loaded, pruning_problems=tuple(bad.problems))
    has_more = pruned.report.changes != loaded.report.changes
    return replace(shown, loaded=loaded, pruned=pruned if has_more else None)


def load_upload(campaign: Campaign, upload: Upload, *, previewed: str, by: Person, at: datetime) -> Loaded:
    """Errors: `BadFile`; `PreviewIsOld` where loading would change something else by now."""
    return load_file(
        spec=spec_of_upload(campaign, upload),
        void=void_assignments(campaign),
        prunes=upload.prunes,
        takes_over=upload.takes_over,
        previewed=previewed,
        by=by,
        at=at,
    )


MEDIA_TYPES = {"toml": "application/toml; charset=utf-8", "json": "application/json"}
PROBLEMS_SHOWN = 200


@transaction.atomic
def file_for(*, campaign: Campaign, format: str, by: Person) -> HttpResponse:
    """The campaign's file as a download, without secrets; it is in the trail. Errors: `NotToml`."""
    text = file_of(campaign, format, with_secrets=False)
    record(FILE_DOWNLOADED, by=by, campaign=campaign.slug, about=campaign.slug, details={"format": format})
    name = f"{campaign.slug}.{format}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text.encode(), content_type=MEDIA_TYPES[format], headers=headers)


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_file(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """POST shows what the file would change; with `act=load` it does what was shown, or shows what it would change by now."""
    if request.method != "POST":
        return _page(request, campaign)
    upload = _upload_of(request)
    if upload is None or len(upload.content) > limit_bytes():
        said = _("The file is larger than %(n)s MB.") % {"n": limit_mb()} if upload else _("Choose a file first.")
        messages.error(request, said)
        return redirect("file", slug=campaign.slug)
    if request.POST.get("act") != "load":
        return _page(request, campaign, upload, preview_of(campaign, upload, by=person_of(request), at=timezone.now()))
    return _load(request, campaign, upload)


def _load(request: HttpRequest, campaign: Campaign, upload: Upload) -> HttpResponse:
    at = timezone.now()
    # Without a digest anything would be loaded: nobody has agreed to that here.
    previewed = request.POST.get("previewed_pruned" if upload.prunes else "previewed") or "nothing"
    try:
        loaded = load_upload(campaign, upload, previewed=previewed, by=person_of(request), at=at)
    except (BadFile, PreviewIsOld):
        messages.warning(request, _("Something has changed in the meantime. This is what the file would change now."))
        return _page(request, campaign, upload, preview_of(campaign, upload, by=person_of(request), at=at))
    n = len(loaded.report.changed)
    messages.success(request, _("The file is loaded: %(n)s changes.") % {"n": n})
    return redirect("file", slug=campaign.slug)


@for_roles(Role.ORGANIZER)
@require_GET
def download(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    format = request.GET.get("format", FORMATS[0])
    if format not in FORMATS:
        raise Http404
    try:
        return file_for(campaign=campaign, format=format, by=person_of(request))
    except NotToml as null:
        messages.error(
            request, _("%(place)s is null, which TOML cannot express: download JSON.") % {"place": null.place}
        )
        return redirect("file", slug=campaign.slug)


def _upload_of(request: HttpRequest) -> Upload | None:
    """The file that came with the form, or the one that was shown before."""
    asked = {"takes_over": "takes_over" in request.POST, "prunes": "prunes" in request.POST}
    if file := request.FILES.get("file"):
        return Upload((file.name or "")[:200], file.read(), **asked)
    try:
        content = b64decode(request.POST.get("content", ""), validate=True)
    except (binascii.Error, ValueError):
        return None
    return Upload(request.POST.get("name", "")[:200], content, **asked) if content else None


def _page(
    request: HttpRequest, campaign: Campaign, upload: Upload | None = None, preview: Preview | None = None
) -> HttpResponse:
    return render(
        request,
        "organizing/file/file.html",
        {
            "campaign": campaign,
            "upload": upload,
            "shown_once": upload is not None,
            "content": b64encode(upload.content).decode() if upload else "",
            "preview": preview,
            "problems": preview.problems[:PROBLEMS_SHOWN] if preview else (),
            "n_problems": len(preview.problems) if preview else 0,
            "limit_bytes": limit_bytes(),
            "limit_mb": limit_mb(),
        },
        status=422 if preview and preview.problems else 200,
    )


SAID = Choice(("0", "1", "true", "false", "on"))
LOAD = {"takes_over": SAID, "prunes": SAID, "previewed": Text(64, may_be_empty=True)}


class Placed(TypedDict):
    place: str
    message: str


class LoadedAnswer(TypedDict):
    """`digest` is what `previewed` wants to load exactly this."""

    changes: Annotated[list[str], From(lambda loaded: [change.message for change in loaded.report.changed])]
    left_alone: Annotated[list[str], From(lambda loaded: [left.message for left in loaded.report.left_alone])]
    digest: str


class LoadAnswer(LoadedAnswer):
    pruned: NotRequired[LoadedAnswer | None]
    pruning_problems: NotRequired[list[Placed]]


class CampaignFile(OrganizersView):
    """GET `?as=toml` (or json) gives the file, without secrets. POST `file` (multipart) says what loading it would change;
    `previewed` with one of the digests of that answer loads it. `prunes` and `takes_over` are those of `load_campaign`;
    `pruned` is answered where `prunes` asks for it.

    A file with problems is answered with 422 and all of them; one that would change something else by now with 409.
    """

    parser_classes = (StrictMultiPartParser, StrictJSONParser)

    @describes(
        "Gives the campaign's file, without secrets",
        FileOf(("application/toml", "application/json")),
        asks={"as": Choice(FORMATS)},
        refuses=(409,),
    )
    def get(self, request: Request) -> Response | HttpResponse:
        wanted = request.query_params.get("as", FORMATS[0])
        if wanted not in FORMATS:
            return problem_answer(400, "unknown_format", lambda: _("The file is given as toml or json."))
        try:
            return file_for(campaign=self.campaign, format=wanted, by=person_of(request))
        except NotToml as null:
            place = null.place
            return problem_answer(
                409,
                "not_toml",
                lambda: _("%(place)s is null, which TOML cannot express: download JSON.") % {"place": place},
            )

    @describes(
        "Says what loading a file would change; with `previewed`, loads it",
        LoadAnswer,
        uploads=LOAD,
        refuses=(409, 422),
    )
    def post(self, request: Request) -> Any:
        campaign, by, at = self.campaign, person_of(request), timezone.now()
        file = request.FILES.get("file")
        if file is None:
            return problem_answer(400, "no_file", lambda: _("Send the campaign file as `file` (multipart/form-data)."))
        said: Any = request.data
        upload = Upload(
            file.name or "", file.read(), takes_over=is_said(said, "takes_over"), prunes=is_said(said, "prunes")
        )
        if not said.get("previewed"):
            preview = preview_of(campaign, upload, by=by, at=at)
            if preview.loaded is None:
                raise BadFile(list(preview.problems))
            more = {"pruned": preview.pruned, "pruning_problems": preview.pruning_problems}
            return encoded(LoadedAnswer, preview.loaded) | more
        try:
            loaded = load_upload(campaign, upload, previewed=str(said["previewed"]), by=by, at=at)
        except PreviewIsOld:
            return problem_answer(
                409,
                "preview_is_old",
                lambda: _("Something has changed in the meantime: ask again what the file would change."),
            )
        return encoded(LoadedAnswer, loaded)


def is_said(said: Any, name: str) -> bool:
    return str(said.get(name, "")).lower() in {"1", "true", "on"}
