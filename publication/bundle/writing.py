"""Writes a bundle: every file from one state of the database, the manifest of their hashes last."""

import hmac
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from itertools import chain
from typing import Any

from django.conf import settings
from django.db.models import Count, Sum

from audit.models import trail_as_it_stands
from campaigns.models import Campaign
from dialogues.masking import masker_of
from dialogues.models import Dialogue
from dialogues.queries import masked_words
from leaderboards.computations import one_state_of_the_database
from measures.samples import ReportProgress
from pairs.board.rows import has_votes
from publication.bundle.documents import StatisticsOf, board_document_of, campaign_document, stored_statistics
from publication.bundle.names import Aliases, BotName, Names, TeamNames, numbered
from publication.bundle.pairs import pair_members
from publication.bundle.plan import PlanTold, tells_seed, told_assignments
from publication.bundle.readme import README_OF_RUNS, README_TEXT
from publication.bundle.rows import people_in, texts_of, texts_of_rows
from publication.bundle.streaming import Member, zip_pieces
from reviews.models import Review
from serving.versions import product_version
from verification.bundle_format import (
    ASSIGNMENTS,
    CAMPAIGN,
    COLUMNS,
    COMBINED,
    FORMAT,
    FORMAT_OF_COMBINED,
    FORMAT_OF_RUNS,
    LEADERBOARD,
    MANIFEST,
    OF_PAIRS,
    PLAN,
    README,
    RECORDS,
    RUNS,
    STATISTICS,
    as_document,
    as_line,
)

Object = dict[str, Any]
Chunks = list[tuple[bytes, int | None]]


@dataclass(frozen=True, slots=True)
class CombinedFiles:
    """The figures of runs that the board uses, one line per team and part, and the board (`verification/combined.py`).

    For a board without people's figures these are the whole bundle: it holds nothing that testers said.
    """

    runs: Sequence[Object]
    board: Object
    has_people: bool


# Called while the bundle is written, so that all of it comes from one state of the database.
Combined = Callable[[], CombinedFiles]


def combined_members(files: CombinedFiles) -> Iterator[tuple[str, Chunks]]:
    """Each file with its content and how many rows it has, where it has any. There are as many rows as teams: they are written whole."""
    yield RUNS, [("".join(map(as_line, files.runs)).encode(), len(files.runs))]
    yield COMBINED, [(as_document(files.board), None)]


Chunk = tuple[bytes, int | None]


class RowsWritten:
    """Reports the share of a bundle's rows that went by."""

    def __init__(self, campaign: Campaign, report_progress: ReportProgress) -> None:
        self._report_progress = report_progress
        self._n_expected = max(1, expected_rows(campaign))
        self._n_written = 0

    def counted(self, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        for chunk, n_rows in chunks:
            yield chunk, n_rows
            # Documents are no rows: among the last ones statistics may be drawn, which tell their own progress.
            if n_rows is not None:
                self._n_written += n_rows
                self._report_progress(min(1.0, self._n_written / self._n_expected))


def expected_rows(campaign: Campaign) -> int:
    """About as many rows as a bundle has, from the small tables: counting all turns and lines would take long itself."""
    told: dict[str, Any] = Dialogue.objects.of_campaign(campaign).aggregate(
        dialogues=Count("pk"), turns=Sum("turns_used"), events=Sum("last_seq")
    )
    n_reviews = Review.objects.filter(dialogue__assignment__campaign=campaign).count()
    # A review is in the files of reviews, changes and records, and has a rating per criterion.
    rows_per_review = 3 + campaign.rubric.criteria.count()
    of_talks = (
        told["dialogues"]
        + told_assignments(campaign, is_seed_told=tells_seed(campaign)).count()
        + 2 * (told["turns"] or 0)
        + (told["events"] or 0)
    )
    return int(of_talks + n_reviews * rows_per_review + 2 * campaign.imported_records.count())


def bundle_pieces(
    campaign: Campaign,
    *,
    hides_teams: bool,
    at: datetime,
    statistics_of: StatisticsOf = stored_statistics,
    report_progress: ReportProgress | None = None,
    combined: Combined | None = None,
) -> Generator[bytes, None, None]:
    """The bundle piece by piece. The same data and `at` give the same bytes. Progress is that of the rows.

    Memory is constant but for the plan, which is drawn as a whole (`PlanTold`). The state of the database is held until the last piece is read.
    `statistics_of` gives the statistics: a freeze has them drawn. `combined` gives what a combined board adds, or, where
    no person's scores are on it, all there is.
    """
    with one_state_of_the_database():
        campaign = Campaign.objects.select_related("rubric").get(pk=campaign.pk)
        names = names_of(campaign, hides_teams=hides_teams, at=at)
        yield from zip_pieces(_members(campaign, names, at, statistics_of, report_progress, combined))


def names_of(campaign: Campaign, *, hides_teams: bool, at: datetime) -> Names:
    """What the bundle of that campaign, kind and time calls everybody and everything."""
    entries = list(campaign.entries.select_related("bot__team"))
    told = (campaign.slug, "aliases" if hides_teams else "teams", at.isoformat())
    key = hmac.digest(f"people of a bundle {settings.SECRET_KEY}".encode(), "\n".join(told).encode(), sha256)
    people = numbered(people_in(campaign), key)
    if hides_teams:
        return Aliases({one.key: one.alias for one in entries}, people, masker_of(masked_words(campaign)))
    return TeamNames({one.key: BotName(one.key, one.bot.team.name, one.bot.name) for one in entries}, people)


@dataclass(slots=True)
class _Listed:
    """One file as the manifest lists it; complete once its chunks were read."""

    name: str
    n_bytes: int = 0
    n_rows: int | None = None
    digest: str = ""

    def noted(self, chunks: Iterable[tuple[bytes, int | None]]) -> Iterator[bytes]:
        hashing = sha256()
        for chunk, n_rows in chunks:
            hashing.update(chunk)
            self.n_bytes += len(chunk)
            if n_rows is not None:
                self.n_rows = (self.n_rows or 0) + n_rows
            yield chunk
        self.digest = hashing.hexdigest()

    def as_json(self) -> dict[str, Any]:
        told = {"name": self.name, "sha256": self.digest, "bytes": self.n_bytes}
        return told if self.n_rows is None else told | {"rows": self.n_rows}


def _members(
    campaign: Campaign,
    names: Names,
    at: datetime,
    statistics_of: StatisticsOf,
    report_progress: ReportProgress | None,
    combined: Combined | None,
) -> Iterator[Member]:
    listed: list[_Listed] = []
    written = RowsWritten(campaign, report_progress) if report_progress else None
    more = combined() if combined else None
    has_people = more is None or more.has_people
    contents = (
        _contents(campaign, names, statistics_of) if has_people else [(README, [(README_OF_RUNS.encode(), None)])]
    )
    of_pairs = has_people and has_votes(campaign)
    pairs = pair_members(campaign, names) if of_pairs else ()
    for name, chunks in chain(contents, combined_members(more) if more else (), pairs):
        listed.append(_Listed(name))
        yield name, listed[-1].noted(written.counted(chunks) if written else chunks)
    files = [one.as_json() for one in sorted(listed, key=lambda one: one.name)]
    head = {
        "format": (FORMAT if more is None else FORMAT_OF_COMBINED if has_people else FORMAT_OF_RUNS)
        + (OF_PAIRS if of_pairs else ""),
        "product": {"name": "huace", "version": product_version()},
        "campaign": campaign.slug,
        "names": "aliases" if names.hides_teams else "teams",
        "made_at": at.astimezone(UTC).isoformat(timespec="seconds"),
        "trail": _head_of_trail(),
    }
    yield MANIFEST, [as_document(head | {"files": files})]


def _head_of_trail() -> dict[str, Any]:
    """Where the platform's trail ends: a published bundle shows whether any line up to that one was changed since."""
    head, _ = trail_as_it_stands()
    return {"n_lines": head.n_lines, "head": head.hash}


def _contents(
    campaign: Campaign, names: Names, statistics_of: StatisticsOf
) -> Iterator[tuple[str, Iterable[tuple[bytes, int | None]]]]:
    yield README, [(README_TEXT.encode(), None)]
    yield CAMPAIGN, [(as_document(campaign_document(campaign, names)), None)]
    plan = PlanTold(campaign, names)
    for file in COLUMNS:
        is_of_plan = file == ASSIGNMENTS
        yield file, _lines(texts_of_rows(plan.assignments()) if is_of_plan else texts_of(file, campaign, names))
    yield PLAN, [(as_document(plan.document()), None)]
    yield RECORDS, _lines(texts_of(RECORDS, campaign, names))
    yield LEADERBOARD, [(as_document(board_document_of(campaign, names)), None)]
    # Last: scenarios that are masked have their numbers by now, as dialogues and records named them.
    yield STATISTICS, [(as_document({"statistics": statistics_of(campaign, names)}), None)]


def _lines(texts: Iterable[tuple[str, int]]) -> Iterator[tuple[bytes, int | None]]:
    # A file without rows has none, which is not the same as no count of them.
    yield b"", 0
    for text, n_rows in texts:
        yield text.encode(), n_rows
