"""The organizer's pages: what of a campaign is covered, what drawing would change, and bots that pause."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access import person_of
from accounts.models import Person
from campaigns.access import for_roles
from campaigns.actions import (
    CannotPause,
    PreviewIsOld,
    ReasonNeeded,
    dismiss_person,
    draw_assignments,
    pause_bot,
    preview_drawing,
    resume_bot,
    withdraw_bot,
)
from campaigns.labels import skill_label
from campaigns.models import Campaign, Entry, Role
from campaigns.redrawing import Changes, tallies
from organizing.coverage_page import coverage_page
from organizing.queries import reviewed_of, survey_of, void_assignments
from participants.limits import REASON_LIMIT

SHOWN_ROWS = 200


@for_roles(Role.ORGANIZER)
@require_GET
def coverage(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    survey, reviewed = survey_of(campaign), reviewed_of(campaign, timezone.now())
    page = coverage_page(survey, reviewed, by=request.GET.get("by", ""), chosen=request.GET.get("chosen", ""))
    return render(
        request, "organizing/coverage.html", {"campaign": campaign, "page": page, "reason_limit": REASON_LIMIT}
    )


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def draw(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """GET says what drawing would change; POST does exactly that, or shows what it would change by now."""
    void = void_assignments(campaign)
    if request.method != "POST":
        return _preview(request, campaign, preview_drawing(campaign=campaign, void=void))
    try:
        previewed = request.POST.get("previewed", "")
        changes = draw_assignments(campaign=campaign, void=void, previewed=previewed, by=person_of(request))
    except PreviewIsOld:
        messages.warning(request, _("Something has changed in the meantime. This is what drawing would change now."))
        return redirect("draw", slug=campaign.slug)
    _say_drawn(request, changes)
    return redirect("coverage", slug=campaign.slug)


def _preview(request: HttpRequest, campaign: Campaign, changes: Changes) -> HttpResponse:
    entries = {entry.key: entry.alias for entry in campaign.entries.all()}
    titles = {scenario.key: scenario.title for scenario in campaign.scenarios.all()}
    return render(
        request,
        "organizing/drawing.html",
        {
            "campaign": campaign,
            "changes": changes,
            "n_begun": sum(row.is_begun for row in changes.leave),
            "tables": [
                (_("System"), tallies(changes, lambda row: entries[row.bot])),
                (_("Tester"), tallies(changes, lambda row: row.tester)),
            ],
            "lists": [
                (
                    _("Added"),
                    [(row.tester, entries[row.bot], titles[row.scenario]) for row in changes.add[:SHOWN_ROWS]],
                ),
                (
                    _("Taken away"),
                    [
                        (row.tester, entries[row.bot], titles.get(row.scenario, row.scenario))
                        for row in changes.take_away[:SHOWN_ROWS]
                    ],
                ),
            ],
            "short": [
                (short.n, entries[short.bot], titles.get(short.scenario, ""), skill_label(short.skill))
                for short in changes.short
            ],
            "shown_rows": SHOWN_ROWS,
        },
    )


@for_roles(Role.ORGANIZER)
@require_POST
def change_bot(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Pauses, resumes or withdraws the bot with that alias."""
    entry = get_object_or_404(campaign.entries, alias=request.POST.get("bot", ""))
    try:
        _change(request, entry, request.POST.get("act", ""), request.POST.get("because", ""))
    except ReasonNeeded:
        messages.error(request, _("Say why: testers read the reason on their list."))
    except CannotPause:
        messages.error(request, _("%(alias)s was withdrawn: take it back first.") % {"alias": entry.alias})
    if request.POST.get("back") == "wall":
        return redirect("wall", slug=campaign.slug)
    if request.POST.get("back") == "team-bot":
        return redirect("team-bot", campaign.slug, entry.pk)
    return _to_coverage(campaign, chosen=entry.alias)


def _change(request: HttpRequest, entry: Entry, act: str, because: str) -> None:
    because, at, by = because[:REASON_LIMIT], timezone.now(), person_of(request)
    if act == "pause":
        pause_bot(entry=entry, because=because, at=at, by=by)
        messages.success(request, _("%(alias)s is paused. Open dialogues with it go on.") % {"alias": entry.alias})
    elif act == "resume":
        changes = resume_bot(entry=entry, void=void_assignments(entry.campaign), by=by)
        messages.success(request, _("%(alias)s can be talked to again.") % {"alias": entry.alias})
        _say_drawn(request, changes)
    elif act == "withdraw":
        void = void_assignments(entry.campaign)
        changes = withdraw_bot(entry=entry, because=because, at=at, void=void, by=by)
        messages.success(request, _("%(alias)s no longer takes part. Its scores stay.") % {"alias": entry.alias})
        _say_drawn(request, changes)
    else:
        raise BadRequest(f"There is no act {act}.")


@for_roles(Role.ORGANIZER)
@require_POST
def dismiss(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Takes the role of tester back; what the person had not begun is drawn for others."""
    testers = Person.objects.filter(campaign_roles__campaign=campaign, campaign_roles__role=Role.TESTER)
    person = get_object_or_404(testers, username=request.POST.get("person", ""))
    void, by = void_assignments(campaign), person_of(request)
    changes = dismiss_person(campaign=campaign, person=person, role=Role.TESTER, void=void, by=by)
    messages.success(request, _("%(name)s no longer tests in this campaign.") % {"name": person.username})
    _say_drawn(request, changes)
    return _to_coverage(campaign, by="person")


def _say_drawn(request: HttpRequest, changes: Changes) -> None:
    if changes:
        said = {"added": len(changes.add), "taken": len(changes.take_away), "left": len(changes.leave)}
        text = _("Drawn: %(added)d added, %(taken)d taken away, %(left)d left as they were.")
        messages.success(request, text % said)


def _to_coverage(campaign: Campaign, **asked: Any) -> HttpResponse:
    return redirect(f"{reverse('coverage', args=[campaign.slug])}?{urlencode(asked)}#chosen")
