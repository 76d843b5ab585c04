"""Files to download, from pages and over the API: an organizer's tables, results bundle and gold files; of a frozen leaderboard its table, the
bytes that the digest is of, and its bundle.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, ClassVar

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_GET
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from accounts.access import Access, person_of
from api.describing import FileOf, describes
from api.file_views import FileView
from campaigns.access import campaign_for, for_roles
from campaigns.interests import Interested, has_interest_in
from campaigns.models import Campaign, Role
from leaderboards.actions import note_export
from leaderboards.board import Board, with_english_names
from leaderboards.explanations import with_statistics
from leaderboards.exports import EXPORTS
from leaderboards.exports.downloads import Download, table_download
from leaderboards.table_files import FORMATS
from leaderboards.table_files.text_files import csv_pieces
from publication.bundle import bundle_pieces
from publication.bundle.streaming import spooled
from publication.bundles import pieces_of
from publication.documents import Document, board_in, counts_turns, is_of_runs
from publication.queries import Published, has_bundle, readable_by
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


def file_name(document: Document, what: str) -> str:
    """Named by campaign and number alone."""
    return f"{document['campaign']}-{document['number']}-{what}"


def csv_of(document: Document, english: Mapping[str, str]) -> Iterator[str]:
    """The table with unrounded figures, and the ends of their intervals where there are any; `english` names teams by their names."""
    board = with_english_names(with_statistics(board_in(document), document["statistics"]), english)
    columns = _columns(document, board)
    return csv_pieces(columns, [_row(columns, row, document) for row in (*board.rows, *board.unranked)])


def _columns(document: Document, board: Board) -> list[str]:
    # Rows of a combined board are teams.
    bots = ["run"] if is_of_runs(document) else [] if "combined" in document else ["bot"]
    teams = ["team"] if document["names"] == "teams" else []
    figures = [key.name for key in board.keys]
    intervals = [f"{name}_{end}" for name in figures for end in ("low", "high")] if document["statistics"] else []
    ranks = ["rank_low", "rank_high"] if document["statistics"] else []
    unit = ["turns_are"] if counts_turns(document) else []
    in_english = ["team_en"] if teams else []
    counts = ["n_failed", "n_turns", "reason"]
    return ["rank", *teams, *bots, "n_records", *figures, *intervals, *ranks, *counts, *unit, *in_english]


def _row(columns: Sequence[str], row: Any, document: Document) -> list[Any]:
    values = {"rank": row.rank, "team": row.team, "bot": row.name, "run": row.name, "n_records": row.n, **row.figures}
    values["team_en"] = row.team_en
    for name, (low, high) in row.intervals.items():
        values |= {f"{name}_low": low, f"{name}_high": high}
    values["rank_low"], values["rank_high"] = row.rank_interval or (None, None)
    values |= {"n_failed": row.n_failed, "n_turns": None if row.n_failed is None else row.n_turns}
    values["reason"] = row.reason.value if row.reason else ""
    values["turns_are"] = document.get("turns_are")
    return [values.get(column) for column in columns]


CSV, JSON, BUNDLE = "leaderboard.csv", "leaderboard.json", "bundle.zip"
CONTENT_TYPES = {CSV: "text/csv; charset=utf-8", JSON: "application/json", BUNDLE: "application/zip"}


def snapshot_file(
    found: tuple[Campaign, Published], what: str, *, reader: Any, at: datetime, is_taken: bool
) -> Download:
    """The file for somebody who may read the snapshot. `is_taken` is false where the head alone is asked for.

    Errors: `Http404` where the snapshot has no bundle.
    """
    document, stored = found[1].document, found[1].snapshot
    if what == BUNDLE and not has_bundle(stored):
        raise Http404
    pieces, n_bytes = _content(*found, what)
    if is_taken:
        _note(found, what, reader, at)
    answer = Download(pieces, name=file_name(document, what), content_type=CONTENT_TYPES[what])
    if n_bytes is not None:
        answer["Content-Length"] = str(n_bytes)
    return answer


def _content(campaign: Campaign, shown: Published, what: str) -> tuple[Iterator[bytes], int | None]:
    """The bytes, and how many they are where that is known before."""
    if what == BUNDLE:
        return pieces_of(shown.snapshot.bundle_digest), shown.snapshot.bundle_bytes
    if what == JSON:
        content = shown.snapshot.board.encode()
        return iter([content]), len(content)
    return (piece.encode() for piece in csv_of(shown.document, campaign.english_team_names())), None


def _note(found: tuple[Campaign, Published], what: str, reader: Any, at: datetime) -> None:
    """What everybody may read leaves no line: visitors are not followed, and the trail does not grow by their clicks."""
    campaign, shown = found
    if shown.publication is None or shown.publication.opens_at > at:
        name, format = what.split(".")
        number = shown.snapshot.number
        note_export(campaign=campaign, what=name, by=reader, at=at, format=format, snapshot=number)


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
