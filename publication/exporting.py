"""Files that an organizer downloads, from a page or over the API: tables, the results bundle, gold files."""

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_GET
from rest_framework.request import Request

from accounts.access import Access, person_of
from api.describing import FileOf, describes
from api.file_views import FileView
from campaigns.access import campaign_for, for_roles
from campaigns.interests import Interested, has_interest_in
from campaigns.models import Campaign, Role
from leaderboards.actions import note_export
from leaderboards.exports import EXPORTS
from leaderboards.exports.downloads import Download, table_download
from leaderboards.table_files import FORMATS
from publication.bundle import bundle_pieces
from publication.bundle.streaming import spooled
from reviews.gold_files import NoGold, gold_file

# The bundle with the names of teams, and with aliases in their place.
BUNDLES = {"bundle": False, "bundle-aliases": True}
EXPORTED = (*(one.content_type for one in FORMATS.values()), "application/zip")


def download_of(campaign: Campaign, what: str, format: str, reader: Any) -> Download:
    """An export as a file to download; 404 for what there is not. Errors: `Interested`, but for the leaderboard."""
    is_bundle = what in BUNDLES and format == "zip"
    if not is_bundle and (what not in EXPORTS or format not in FORMATS):
        raise Http404
    if what != "leaderboard" and has_interest_in(campaign, reader):
        raise Interested
    return bundle_of(campaign, what) if is_bundle else table_download(campaign, what, format)


def bundle_of(campaign: Campaign, what: str) -> Download:
    make = partial(bundle_pieces, campaign, hides_teams=BUNDLES[what], at=timezone.now())
    return Download(spooled(make), name=f"{campaign.slug}-{what}.zip", content_type="application/zip")


@for_roles(Role.ORGANIZER)
@require_GET
def download(request: HttpRequest, campaign: Campaign, what: str, format: str) -> HttpResponseBase:
    if what.startswith("gold-") and format == "json":
        answer: HttpResponseBase = _gold(campaign, what.removeprefix("gold-"), request.user)
    else:
        answer = download_of(campaign, what, format, request.user)
    note_export(campaign=campaign, what=what, by=person_of(request), at=timezone.now(), format=format)
    return answer


def _gold(campaign: Campaign, task: str, reader: Any) -> HttpResponse:
    try:
        content = gold_file(campaign, task)
    except NoGold as nothing:
        raise Http404 from nothing
    if has_interest_in(campaign, reader):
        raise Interested
    named = f'attachment; filename="{campaign.slug}-gold-{task}.json"'
    return HttpResponse(content, content_type="application/json", headers={"Content-Disposition": named})


class ExportedFile(FileView):
    """GET streams the file whatever the request accepts: the address names the format."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes("Streams an export as a file", FileOf(EXPORTED), refuses=(409,))
    def get(self, request: Request, slug: str, what: str, format: str) -> HttpResponseBase:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        answer = download_of(campaign, what, format, request.user)
        note_export(campaign=campaign, what=what, by=person_of(request), at=timezone.now(), format=format)
        return answer

    def get_format_suffix(self, **kwargs: Any) -> None:
        """The framework would look for a renderer of that name."""
