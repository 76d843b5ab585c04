"""REST: the files of a frozen leaderboard, for whoever may read it."""

from typing import Any, ClassVar

from django.http import Http404
from django.http.response import HttpResponseBase
from django.utils import timezone
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from accounts.access import Access
from api.describing import FileOf, describes
from api.file_views import FileView
from publication.queries import readable_by
from publication.snapshot_files import BUNDLE, CSV, JSON, snapshot_file


class PublishedFile(FileView):
    access = Access("published")
    permission_classes = (AllowAny,)
    what: ClassVar[str]

    def file(self, request: Request, slug: str, number: int) -> HttpResponseBase:
        at = timezone.now()
        found = readable_by(request.user, slug, number, at)
        if found is None:
            raise Http404
        return snapshot_file(found, self.what, reader=request.user, at=at, is_taken=request.method == "GET")


class PublishedTable(PublishedFile):
    what = CSV

    @describes("Downloads a frozen leaderboard as a table", FileOf(("text/csv",)))
    def get(self, request: Request, slug: str, number: int) -> HttpResponseBase:
        return self.file(request, slug, number)


class PublishedDocument(PublishedFile):
    what = JSON

    @describes("Downloads a frozen leaderboard: the very bytes that its digest is of", dict[str, Any])
    def get(self, request: Request, slug: str, number: int) -> HttpResponseBase:
        return self.file(request, slug, number)


class PublishedBundle(PublishedFile):
    what = BUNDLE

    @describes("Downloads the bundle from which anybody recomputes a leaderboard", FileOf(("application/zip",)))
    def get(self, request: Request, slug: str, number: int) -> HttpResponseBase:
        return self.file(request, slug, number)
