"""Brings a file of finished dialogues or of records into a campaign: the same for pages and the API."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop

from accounts.models import Person
from campaigns.models import Campaign
from dialogues.actions import import_dialogues
from dialogues.dialogue_files import FORMATS
from leaderboards.actions import import_records
from leaderboards.record_files import read_record_lines
from participants.limits import NAME_LIMIT
from reading.checking import BadForm, Problems
from reading.findings import Finding
from reading.kinds import Choice, Kind, Text
from reading.tables import Field, Table

# All of a request is one transaction, and SQLite has one writer: so many dialogues or records hold it for about half a second.
MOST_DIALOGUES = 200
MOST_RECORDS = 5_000
NAME = Text(NAME_LIMIT, may_be_empty=True)
ASKED: Mapping[str, Kind] = {"format": Choice(sorted(FORMATS)), "bot": NAME, "team": NAME}
ASKED_TABLE = Table({name: Field(kind, "huace" if name == "format" else "") for name, kind in ASKED.items()})
TOO_MANY_DIALOGUES = gettext_noop("The file holds %(n)s dialogues. A request takes at most %(most)s: split the file.")
TOO_MANY_RECORDS = gettext_noop("The file holds %(n)s records. A request takes at most %(most)s: split the file.")


class TooMany(Exception):
    """The file would hold up everybody who writes meanwhile; as a sentence it says how many may come at once."""

    def __init__(self, text: str, n: int, most: int) -> None:
        super().__init__(text, n, most)
        self.finding = Finding("", text, {"n": n, "most": most})

    def __str__(self) -> str:
        return self.finding.message


@dataclass(frozen=True, slots=True)
class Brought:
    """How many dialogues or records are new, and how many were imported before."""

    n_new: int
    n_known: int


# Stores what a file holds. Errors: `BadFile`; then nothing is stored.
Bring = Callable[[], Brought]


def dialogues_in(*, campaign: Campaign, content: bytes, asked: Mapping[str, Any], by: Person, at: datetime) -> Bring:
    """Reads a file of dialogues, before the writer is held; they are stored under the person who brings them. Errors: `BadFile`, `TooMany`."""
    dialogues = FORMATS[asked["format"]](content)
    if len(dialogues) > MOST_DIALOGUES:
        raise TooMany(TOO_MANY_DIALOGUES, len(dialogues), MOST_DIALOGUES)

    def bring() -> Brought:
        imported = import_dialogues(
            campaign=campaign, dialogues=dialogues, importer=by, bot=asked["bot"], team=asked["team"], at=at
        )
        return Brought(imported.n_new, imported.n_known)

    return bring


def records_in(*, campaign: Campaign, content: bytes, by: Person) -> Bring:
    """The same for records; the board follows by itself."""
    scales = {criterion.key: criterion.scores() for criterion in campaign.rubric.criteria.all()}
    lines = read_record_lines(content.splitlines(), scales)
    if len(lines) > MOST_RECORDS:
        raise TooMany(TOO_MANY_RECORDS, len(lines), MOST_RECORDS)

    def bring() -> Brought:
        imported = import_records(campaign=campaign, lines=lines, by=by)
        return Brought(imported.n_new, imported.n_known)

    return bring


def only_tried(bring: Bring) -> Brought:
    """What it would bring; nothing is stored. Errors: those of `bring`."""
    with transaction.atomic():
        brought = bring()
        transaction.set_rollback(True)
    return brought


def read_asked(said: Mapping[str, Any]) -> dict[str, Any]:
    """Format, bot and team as a form or a program names them. Errors: `BadForm`."""
    problems = Problems()
    asked: dict[str, Any] = problems.read(dict(said), "", ASKED_TABLE)
    problems.refuse(BadForm)
    return asked
