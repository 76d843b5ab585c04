"""The records behind a published figure, read from its frozen bundle alone, also over the API; testers and reviewers are not named."""

import json
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from threading import RLock
from typing import Annotated, Any, TypedDict
from zipfile import ZipFile

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from api.answers import From
from api.describing import describes
from api.paging import PAGES, Page, asked_in, page_of
from api.problems import problem_answer
from leaderboards.api import OutcomeAnswer
from leaderboards.records import value_of
from measures.live import COMPLETION, MEAN_TURNS, Record, SubtaskOutcome, record_of
from measures.ranking import RankingKey
from measures.tally import Tally
from publication.bundles import opened
from publication.documents import board_in
from publication.models import Snapshot
from publication.queries import has_bundle, readable_by
from reading.kinds import ANY_TEXT
from serving.stored_files import StorageGone
from verification.archive import BROKEN
from verification.bundle_format import IMPORTED_SCENARIO, RECORDS

log = logging.getLogger("huace.publication")

DIALOGUES, IMPORTED = "dialogues.jsonl", "imported.jsonl"
# What a visitor's click may cost: 15 bots × 210 dialogues × 3 reviewers are 6 MB, read in a quarter of a second.
LIMIT_BYTES = 16 << 20
# All figures and bots of a board are read from one bundle at once.
BUNDLES_KEPT = 2
# One thread reads while the others wait: many clicks at once must not take the processor from live dialogues.
reading_one = RLock()


class NotShown(Exception):
    """The records cannot be listed; as a sentence it says why."""


class TooLarge(NotShown):
    """The bundle is too large to be searched while somebody waits."""

    def __str__(self) -> str:
        return _("The records are too many to be listed here. They are in the bundle, in records.jsonl.")


class Damaged(NotShown):
    """The bundle is gone or cannot be read."""

    def __str__(self) -> str:
        return _("The bundle of this leaderboard cannot be read, so its records cannot be listed.")


@dataclass(frozen=True, slots=True)
class PublishedRecord:
    """One reviewer's account of one dialogue; `bot` is its key in the published document."""

    bot: str
    scenario: str
    dialogue: str
    subtasks: tuple[SubtaskOutcome, ...]
    value: float | None
    weight: Fraction


def published_records(digest: str, figure: str, bot: str = "") -> tuple[PublishedRecord, ...]:
    """The records of that bot, or of all, in the order of the bundle. Errors: `TooLarge`, `Damaged`."""
    return tuple(
        PublishedRecord(of, record.scenario, dialogue, record.subtasks, value_of(record, figure), record.weight)
        for of, dialogue, record in records_in(digest)
        if bot in ("", of)
    )


def records_in(digest: str) -> tuple[tuple[str, str, Record], ...]:
    """Each record with the key of its bot and the id of its dialogue, empty for an imported record. Errors: `TooLarge`, `Damaged`."""
    with reading_one:
        return _read(digest)


def published_tally(snapshot: Snapshot) -> dict[str, Any]:
    """What the figures of the frozen board are drawn from (`measures/tally.py`), by the keys of the document. Errors: `TooLarge`, `Damaged`."""
    with reading_one:
        return _tallied(snapshot.bundle_digest, *board_in(json.loads(snapshot.board)).columns_and_rule())


@lru_cache(maxsize=BUNDLES_KEPT)
def _tallied(digest: str, figures: tuple[str, ...], rule: tuple[RankingKey, ...]) -> dict[str, Any]:
    tally = Tally([figure for figure in figures if figure not in (COMPLETION.name, MEAN_TURNS.name)])
    for bot, dialogue, record in _read(digest):
        # Imported dialogues that name no scenario are one each, as the board has them.
        tally.add(bot, dialogue if record.scenario == IMPORTED_SCENARIO else record.scenario, record, dialogue)
    return tally.to_json(rule)


# A bundle has its digest for a name, so what was read once stays right.
@lru_cache(maxsize=BUNDLES_KEPT)
def _read(digest: str) -> tuple[tuple[str, str, Record], ...]:
    with bundle_opened(digest) as bundle:
        if sum(bundle.getinfo(name).file_size for name in (DIALOGUES, IMPORTED, RECORDS)) > LIMIT_BYTES:
            raise TooLarge
        return tuple(_records(bundle))


@contextmanager
def bundle_opened(digest: str) -> Iterator[ZipFile]:
    """The stored bundle. Errors: `Damaged`, also where it turns out while it is read."""
    try:
        with opened(digest) as file, ZipFile(file) as bundle:
            yield bundle
    except StorageGone:
        # Unknown for now: a 503, not a damaged bundle.
        raise
    except (*BROKEN, KeyError) as broken:
        log.error("The bundle %s cannot be read: %s: %s", digest, type(broken).__name__, broken)
        raise Damaged from broken


def _records(bundle: ZipFile) -> Iterator[tuple[str, str, Record]]:
    """Those of dialogues come first, then the imported ones in the order of their file."""
    bots = {row["dialogue"]: row["bot"] for row in rows_in(bundle, DIALOGUES)}
    imported = [row["bot"] for row in rows_in(bundle, IMPORTED)]
    lines = list(rows_in(bundle, RECORDS))
    n_live = len(lines) - len(imported)
    of_dialogue = [
        (bot, line["scenario"], line.get("dialogue", ""))
        for bot, line in zip([bots[line["dialogue"]] for line in lines[:n_live]] + imported, lines, strict=True)
    ]
    n_sharing = Counter(of_dialogue[n_live:])
    for line, one in zip(lines, of_dialogue, strict=True):
        bot, _, dialogue = one
        yield bot, dialogue, record_of(line, n_sharing[one] or 1)


def rows_in(bundle: ZipFile, name: str) -> Iterator[dict[str, Any]]:
    with bundle.open(name) as file:
        yield from map(json.loads, file)


ASKED = {**PAGES, "bot": ANY_TEXT}


class PublishedRecordAnswer(TypedDict):
    """`bot` is its key in the published document; `dialogue` is empty for an imported record. `weight` is the record's share of its dialogue."""

    bot: str
    dialogue: str
    scenario: str
    subtasks: list[OutcomeAnswer]
    value: float | None
    weight: Annotated[float, From(lambda one: float(one.weight))]


class PublishedRecords(APIView):
    access = Access("published")
    permission_classes = (AllowAny,)

    @describes(
        "Lists the records that a published figure is the mean of: of the bot with the key `bot`, or of all",
        list[PublishedRecordAnswer],
        asks=ASKED,
        refuses=(409,),
    )
    def get(self, request: Request, slug: str, number: int, figure: str) -> Page | Response:
        found = readable_by(request.user, slug, number, timezone.now())
        if found is None or found[1].snapshot.of_board or not has_bundle(found[1].snapshot):
            raise Http404
        board, bot = board_in(found[1].document), asked_in(request, ASKED).get("bot", "")
        if figure not in {key.name for key in board.keys} or (bot and board.row(bot) is None):
            raise Http404
        try:
            records = published_records(found[1].snapshot.bundle_digest, figure, bot)
        except NotShown as reason:
            return problem_answer(409, "not_shown", reason.__str__)
        return page_of(request, records)
