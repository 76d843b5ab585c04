"""What the figures are means of, as lines of a record file: `import_records` makes the same board of them."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.db.models import Count
from django.utils.translation import gettext_lazy as _

from campaigns.campaign_file.campaign_settings import IMPORTED_SCENARIO
from campaigns.models import Campaign
from dialogues.models import Dialogue
from leaderboards.exports.parts import Export, Rows, parts
from leaderboards.live_sums import alone_as
from leaderboards.models import ImportedRecord
from leaderboards.records import counted_lines
from leaderboards.table_files.column_kinds import FLAG, IRREGULAR, NUMBER, TEXT, WHOLE, Columns, ListOf, Table
from measures.live import record_of

IMPORTED_AT_ONCE = 1_000
RENAMED_AT_ONCE = 500

SUBTASK = Table({"kind": TEXT, "completed": FLAG, "turns": WHOLE, "cap": WHOLE})
RECORD: Columns = {
    "team": TEXT, "bot": TEXT, "scenario": TEXT, "reviewer": TEXT, "dialogue": TEXT, "subtasks": ListOf(SUBTASK),
    "ratings": IRREGULAR, "dialogue_cap": WHOLE, "others": IRREGULAR, "weight": NUMBER, "team_en": TEXT,
}  # fmt: skip
KNOWN = [name for name in RECORD if name not in ("others", "weight", "team_en")]


def records(campaign: Campaign) -> Rows:
    """`others` holds what else stands in an imported line; JSON Lines have it beside the rest, as it came."""
    for _entry, content, weight in weighed_lines(campaign):
        others = {key: value for key, value in content.items() if key not in RECORD}
        yield (*(content.get(name) for name in KNOWN), others, weight, content.get("team_en", ""))


def record_objects(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """One line per review that counts, then the imported lines as they came."""
    return (line for _entry, line, _weight in weighed_lines(campaign))


def weighed_lines(campaign: Campaign) -> Iterator[tuple[str, dict[str, Any], float]]:
    """The same lines with the keys of their entries and their weights, which imported lines may leave out."""
    english = campaign.english_team_names()
    for entry, line in _each_its_scenario(live_lines(campaign)):
        named = {"team_en": english[line["team"]]} if line["team"] in english else {}
        yield entry, line | named, line["weight"]
    of_dialogue = "entry__key", "scenario", "dialogue"
    stored = ImportedRecord.objects.filter(campaign=campaign).order_by().values_list(*of_dialogue)
    n_sharing = {tuple(of): n for *of, n in stored.annotate(n=Count("pk"))}
    for entry, line in imported_lines(campaign):
        record = record_of(line, n_sharing[entry, line["scenario"], line.get("dialogue", "")])
        yield entry, line, float(record.weight)


def _each_its_scenario(lines: Iterator[tuple[str, dict[str, Any]]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Dialogues that name no scenario are one each, as the board has them; under one name, who imports them would draw them as one."""
    while some := list(islice(lines, RENAMED_AT_ONCE)):
        alone = [line["dialogue"] for _entry, line in some if line["scenario"] == IMPORTED_SCENARIO]
        told = Dialogue.objects.filter(pk__in=alone).values_list("pk", "assignment_id") if alone else ()
        names = {str(dialogue): alone_as(assignment) for dialogue, assignment in told}
        for entry, line in some:
            yield entry, line | {"scenario": names.get(line["dialogue"], line["scenario"])}


def live_lines(campaign: Campaign) -> Iterator[tuple[str, dict[str, Any]]]:
    """The key of the entry, and the line of each review that counts, in the order of the exported reviews."""
    for part in parts(campaign):
        yield from ((line.entry, line.content) for line in counted_lines(campaign, part))


def imported_lines(campaign: Campaign) -> Iterator[tuple[str, dict[str, Any]]]:
    """The key of the entry, and each imported line as it came."""
    last = 0
    wanted = ImportedRecord.objects.filter(campaign=campaign).order_by("pk").values_list("pk", "entry__key", "content")
    while some := list(wanted.filter(pk__gt=last)[:IMPORTED_AT_ONCE]):
        for last, entry, content in some:  # noqa: B007
            yield entry, content


RECORDS = Export("records", _("Records"), RECORD, rows=records, objects=record_objects)
