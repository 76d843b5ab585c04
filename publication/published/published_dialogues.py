"""The dialogues of a published leaderboard as anybody reads them, from its frozen bundle alone: texts as they were frozen, nobody named."""

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

from dialogues.models import Turn
from dialogues.pictures import names_in
from leaderboards.records import value_of
from measures.live import Record, mean
from publication.models import Snapshot
from publication.published.published_records import (
    BUNDLES_KEPT,
    DIALOGUES,
    NotShown,
    TooLarge,
    bundle_opened,
    reading_one,
    records_in,
    rows_in,
)
from publication.queries import has_bundle
from rubrics.bilingual import in_readers_language

TURNS, SCENARIOS = "turns.jsonl", "scenarios.jsonl"
# Lines of other dialogues are passed over unread: 40,000 turns are searched in a tenth of a second.
TURNS_LIMIT_BYTES = 64 << 20
# What stands in the database in place of a text, and of a name, that was removed since (docs/privacy.md).
REMOVED = re.compile(r"\[erased |erased-\d")


@dataclass(frozen=True, slots=True)
class ReadableDialogue:
    """A dialogue that counts; `bot` is its key in the published document.

    `number` is its place among the dialogues of the bundle. Pages are addressed by it: with the id, which a tester knows from the
    console and a team from its own dialogues, they would tell who is behind an alias.
    """

    number: int
    id: str
    bot: str
    scenario: str
    n_turns: int
    is_complete: bool
    records: tuple[Record, ...]
    is_of_program: bool = False

    def figure(self, name: str) -> float | None:
        """The mean over its records."""
        return mean(value_of(record, name) for record in self.records)


@dataclass(frozen=True, slots=True)
class ReadableTurn:
    """What was said and answered; `is_removed`: a text of it was taken off the platform since the freeze, so none is shown."""

    number: int
    text: str
    replies: tuple[str, ...]
    is_removed: bool


@dataclass(frozen=True, slots=True)
class ReadableScenario:
    """What a tester was given, as the bundle has it."""

    key: str
    told: Mapping[str, Any]

    @property
    def title(self) -> str:
        return in_readers_language(self.told["title"]["zh"], self.told["title"]["en"]) or self.key

    @property
    def opening(self) -> str:
        return in_readers_language(self.told["opening"] or "", self.told["opening_en"] or "")

    @property
    def instructions(self) -> str:
        return in_readers_language(self.told["instructions"]["zh"], self.told["instructions"]["en"])


@dataclass(frozen=True, slots=True)
class Readable:
    """All that a bundle has to read, but for the turns."""

    dialogues: tuple[ReadableDialogue, ...]
    scenarios: Mapping[str, ReadableScenario]

    def dialogue(self, number: int) -> ReadableDialogue | None:
        return next((one for one in self.dialogues if one.number == number), None)

    def scenario(self, key: str) -> ReadableScenario:
        """An imported dialogue may name a scenario that nobody described."""
        nothing = {"title": {"zh": "", "en": ""}, "opening": "", "opening_en": "", "instructions": {"zh": "", "en": ""}}
        return self.scenarios.get(key) or ReadableScenario(key, nothing)


def readable_in(digest: str) -> Readable:
    """Errors: `TooLarge`, `Damaged`."""
    with reading_one:
        return _readable(digest)


# A bundle has its digest for a name, so what was read once stays right.
@lru_cache(maxsize=BUNDLES_KEPT)
def _readable(digest: str) -> Readable:
    of_dialogue: dict[str, list[Record]] = defaultdict(list)
    for _bot, dialogue, record in records_in(digest):
        of_dialogue[dialogue].append(record)
    with bundle_opened(digest) as bundle:
        dialogues = tuple(
            ReadableDialogue(
                number,
                row["dialogue"],
                row["bot"],
                row["scenario"],
                row["turns_used"],
                row["status"] == "completed",
                tuple(of_dialogue[row["dialogue"]]),
                row.get("tester_kind") == "program",
            )
            for number, row in enumerate(rows_in(bundle, DIALOGUES), start=1)
            if row["dialogue"] in of_dialogue
        )
        scenarios = {row["scenario"]: ReadableScenario(row["scenario"], row) for row in rows_in(bundle, SCENARIOS)}
    return Readable(dialogues, scenarios)


def turns_of(digest: str, dialogues: Sequence[str]) -> dict[str, list[ReadableTurn]]:
    """The turns of those dialogues of the bundle. Errors: `TooLarge`, `Damaged`."""
    begins = tuple(f'{{"dialogue":{json.dumps(one)},'.encode() for one in dialogues)
    with reading_one, bundle_opened(digest) as bundle:
        if bundle.getinfo(TURNS).file_size > TURNS_LIMIT_BYTES:
            raise TooLarge
        with bundle.open(TURNS) as lines:
            rows = [json.loads(line) for line in lines if line.replace(b" ", b"", 1).startswith(begins)]
    gone = removed_since(dialogues)
    found: dict[str, list[ReadableTurn]] = {one: [] for one in dialogues}
    for row in rows:
        is_removed = (row["dialogue"], row["turn"]) in gone
        text, replies = ("", ()) if is_removed else (row["text"], tuple(row["reply"] or ()))
        found[row["dialogue"]].append(ReadableTurn(row["turn"], text, replies, is_removed))
    return found


def dialogue_of_picture(snapshot: Snapshot, number: int, name: str) -> UUID | None:
    """The id of the dialogue of that number in the bundle, if its page shows the picture of that name.

    A leaderboard that names no teams shows none: unlike words, what is in a picture is not masked.
    """
    if snapshot.hides_teams or snapshot.of_board or not has_bundle(snapshot):
        return None
    try:
        one = readable_in(snapshot.bundle_digest).dialogue(number)
    except NotShown:
        return None
    if one is None:
        return None
    gone, turns = removed_since([one.id]), Turn.objects.filter(dialogue=UUID(one.id)).values_list("number", "texts")
    shown = (name in names_in(texts) for turn, texts in turns if (one.id, turn) not in gone)
    return UUID(one.id) if any(shown) else None


def removed_since(dialogues: Sequence[str]) -> set[tuple[str, int]]:
    """The turns of which a text or a name was removed from the platform: whatever a frozen file says, no page shows it again."""
    stored = Turn.objects.filter(dialogue__in=map(UUID, dialogues)).values_list(
        "dialogue_id", "number", "text", "texts"
    )
    return {(str(dialogue), number) for dialogue, number, *texts in stored if REMOVED.search(json.dumps(texts))}
