"""The files of a frozen leaderboard, from its page and over the API: its table, the bytes that the digest is of, and the bundle."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

from django.http import Http404
from django.http.response import HttpResponseBase
from django.utils import timezone
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from accounts.access import Access
from api.describing import FileOf, describes
from api.file_views import FileView
from campaigns.models import Campaign
from campaigns.team_names import english_names
from leaderboards.actions import note_export
from leaderboards.board import Board, with_english_names
from leaderboards.explanations import with_statistics
from leaderboards.exports.downloads import Download
from leaderboards.table_files.text_files import csv_pieces
from publication.bundles import pieces_of
from publication.documents import Document, board_in, counts_turns, is_of_runs
from publication.queries import Published, has_bundle, readable_by


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
    return (piece.encode() for piece in csv_of(shown.document, english_names(campaign))), None


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
