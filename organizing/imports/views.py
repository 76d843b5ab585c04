"""The organizer's pages that import a file: finished dialogues for the reviewers, and records for the leaderboard."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import person_of
from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from dialogues.dialogue_files import FORMATS
from organizing.imports.reading import ASKED, Bring, TooMany, dialogues_in, only_tried, read_asked, records_in
from participants.limits import NAME_LIMIT
from reading.checking import BadFile, BadForm

PROBLEMS_SHOWN = 200
FORMAT_NAMES = {"huace": "JSON Lines", "ntcir": "NTCIR STC-3", "mobilecs": "MobileCS"}


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def dialogues(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """POST imports finished dialogues; with `then=check` it only says what it would bring."""
    typed = {name: request.POST.get(name, "") for name in ASKED}
    if request.method != "POST":
        return _page(request, campaign, "imports", typed)

    def read(content: bytes) -> Bring:
        asked, by = read_asked(typed), person_of(request)
        return dialogues_in(campaign=campaign, content=content, asked=asked, by=by, at=timezone.now())

    return _brought(request, campaign, "imports", typed, read)


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def records(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """POST imports records; with `then=check` it only says what it would bring."""
    if request.method != "POST":
        return _page(request, campaign, "import-records")

    def read(content: bytes) -> Bring:
        return records_in(campaign=campaign, content=content, by=person_of(request))

    return _brought(request, campaign, "import-records", {}, read)


def _brought(
    request: HttpRequest, campaign: Campaign, page: str, typed: Mapping[str, str], read: Callable[[bytes], Bring]
) -> HttpResponse:
    file = request.FILES.get("file")
    if file is None or (file.size or 0) > settings.UPLOAD_LIMIT_BYTES:
        said = _("The file is larger than %(n)s MB.") % {"n": _limit_mb()} if file else _("Choose a file first.")
        messages.error(request, said)
        return redirect(page, slug=campaign.slug)
    content, name = file.read(), (file.name or "")[:200]
    try:
        if request.POST.get("then") == "check":
            tried = only_tried(read(content))
            text = _("%(name)s is right: %(new)s new, %(known)s imported before. Nothing was stored.")
            messages.success(request, text % {"name": name, "new": tried.n_new, "known": tried.n_known})
            return _page(request, campaign, page, typed)
        done = read(content)()
    except (BadFile, BadForm) as bad:
        return _page(request, campaign, page, typed, bad.problems)
    except TooMany as too_many:
        return _page(request, campaign, page, typed, [too_many.finding])
    text = _("%(name)s is imported: %(new)s new, %(known)s imported before.")
    messages.success(request, text % {"name": name, "new": done.n_new, "known": done.n_known})
    return redirect(page, slug=campaign.slug)


def _page(
    request: HttpRequest,
    campaign: Campaign,
    page: str,
    typed: Mapping[str, str] | None = None,
    problems: Sequence[Any] = (),
) -> HttpResponse:
    shown = {
        "campaign": campaign,
        "part": page,
        "typed": typed or {},
        "problems": problems[:PROBLEMS_SHOWN],
        "n_problems": len(problems),
        "formats": [(name, FORMAT_NAMES[name]) for name in FORMATS],
        "name_limit": NAME_LIMIT,
        "limit_bytes": settings.UPLOAD_LIMIT_BYTES,
        "limit_mb": _limit_mb(),
    }
    return render(request, "organizing/imports/imports.html", shown, status=422 if problems else 200)


def _limit_mb() -> str:
    return f"{settings.UPLOAD_LIMIT_BYTES / 1024 / 1024:g}"
