"""The tester's pages: the list of assignments and the console of one dialogue."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.access import Access, View, for_people, person_of
from campaigns.access import campaign_for, for_roles
from campaigns.labels import kind_label
from campaigns.models import Assignment, Campaign, Role
from participants.limits import MESSAGE_LIMIT
from rubrics.scales import COMMENT_LIMIT
from testing_console.actions import open_dialogue, resume_or_open_chosen_dialogue
from testing_console.console_strings import console_strings
from testing_console.goal_card import fact_groups, fact_tables
from testing_console.models import Dialogue
from testing_console.progress import DONE, assignment_rows, next_row
from testing_console.turn_taking import REPLY_LIMIT, Refusal


@for_roles(Role.TESTER)
@require_GET
def tester_list(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    rows = assignment_rows(person_of(request), campaign)
    return render(
        request,
        "testing_console/tester_list.html",
        {
            "campaign": campaign,
            "rows": rows,
            "following": next_row(rows),
            "n_done": sum(row.state == DONE for row in rows),
            "entries": campaign.entries.with_address().order_by("alias"),
            "scenarios": campaign.scenarios.all(),
        },
    )


def _as_tester(view: View) -> View:
    view = for_people(view)
    view.access = Access("roles", (Role.TESTER,))  # type: ignore[attr-defined]
    return view


@_as_tester
@require_POST
def open_assignment(request: HttpRequest, assignment_id: int) -> HttpResponse:
    own = Assignment.objects.of_tester(person_of(request)).with_names()
    assignment = get_object_or_404(own, pk=assignment_id)
    campaign = campaign_for(person_of(request), assignment.campaign.slug, Role.TESTER)
    try:
        dialogue = open_dialogue(assignment=assignment, at=timezone.now())
    except Refusal:
        return _too_many_open(request, campaign)
    return redirect("console", dialogue_id=dialogue.pk)


@for_roles(Role.TESTER)
@require_POST
def open_choice(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    entry = get_object_or_404(campaign.entries.with_address(), alias=request.POST.get("bot", ""))
    scenario = get_object_or_404(campaign.scenarios, key=request.POST.get("scenario", ""))
    try:
        dialogue = resume_or_open_chosen_dialogue(
            campaign=campaign, tester=person_of(request), entry=entry, scenario=scenario, at=timezone.now()
        )
    except Refusal:
        return _too_many_open(request, campaign)
    return redirect("console", dialogue_id=dialogue.pk)


def _too_many_open(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    messages.warning(
        request,
        _("You have as many open dialogues as this campaign allows (%(n)d). End one of them first.")
        % {"n": campaign.open_dialogues_per_tester},
    )
    return redirect("tester-list", slug=campaign.slug)


@_as_tester
@require_GET
def console(request: HttpRequest, dialogue_id: UUID) -> HttpResponse:
    dialogue = get_object_or_404(Dialogue.objects.of_tester(person_of(request)).with_names(), pk=dialogue_id)
    assignment = dialogue.assignment
    campaign = campaign_for(person_of(request), assignment.campaign.slug, Role.TESTER)
    rows = assignment_rows(person_of(request), campaign)
    scenario = assignment.scenario
    return render(
        request,
        "testing_console/console.html",
        {
            "dialogue": dialogue,
            "campaign": campaign,
            "scenario": scenario,
            "alias": assignment.entry.alias,
            "subtasks": [(row.index, kind_label(row.kind)) for row in dialogue.subtasks.all()],
            "groups": fact_groups(scenario.facts),
            "tables": fact_tables(scenario.facts),
            "n_done": sum(row.state == DONE for row in rows),
            "n_rows": len(rows),
            "comment_limit": COMMENT_LIMIT,
            "criteria": campaign.rubric.criteria.prefetch_related("points"),
            "settings": {
                "dialogue": str(dialogue.pk),
                "alias": assignment.entry.alias,
                "openedAt": dialogue.opened_at.timestamp(),
                "now": timezone.now().timestamp(),
                "closedAt": dialogue.closed_at.timestamp() if dialogue.closed_at else None,
                "isScored": dialogue.scored_at is not None,
                "textLimit": MESSAGE_LIMIT,
                "replyLimit": REPLY_LIMIT,
            },
            "strings": console_strings(),
        },
    )
