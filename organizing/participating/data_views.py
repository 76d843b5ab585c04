"""What a team accepts and gets: the agreement, and data packages."""

from collections.abc import Iterator

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.access import person_of
from accounts.form_routes import form_on, tells_refusal
from campaigns.access import for_roles, has_role, team_of
from campaigns.models import Campaign, Role
from leaderboards.exports.downloads import Download
from reading.digits import whole_or_none
from registration.actions import accept_agreement, download_package
from registration.models import DataPackage
from serving.refused import Refused


@for_roles(Role.PARTICIPANT)
@form_on("team")
@tells_refusal
def accept(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    team, version = team_of(person_of(request), campaign), request.POST.get("version", "")
    if team is None:
        raise Http404
    number = whole_or_none(version) or 0
    accept_agreement(campaign=campaign, team=team, person=person_of(request), version=number, at=timezone.now())
    messages.success(request, _("The agreement is accepted for %(team)s.") % {"team": team.called})
    return redirect("team", campaign.slug)


@for_roles(Role.PARTICIPANT, Role.ORGANIZER)
@require_GET
def package_file(request: HttpRequest, campaign: Campaign, package_id: int) -> HttpResponseBase:
    """The file, once the download is on record. A team that has to accept the agreement first is told so on its page."""
    package = get_object_or_404(DataPackage, campaign=campaign, pk=package_id)
    try:
        content = content_for(request, campaign, package)
    except Refused as refused:
        if refused.code != "not_agreed":
            raise Http404 from refused
        messages.error(request, str(refused))
        return redirect("team", campaign.slug)
    return as_file(package, content)


def content_for(request: HttpRequest, campaign: Campaign, package: DataPackage) -> Iterator[bytes]:
    """Errors: `NotPossible`; `Http404` for a participant without a team."""
    person = person_of(request)
    is_organizer = has_role(person, campaign, Role.ORGANIZER)
    team = None if is_organizer else team_of(person, campaign)
    if team is None and not is_organizer:
        raise Http404
    return download_package(package=package, person=person, team=team, at=timezone.now())


def as_file(package: DataPackage, pieces: Iterator[bytes]) -> Download:
    """Django writes the name so that no header can break; nothing is shown in the browser itself."""
    answer = Download(pieces, name="", content_type="application/octet-stream")
    answer["Content-Disposition"] = content_disposition_header(True, package.file_name)
    answer["Content-Length"] = str(package.size)
    return answer
