"""The organizer's page of the campaign file: download it, upload it, see what that would change, and do exactly that."""

import binascii
from base64 import b64decode, b64encode

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access import person_of
from accounts.models import Person
from audit.actions import record
from campaigns.access import for_roles
from campaigns.actions import PreviewIsOld
from campaigns.dumping import FORMATS, file_of
from campaigns.models import Campaign, Role
from organizing.file.previews import Preview, Upload, limit_bytes, limit_mb, load_upload, preview_of
from organizing.trail_acts import FILE_DOWNLOADED
from reading.checking import BadFile
from reading.toml_text import NotToml

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
        messages.error(request, _("%(place)s is null, which TOML cannot say: download JSON.") % {"place": null.place})
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
