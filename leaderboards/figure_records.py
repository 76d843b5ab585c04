"""The records that a figure of the live board is the mean of: each reviewer's account of each dialogue of a bot."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from campaigns.models import Campaign, Entry
from dialogues.fault_policy import fault_policy_of
from dialogues.models import Dialogue
from leaderboards.models import ImportedRecord
from leaderboards.records import told_by_reviews
from measures.live import COMPLETION, MEAN_TURNS, Record, charged_turns, completion
from measures.record_lines import record_of
from reviews.models import Review


@dataclass(frozen=True, slots=True)
class FigureRecord:
    """One record and its value of the figure, None where its reviewer gave none; `dialogue` is missing where it was imported."""

    record: Record
    value: float | None
    dialogue: UUID | None = None
    part: str = ""


def value_of(record: Record, figure: str) -> float | None:
    if figure == COMPLETION.name:
        return completion(record.subtasks)
    if figure == MEAN_TURNS.name:
        return charged_turns(record.subtasks, record.dialogue_cap)
    return record.ratings.get(figure)


class FigureRecords:
    """What Django's `Paginator` pages through: dialogues, each with all its records, then the imported records.

    A slice reads the records of its own dialogues only.
    """

    def __init__(self, campaign: Campaign, entry: Entry, figure: str) -> None:
        self._campaign, self._figure = campaign, figure
        counted = Review.objects.filter(is_counted=True).values("dialogue")
        dialogues = Dialogue.objects.of_campaign(campaign).reviewable().under(fault_policy_of(campaign))
        self._dialogues = dialogues.filter(assignment__entry=entry, pk__in=counted).order_by("assignment", "opened_at")
        self._imported = ImportedRecord.objects.filter(campaign=campaign, entry=entry).with_shares().order_by("pk")
        self._n_dialogues = self._dialogues.count()

    def __len__(self) -> int:
        return self._n_dialogues + self._imported.count()

    def __getitem__(self, part: slice) -> list[FigureRecord]:
        first, last = part.start, part.stop
        here = list(self._dialogues[first:last].values_list("pk", flat=True))
        rows = self._imported[max(0, first - self._n_dialogues) : max(0, last - self._n_dialogues)]
        return [*self._of(here), *(self._elsewhere(record_of(row.content, row.n_sharing)) for row in rows)]

    def _of(self, dialogues: list[UUID]) -> Iterator[FigureRecord]:
        for review, record, _ in told_by_reviews(self._campaign, Dialogue.objects.filter(pk__in=dialogues)):
            yield FigureRecord(record, value_of(record, self._figure), review.dialogue_id, review.part)

    def _elsewhere(self, record: Record) -> FigureRecord:
        return FigureRecord(record, value_of(record, self._figure))
