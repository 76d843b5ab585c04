"""Filters of the trail (person, act, object, days, last line), and its lines for pages, programs and files."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from audit.acts import known_acts
from audit.models import TrailLine, TrailLineQuerySet
from campaigns.actions.stages import FAILED_IN_A_ROW
from leaderboards.table_files.text_files import csv_pieces, json_lines
from registration.actions.inviting import BY_INVITATION

NAME_LIMIT = 200
# The last day whose end can still be told in every zone of the world.
LAST_DAY = date(9000, 1, 1)
FIRST_DAY = date(1900, 1, 1)


def _acts() -> list[tuple[str, Any]]:
    return [("", _("any act")), *((act.key, act.said_of("…")) for act in known_acts())]


class Day(forms.DateField):
    """A day on the clocks of the request: of the campaign, of the whole trail those of the site."""

    widget = forms.DateInput(attrs={"type": "date"})

    def clean(self, value: Any) -> date | None:
        day: date | None = super().clean(value)
        if day is not None and not FIRST_DAY <= day <= LAST_DAY:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return day


class Question(forms.Form):
    """The words of the question as they come in an address; all of them may be missing."""

    person = forms.CharField(label=_("Person"), required=False, max_length=150)
    act = forms.ChoiceField(label=_("Act"), required=False, choices=_acts)
    about = forms.CharField(label=_("Object"), required=False, max_length=NAME_LIMIT)
    since = Day(label=_("First day"), required=False)
    until = Day(label=_("Last day"), required=False)
    before = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)


class WholeQuestion(Question):
    """Of the whole trail, across campaigns."""

    campaign = forms.CharField(label=_("Campaign"), required=False, max_length=60)


def answer(lines: TrailLineQuerySet, asked: dict[str, Any]) -> TrailLineQuerySet:
    """Those of the lines that the cleaned question asks for, the latest first."""
    if asked.get("campaign"):
        lines = lines.of_campaign(asked["campaign"])
    if asked["person"]:
        lines = lines.by_person(asked["person"])
    if asked["act"]:
        lines = lines.of_act(asked["act"])
    if asked["about"]:
        lines = lines.about_object(asked["about"], id=id_in(asked["about"]))
    if asked["since"]:
        lines = lines.filter(at__gte=_midnight(asked["since"]))
    if asked["until"]:
        lines = lines.filter(at__lt=_midnight(asked["until"] + timedelta(days=1)))
    if asked["before"]:
        lines = lines.filter(number__lt=asked["before"])
    return lines.latest_first()


def id_in(about: str) -> str:
    """The id of a dialogue or a run, where somebody asks by it."""
    try:
        return str(UUID(about))
    except ValueError:
        return ""


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


COLUMNS = (
    "number",
    "at",
    "person",
    "person_id",
    "act",
    "campaign",
    "about",
    "because",
    "details",
    "previous",
    "hash",
)
FORMATS = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl; charset=utf-8"}
LINES_AT_ONCE = 1000
OF_THE_PLATFORM = {BY_INVITATION, FAILED_IN_A_ROW}


def row_of(line: TrailLine) -> dict[str, Any]:
    """Everything that the line's hash covers, as it covers it (docs/audit-trail.md), and both hashes."""
    said = {name: getattr(line, name) for name in COLUMNS}
    return said | {"at": line.at.astimezone(UTC).isoformat(timespec="microseconds")}


def pieces_of(lines: TrailLineQuerySet, format: str) -> Iterator[bytes]:
    """The lines as a file of that format, a few at a time in memory."""
    rows = (row_of(line) for line in lines.iterator(chunk_size=LINES_AT_ONCE))
    pieces = csv_pieces(COLUMNS, (list(row.values()) for row in rows)) if format == "csv" else json_lines(rows)
    return (piece.encode() for piece in pieces)


def because_of(line: TrailLine) -> str:
    """The reason as a page shows it: the platform's own in the reader's language, a person's as they wrote it."""
    return gettext(line.because) if line.because in OF_THE_PLATFORM else line.because


def details_of(line: TrailLine) -> list[tuple[str, list[str]]]:
    """What a page shows under a line: each detail with its values as text."""
    return [(name, _texts(value)) for name, value in line.details.items()]


def _texts(value: Any) -> list[str]:
    if isinstance(value, list):
        return [_text(one) for one in value]
    return [_text(value)]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
