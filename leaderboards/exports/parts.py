"""What all exports share: a campaign read part by part, and what says which dialogue a row is of.

Rows are read a few hundred dialogues at a time by an index, so that a million turns need neither memory nor a global sort,
and no cursor stays open while somebody downloads. They come in the order of the assignments; a dialogue's rows stand
together. Times are UTC in ISO 8601; ids are stable.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain, repeat
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import QuerySet
from django.utils.functional import Promise

from campaigns.models import Assignment, Campaign
from dialogues.models import Dialogue, DialogueQuerySet
from leaderboards.table_files.column_kinds import TEXT, WHOLE, Columns
from leaderboards.table_files.text_files import Block, blocks_of
from leaderboards.table_files.text_files import rows_of as rows_of_blocks

Row = tuple[Any, ...]
Rows = Iterator[Row]
T = TypeVar("T")

ASSIGNMENTS_AT_ONCE = 200
PLACE: Columns = {"dialogue": TEXT, "tester": TEXT, "bot": TEXT, "scenario": TEXT, "repetition": WHOLE}
# The dialogues as `parts` has them, so that the rows of one stand together.
IN_ORDER = ("dialogue__assignment_id", "dialogue__opened_at", "dialogue_id")


class Export:
    """What can be exported: its name in addresses, its title on pages, its columns, and its rows in their order."""

    def __init__(
        self,
        name: str,
        title: Promise,
        columns: Columns | Callable[[Campaign], Columns],
        *,
        rows: Callable[[Campaign], Rows] | None = None,
        blocks: Callable[[Campaign], Iterator[Block]] | None = None,
        objects: Callable[[Campaign], Iterator[dict[str, Any]]] | None = None,
    ) -> None:
        """Either `rows`, or the same as `blocks` of columns where that is faster.

        `objects` is what JSON Lines hold, where that is not each row by its columns.
        """
        self.name, self.title, self.objects = name, title, objects
        self._columns, self._rows, self._blocks = columns, rows, blocks

    def columns(self, campaign: Campaign) -> Columns:
        return self._columns(campaign) if callable(self._columns) else self._columns

    def rows(self, campaign: Campaign) -> Rows:
        return self._rows(campaign) if self._rows else rows_of_blocks(self.blocks(campaign))

    def blocks(self, campaign: Campaign) -> Iterator[Block]:
        return self._blocks(campaign) if self._blocks else blocks_of(self.rows(campaign))


def parts(campaign: Campaign) -> Iterator[DialogueQuerySet]:
    """The dialogues of some assignments after the other; without those that programs had beside the plan."""
    return _parts(campaign.assignments.all(), Dialogue.objects.all())


def parts_of_programs(campaign: Campaign) -> Iterator[DialogueQuerySet]:
    """Those that programs had beside the plan, without rehearsals by script: they say nothing of a system but that it answers."""
    apart = campaign.assignments(manager="with_programs").filter(is_apart=True, is_rehearsal=False)
    return _parts(apart, Dialogue.with_programs.all())


def _parts(assignments: QuerySet[Assignment], dialogues: DialogueQuerySet) -> Iterator[DialogueQuerySet]:
    pks = list(assignments.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(pks), ASSIGNMENTS_AT_ONCE):
        part = dialogues.filter(assignment__in=pks[start : start + ASSIGNMENTS_AT_ONCE])
        yield part.order_by("assignment_id", "opened_at", "pk")


def places_of(dialogues: DialogueQuerySet) -> dict[UUID, Row]:
    """What says in every export which dialogue a row is of."""
    told = dialogues.values_list(
        "pk", "tester__username", "assignment__entry__key", "assignment__scenario__key", "assignment__repetition"
    )
    return {pk: (str(pk), *place) for pk, *place in told}


def placed(places: Mapping[UUID, Row], counts: Iterable[int], columns: Sequence[Sequence[Any]]) -> Iterator[Block]:
    """A block of the columns, of which so many rows are of each dialogue, behind what says so; none where there is no row."""
    counts = list(counts)
    if any(counts):
        told = zip(*places.values(), strict=True)
        yield [*(list(chain.from_iterable(map(repeat, column, counts))) for column in told), *columns]


def grouped(rows: Iterable[T], key: Callable[[T], Any]) -> dict[Any, list[T]]:
    groups = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return groups


def iso(at: datetime | None) -> str | None:
    return at.isoformat() if at is not None else None
