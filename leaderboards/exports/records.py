"""What the figures are means of, as lines of a record file: `import_records` makes the same board of them."""

from collections.abc import Iterable, Iterator
from typing import Any

from campaigns.models import Campaign
from leaderboards.column_kinds import FLAG, IRREGULAR, TEXT, WHOLE, Columns, ListOf, Table
from leaderboards.exports.parts import Rows, parts
from leaderboards.models import ImportedRecord
from leaderboards.records import told_by_reviews
from measures.live import Record
from reviews.models import Rating

IMPORTED_AT_ONCE = 1_000

SUBTASK = Table({"kind": TEXT, "completed": FLAG, "turns": WHOLE, "cap": WHOLE})
RECORD: Columns = {
    "team": TEXT, "bot": TEXT, "scenario": TEXT, "reviewer": TEXT, "dialogue": TEXT, "subtasks": ListOf(SUBTASK),
    "ratings": IRREGULAR, "dialogue_cap": WHOLE, "others": IRREGULAR,
}  # fmt: skip
KNOWN = [name for name in RECORD if name != "others"]


def records(campaign: Campaign) -> Rows:
    """`others` holds what else stands in an imported line; JSON Lines have it beside the rest, as it came."""
    for content in record_objects(campaign):
        others = {key: value for key, value in content.items() if key not in KNOWN}
        yield (*(content.get(name) for name in KNOWN), others)


def record_objects(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """One line per review that counts, then the imported lines as they came."""
    for _, line in live_lines(campaign):
        yield line
    for _, line in imported_lines(campaign):
        yield line


def live_lines(campaign: Campaign) -> Iterator[tuple[str, dict[str, Any]]]:
    """The key of the entry, and the line of each review that counts, in the order of the exported reviews."""
    for part in parts(campaign):
        for review, record, ratings in told_by_reviews(campaign, part):
            yield review.dialogue.assignment.entry.key, _line(record, str(review.dialogue_id), ratings)


def _line(record: Record, dialogue: str, ratings: Iterable[Rating]) -> dict[str, Any]:
    names = {"team": record.team, "bot": record.bot, "scenario": record.scenario, "reviewer": record.reviewer}
    subtasks = [
        {"kind": subtask.kind, "completed": subtask.is_finished, "turns": subtask.turns, "cap": subtask.cap}
        for subtask in record.subtasks
    ]
    cap = {} if record.dialogue_cap is None else {"dialogue_cap": record.dialogue_cap}
    return names | {"dialogue": dialogue, "subtasks": subtasks, "ratings": _ratings(ratings)} | cap


def _ratings(ratings: Iterable[Rating]) -> dict[str, Any]:
    """One score per criterion, or its scores by place: a mean of them would be on no scale."""
    scores: dict[str, Any] = {}
    for rating in ratings:
        if rating.place:
            scores.setdefault(rating.criterion.key, {})[rating.place] = rating.score
        else:
            scores[rating.criterion.key] = rating.score
    return scores


def imported_lines(campaign: Campaign) -> Iterator[tuple[str, dict[str, Any]]]:
    """The key of the entry, and each imported line as it came."""
    last = 0
    wanted = ImportedRecord.objects.filter(campaign=campaign).order_by("pk").values_list("pk", "entry__key", "content")
    while some := list(wanted.filter(pk__gt=last)[:IMPORTED_AT_ONCE]):
        for last, entry, content in some:  # noqa: B007
            yield entry, content
