"""How much of a bundle is written: rows that are, against how many there are about."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Sum

from campaigns.models import Campaign
from dialogues.models import Dialogue
from publication.bundle.campaign_document import tells_seed
from publication.bundle.plan_document import told_assignments
from reviews.models import Review

if TYPE_CHECKING:
    from measures.samples import ReportProgress

Chunk = tuple[bytes, int | None]


class RowsWritten:
    """Reports the share of a bundle's rows that went by."""

    def __init__(self, campaign: Campaign, report_progress: "ReportProgress") -> None:
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
