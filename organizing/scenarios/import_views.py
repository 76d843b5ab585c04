"""The organizer's page that imports scenarios from a table: what it would add and change, then exactly that."""

import binascii
from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access import person_of
from campaigns.access import for_roles
from campaigns.actions import PreviewIsOld
from campaigns.actions.scenarios import Stored, import_scenarios, preview_scenarios
from campaigns.calendar import NotNow
from campaigns.models import Campaign, Role
from campaigns.planning.plan_sizes import PlanTooLarge
from dialogues.queries import void_assignments
from organizing.file_page import limit_bytes, limit_mb
from organizing.scenarios.examples import example_download
from organizing.scenarios.listing import documents_of
from organizing.scenarios.tables import FORMATS, MOBILECS, Placed, read_scenarios
from reading.checking import BadFile

PROBLEMS_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Upload:
    name: str
    content: bytes
    kind: str


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def import_table(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """POST shows what the table would add and change; with `act=import` it does what was shown."""
    if request.method != "POST":
        return _page(request, campaign)
    upload = _upload_of(request)
    if upload is None or len(upload.content) > limit_bytes():
        said = _("The file is larger than %(n)s MB.") % {"n": limit_mb()} if upload else _("Choose a file first.")
        messages.error(request, said)
        return redirect("scenario-import", slug=campaign.slug)
    try:
        if request.POST.get("act") == "import":
            return _import(request, campaign, upload)
        return _shown(request, campaign, upload)
    except BadFile as bad:
        return _page(request, campaign, upload=upload, problems=bad.problems)
    except (NotNow, PlanTooLarge) as refused:
        messages.error(request, str(refused))
        return redirect("scenario-import", slug=campaign.slug)


def _shown(request: HttpRequest, campaign: Campaign, upload: Upload) -> HttpResponse:
    rows = rows_of_upload(campaign, upload)
    shown = preview_scenarios(campaign=campaign, rows=rows, at=timezone.now(), void=void_assignments(campaign))
    return _page(request, campaign, upload=upload, shown=shown, n_rows=len(rows))


def _import(request: HttpRequest, campaign: Campaign, upload: Upload) -> HttpResponse:
    try:
        stored = import_scenarios(
            campaign=campaign,
            rows=rows_of_upload(campaign, upload),
            name=upload.name,
            by=person_of(request),
            at=timezone.now(),
            # Without a digest anything would be stored: nobody has agreed to that here.
            previewed=request.POST.get("previewed") or "nothing",
            void=void_assignments(campaign),
        )
    except PreviewIsOld:
        messages.warning(request, _("Something has changed in the meantime. This is what the table would change now."))
        return _shown(request, campaign, upload)
    messages.success(request, _("Imported: %(n)s changes.") % {"n": len(stored.report.changed)})
    return redirect("scenarios", slug=campaign.slug)


def rows_of_upload(campaign: Campaign, upload: Upload) -> list[Placed]:
    return read_scenarios(upload.name, upload.content, kind=upload.kind, stored=documents_of(campaign))


def _upload_of(request: HttpRequest) -> Upload | None:
    kind = MOBILECS if request.POST.get("kind") == MOBILECS else ""
    if file := request.FILES.get("file"):
        return Upload((file.name or "")[:200], file.read(), kind)
    try:
        content = b64decode(request.POST.get("content", ""), validate=True)
    except (binascii.Error, ValueError):
        return None
    return Upload(request.POST.get("name", "")[:200], content, kind) if content else None


def _page(
    request: HttpRequest,
    campaign: Campaign,
    *,
    upload: Upload | None = None,
    shown: Stored | None = None,
    problems: Any = (),
    n_rows: int = 0,
) -> HttpResponse:
    return render(
        request,
        "organizing/scenarios/import.html",
        {
            "campaign": campaign,
            "upload": upload,
            "shown_once": upload is not None,
            "content": b64encode(upload.content).decode() if upload else "",
            "shown": shown,
            "n_rows": n_rows,
            "problems": problems[:PROBLEMS_SHOWN],
            "n_problems": len(problems),
            "formats": FORMATS,
            "limit_bytes": limit_bytes(),
            "limit_mb": limit_mb(),
        },
        status=422 if problems else 200,
    )


@for_roles(Role.ORGANIZER)
@require_GET
def example(request: HttpRequest, campaign: Campaign, format: str) -> HttpResponse:
    return example_download(format)
