"""The audit trail as page, API and file: who did what, when and why; a campaign's for its organizers, the whole for staff."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, TypedDict
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import STAFF, for_staff, is_of_staff, person_of
from accounts.models import Person
from api.describing import describes
from audit.actions import record
from audit.models import TrailHead, TrailLine, TrailLineQuerySet
from audit.trail_acts import known_acts
from campaigns.access import OrganizersView, for_roles
from campaigns.actions.stages import FAILED_IN_A_ROW
from campaigns.models import Campaign, Role
from leaderboards.exports.downloads import Download
from leaderboards.table_files.text_files import csv_pieces, json_lines
from leaderboards.trail_acts import EXPORTED
from reading.kinds import ANY_TEXT, Kind
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
    "salts",
    "gone",
    "erased_by",
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
    values = ((name, value if isinstance(value, list) else [value]) for name, value in line.details.items())
    return [(name, [_text(one) for one in several]) for name, several in values]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


SHOWN_LINES = 50


@transaction.atomic
def note_trail_export(*, campaign: str, by: Person, at: datetime, format: str) -> None:
    """Notes that somebody takes lines out of the platform; `campaign` is empty for the whole trail."""
    record(EXPORTED, by=by, at=at, campaign=campaign, about="trail", details={"format": format})


@for_roles(Role.ORGANIZER)
@require_GET
def trail(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """What was done in a campaign. Log-ins belong to no campaign, so nobody reads here when somebody came and went."""
    lines = TrailLine.objects.of_campaign(campaign.slug)
    return _page(request, "organizing/trail/trail.html", Question(request.GET), lines, campaign=campaign)


@for_roles(Role.ORGANIZER)
@require_GET
def trail_file(request: HttpRequest, campaign: Campaign, format: str) -> HttpResponseBase:
    return _file(request, Question(request.GET), TrailLine.objects.of_campaign(campaign.slug), campaign.slug, format)


@for_staff
@require_GET
def whole_trail(request: HttpRequest) -> HttpResponse:
    """All lines, with those that belong to no campaign: log-ins, passwords, tokens."""
    head = TrailHead.objects.filter(pk=TrailHead.ONLY).first()
    return _page(request, "organizing/trail/whole.html", WholeQuestion(request.GET), TrailLine.objects.all(), head=head)


@for_staff
@require_GET
def whole_trail_file(request: HttpRequest, format: str) -> HttpResponseBase:
    return _file(request, WholeQuestion(request.GET), TrailLine.objects.all(), "", format)


def _page(
    request: HttpRequest, template: str, question: Question, lines: TrailLineQuerySet, **shown: Any
) -> HttpResponse:
    found = list(answer(lines, question.cleaned_data)[: SHOWN_LINES + 1]) if question.is_valid() else []
    lines_shown = found[:SHOWN_LINES]
    asked = {name: text for name, text in request.GET.items() if text and name in question.fields}
    older = {**asked, "before": lines_shown[-1].number} if len(found) > SHOWN_LINES else None
    return render(
        request,
        template,
        {
            "question": question,
            "rows": [(line, because_of(line), details_of(line)) for line in lines_shown],
            "is_filtered": bool(asked.keys() - {"before"}),
            "query": urlencode(asked),
            "newest": urlencode({name: text for name, text in asked.items() if name != "before"}),
            "is_older": "before" in asked,
            "older": urlencode(older) if older else "",
            **shown,
        },
        status=200 if question.is_valid() else 400,
    )


def _file(
    request: HttpRequest, question: Question, lines: TrailLineQuerySet, campaign: str, format: str
) -> HttpResponseBase:
    """All lines that the page would show, however many pages they take."""
    if format not in FORMATS or not question.is_valid():
        raise Http404
    found = answer(lines, question.cleaned_data)
    name = f"{campaign or 'whole'}-trail.{format}"
    download = Download(pieces_of(found, format), name=name, content_type=FORMATS[format])
    note_trail_export(campaign=campaign, by=person_of(request), at=timezone.now(), format=format)
    return download


LINES_PER_ANSWER = 200


class TrailAnswer(TypedDict):
    """`before` asks for the lines that follow; null where there are none."""

    lines: list[dict[str, Any]]
    before: int | None


def asked_of(question: type[Question]) -> dict[str, Kind]:
    return dict.fromkeys(question.base_fields, ANY_TEXT)


class CampaignTrail(OrganizersView):
    """GET gives lines of a campaign by `person`, `act`, `about`, `since`, `until` (days) and `before` (a number)."""

    @describes("Gives lines of the campaign's trail, the latest first", TrailAnswer, asks=asked_of(Question))
    def get(self, request: Request) -> TrailAnswer:
        return answered(Question(request.query_params), TrailLine.objects.of_campaign(self.campaign.slug))


class WholeTrail(APIView):
    """GET gives lines of the whole trail, which may be asked by `campaign`, too."""

    access = STAFF

    @describes("Gives lines of the whole trail, the latest first", TrailAnswer, asks=asked_of(WholeQuestion))
    def get(self, request: Request) -> TrailAnswer:
        if not is_of_staff(request.user):
            raise Http404
        return answered(WholeQuestion(request.query_params), TrailLine.objects.all())


def answered(question: Question, lines: TrailLineQuerySet) -> TrailAnswer:
    if not question.is_valid():
        raise ValidationError({name: [str(one) for one in errors] for name, errors in question.errors.items()})
    found = list(answer(lines, question.cleaned_data)[: LINES_PER_ANSWER + 1])
    shown = [row_of(line) for line in found[:LINES_PER_ANSWER]]
    return {"lines": shown, "before": shown[-1]["number"] if len(found) > LINES_PER_ANSWER else None}
