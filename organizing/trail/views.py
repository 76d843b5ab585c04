"""Pages of the trail."""

from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from accounts.access import for_staff, person_of
from accounts.models import Person
from audit.actions import record
from audit.models import TrailHead, TrailLine, TrailLineQuerySet
from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from leaderboards.acts import EXPORTED
from leaderboards.exports.downloads import Download
from organizing.trail.questions import FORMATS, Question, WholeQuestion, answer, because_of, details_of, pieces_of

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
