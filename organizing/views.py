"""The organizer's pages of the plan: what of a campaign is covered, and what drawing would change."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access import person_of
from accounts.models import Person
from campaigns.access import for_roles
from campaigns.actions import PreviewIsOld, draw_assignments, preview_drawing
from campaigns.labels import skill_label
from campaigns.models import Campaign, Role
from campaigns.plan_sizes import PlanTooLarge
from campaigns.redrawing import Changes, tallies
from dialogues.queries import void_assignments
from organizing.coverage_page import coverage_page
from organizing.queries import reviewed_of, survey_of
from organizing.sentences import drawn_sentence
from participants.limits import REASON_LIMIT

SHOWN_ROWS = 200


@for_roles(Role.ORGANIZER)
@require_GET
def coverage(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    survey, reviewed = survey_of(campaign), reviewed_of(campaign, timezone.now())
    page = coverage_page(survey, reviewed, by=request.GET.get("by", ""), chosen=request.GET.get("chosen", ""))
    chosen = page.chosen.name if page.chosen and page.chosen.is_tester else ""
    shown = {
        "campaign": campaign,
        "page": page,
        "leaver": Person.objects.filter(username=chosen).first() if chosen else None,
        "reason_limit": REASON_LIMIT,
    }
    return render(request, "organizing/coverage.html", shown)


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def draw(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """GET says what drawing would change; POST does exactly that, or shows what it would change by now."""
    void = void_assignments(campaign)
    try:
        if request.method != "POST":
            return _preview(request, campaign, preview_drawing(campaign=campaign, void=void))
        previewed = request.POST.get("previewed", "")
        changes = draw_assignments(campaign=campaign, void=void, previewed=previewed, by=person_of(request))
    except PreviewIsOld:
        messages.warning(request, _("Something has changed in the meantime. This is what drawing would change now."))
        return redirect("draw", slug=campaign.slug)
    except PlanTooLarge:
        # The page of the plan says why.
        return redirect("coverage", slug=campaign.slug)
    if changes:
        messages.success(request, drawn_sentence(changes))
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
