"""The organizer's pages of what teams accept and get: the agreement's versions, data packages and their downloads."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import person_of
from accounts.form_routes import form_on, tells_refusal
from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from participants.limits import NAME_LIMIT
from registration.actions import remove_package, upload_package, write_agreement
from registration.agreed import current_agreement
from registration.models import DataPackage, PackageDownload
from serving.refused import Refused

DOWNLOADS_SHOWN = 200


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def agreement(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """GET shows the text in force, who accepted it and earlier versions; POST stores the next version."""
    if request.method != "POST":
        return _agreement_page(request, campaign)
    texts = {name: request.POST.get(name, "") for name in ("text_zh", "text_en")}
    try:
        written = write_agreement(campaign=campaign, by=person_of(request), at=timezone.now(), **texts)
    except Refused as refused:
        return _agreement_page(request, campaign, texts, str(refused), status=422)
    text = _("Version %(n)d is in force: every team is asked to accept it.")
    if not written.is_asked:
        text = _("Version %(n)d is in force: no agreement is asked for.")
    messages.success(request, text % {"n": written.version})
    return redirect("agreement-of-teams", campaign.slug)


def _agreement_page(
    request: HttpRequest, campaign: Campaign, typed: dict[str, str] | None = None, wrong: str = "", status: int = 200
) -> HttpResponse:
    current = current_agreement(campaign)
    stored = {"text_zh": current.text_zh, "text_en": current.text_en} if current else {}
    return render(
        request,
        "organizing/teams/agreement.html",
        {
            "campaign": campaign,
            "current": current,
            "versions": campaign.agreements.select_related("written_by").prefetch_related("acceptances__team"),
            "typed": typed or stored,
            "wrong": wrong,
        },
        status=status,
    )


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def packages(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """GET lists files and downloads; POST uploads a file."""
    if request.method != "POST":
        return _packages_page(request, campaign)
    file = request.FILES.get("file")
    try:
        upload_package(
            campaign=campaign,
            file_name=file.name or "" if file else "",
            content=file,
            about=request.POST.get("about", ""),
            by=person_of(request),
            at=timezone.now(),
        )
    except Refused as refused:
        return _packages_page(request, campaign, str(refused), status=422)
    messages.success(request, _("The file is there for every team that has accepted the agreement."))
    return redirect("packages", campaign.slug)


def _packages_page(request: HttpRequest, campaign: Campaign, wrong: str = "", status: int = 200) -> HttpResponse:
    downloads = PackageDownload.objects.filter(package__campaign=campaign).select_related("package", "person", "team")
    return render(
        request,
        "organizing/teams/packages.html",
        {
            "campaign": campaign,
            "packages": campaign.packages.filter(removed_at=None).select_related("uploaded_by"),
            "downloads": downloads[:DOWNLOADS_SHOWN],
            "about": request.POST.get("about", ""),
            "wrong": wrong,
            "name_limit": NAME_LIMIT,
            "limit_mb": settings.PACKAGE_LIMIT_BYTES // 1024 // 1024,
            "limit_bytes": settings.PACKAGE_LIMIT_BYTES,
        },
        status=status,
    )


@for_roles(Role.ORGANIZER)
@form_on("packages")
@tells_refusal
def remove(request: HttpRequest, campaign: Campaign, package_id: int) -> HttpResponse:
    package = get_object_or_404(DataPackage, campaign=campaign, pk=package_id)
    remove_package(package=package, by=person_of(request), at=timezone.now())
    messages.success(request, _("%(name)s is removed.") % {"name": package.file_name})
    return redirect("packages", campaign.slug)
