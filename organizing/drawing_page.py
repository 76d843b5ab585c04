"""What drawing the assignments would change, and drawing them: the page and the API."""

from collections.abc import Iterable
from typing import Any, TypedDict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from rest_framework.request import Request

from accounts.access import person_of
from api.describing import describes
from api.parsers import body_in
from campaigns.access import OrganizersView, for_roles
from campaigns.actions import PreviewIsOld, draw_assignments, preview_drawing
from campaigns.labels import skill_label
from campaigns.models import Campaign, Role
from campaigns.planning.plan_sizes import PlanTooLarge
from campaigns.planning.redrawing import Changes, tallies
from dialogues.queries import void_assignments
from reading.kinds import Text
from reading.tables import Field, Table

SHOWN_ROWS = 200
PREVIEWED = Table({"previewed": Field(Text(64, may_be_empty=True), "")})


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


def drawn_sentence(changes: Changes) -> str:
    """What a drawing did."""
    counts = {"added": len(changes.add), "taken": len(changes.take_away), "left": len(changes.leave)}
    return _("Drawn: %(added)d added, %(taken)d taken away, %(left)d left as they were.") % counts


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


class DrawnAnswer(TypedDict):
    tester: str
    bot: str
    scenario: str


class DrawingAnswer(TypedDict):
    """Bots by their aliases. `digest` is what `previewed` wants to draw exactly this."""

    add: list[DrawnAnswer]
    take_away: list[DrawnAnswer]
    n_left: int
    n_short: int
    digest: str


class Drawing(OrganizersView):
    @describes("Says what drawing the assignments would change", DrawingAnswer, refuses=(409,))
    def get(self, request: Request) -> DrawingAnswer:
        void = void_assignments(self.campaign)
        return answer_of(self.campaign, preview_drawing(campaign=self.campaign, void=void))

    @describes(
        "Draws the assignments, if `previewed` still says what changes",
        DrawingAnswer,
        201,
        reads=PREVIEWED,
        refuses=(409, 422),
    )
    def post(self, request: Request) -> DrawingAnswer:
        previewed, void = body_in(request, PREVIEWED)["previewed"], void_assignments(self.campaign)
        changes = draw_assignments(campaign=self.campaign, void=void, previewed=previewed, by=person_of(request))
        return answer_of(self.campaign, changes)


def answer_of(campaign: Campaign, changes: Changes) -> DrawingAnswer:
    aliases = dict(campaign.entries.values_list("key", "alias"))

    def answers(rows: Iterable[Any]) -> list[DrawnAnswer]:
        return [{"tester": row.tester, "bot": aliases[row.bot], "scenario": row.scenario} for row in rows]

    return {
        "add": answers(changes.add),
        "take_away": answers(changes.take_away),
        "n_left": len(changes.leave),
        "n_short": sum(short.n for short in changes.short),
        "digest": changes.digest(),
    }
