"""The tester's pages: the list of assignments and the console of one dialogue."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access import Access, View, for_people, person_of
from accounts.form_routes import form_on
from campaigns.access import campaign_for, for_roles, require_role
from campaigns.actions.consenting import ConsentChanged, consent_due, give_consent
from campaigns.interests import barred_entries
from campaigns.models import Assignment, Campaign, Role
from dialogues.actions import (
    NotOffered,
    NotTestingNow,
    PausedTester,
    open_dialogue,
    resume_or_open_chosen_dialogue,
)
from dialogues.actions.opening import ConsentMissing, open_instead
from dialogues.actions.reports import PROBLEM_LIMIT, settle_problem
from dialogues.daily_progress import own_pace
from dialogues.events import SubtaskState
from dialogues.fault_policy import fault_policy_of
from dialogues.masking import masker_of
from dialogues.models import Dialogue, Problem, Turn
from dialogues.pauses import shift_of, shown_pause
from dialogues.progress import (
    BARRED,
    DONE,
    PAUSED,
    assignment_places,
    assignment_rows,
    bar,
    ended_last,
    grouped,
    has_another,
    is_full,
    minutes_for,
    minutes_left,
    moments_of,
    next_row,
    part_pace,
    shares,
    time_left,
    why_next_is_closed,
    with_estimates,
    with_reasons,
)
from dialogues.queries import masked_words, offered_to, state_of, tested_by
from dialogues.turn_policy import TurnPolicy, turn_policy_of
from dialogues.turn_taking import ALL_USED, REPLY_LIMIT, Budget, Refusal
from participants.limits import MESSAGE_LIMIT
from reading.digits import whole_or_none
from rubrics.scales import COMMENT_LIMIT
from testing_console.console_strings import console_strings
from testing_console.goal_card import card_parts, fact_tables, general_facts, items_of
from testing_console.notices import standing_notices
from testing_console.practice import CAP, practice_parts, practice_scenario, practice_settings
from testing_console.score_form import needs_transcript, score_form

# A reply that took longer is marked beside its bubble.
SLOW_SHOWN_MS = 4000
# How wide the rulers over all assignments are on the list and in the console's head.
LIST_BAR_PX = 252
CONSOLE_BAR_PX = 190
NOT_OFFERED = gettext_noop(
    "This assignment is no longer offered, or its system is paused. Your list is up to date now."
)


@for_roles(Role.TESTER)
@require_GET
def tester_list(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    at = timezone.now()
    rows = assignment_rows(person_of(request), campaign, at=at)
    ended = ended_last(rows)
    pace_s = part_pace(ended, moments_of(ended))
    rows = with_estimates(rows, pace_s)
    if any(row.state == PAUSED or row.returned_because for row in rows):
        rows = with_reasons(rows, masker_of(masked_words(campaign)))
    done = [row for row in rows if row.state == DONE]
    following = next_row(rows)
    return render(
        request,
        "testing_console/tester_list.html",
        {
            "campaign": campaign,
            "consent": consent_due(campaign.pk, person_of(request).pk),
            "pause": shown_pause(person_of(request), campaign, Role.TESTER),
            "rows": rows,
            "following": following,
            "full": limit_sentence(campaign) if is_full(rows, campaign) else "",
            "closed": why_next_is_closed(campaign, shift_of(person_of(request), campaign), following, at),
            "groups": grouped(rows),
            "n_done": len(done),
            "is_new_here": not any(row.dialogue_id for row in rows),
            "n_paused": sum(row.state == PAUSED for row in rows),
            "n_barred": sum(row.state == BARRED for row in rows),
            "all_bar": bar(len(rows), LIST_BAR_PX),
            "n_done_today": sum(
                at is not None and timezone.localdate(at) == timezone.localdate()
                for at in (row.scored_at or row.closed_at for row in done)
            ),
            "pace": own_pace((row.closed_at for row in done if row.closed_at), campaign, at),
            "time_left": time_left(minutes_left(rows, pace_s)),
            "minutes_per_part": minutes_for(1, pace_s),
            "by_system": shares(rows, lambda row: row.assignment.entry.alias),
            "by_kind": shares(rows, lambda row: row.kind),
            "entries": offered_to(person_of(request), campaign, at).order_by("alias"),
            "scenarios": campaign.scenarios.tested(),
            "may_revise": campaign.testers_score and not campaign.is_published,
            "settings": {"person": request.user.get_username()},
            "strings": console_strings(),
            "notices": standing_notices(campaign, at),
        },
    )


def _as_tester(view: View) -> View:
    view = for_people(view)
    view.access = Access("roles", (Role.TESTER,))  # type: ignore[attr-defined]
    return view


@_as_tester
@require_http_methods(["GET", "HEAD", "POST"])
def open_assignment(request: HttpRequest, assignment_id: int) -> HttpResponse:
    """POST opens the dialogue. GET leads to one that is open already, or asks: following a link changes nothing."""
    own = Assignment.with_programs.of_tester(person_of(request)).with_names()
    assignment = get_object_or_404(own, pk=assignment_id)
    campaign = campaign_for(person_of(request), assignment.campaign.slug, Role.TESTER)
    if request.method != "POST":
        opened = Dialogue.with_programs.filter(assignment=assignment).counted().first()
        if opened is not None:
            return redirect("console", dialogue_id=opened.pk)
        rows = assignment_places(person_of(request), campaign, at=timezone.now())
        full = limit_sentence(campaign) if is_full(rows, campaign) else ""
        shown = {"campaign": campaign, "assignment": assignment, "full": full}
        return render(request, "testing_console/start.html", shown)
    return _opened(request, campaign, partial(open_dialogue, assignment=assignment, at=timezone.now()))


@for_roles(Role.TESTER)
@form_on("tester-list")
def open_choice(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    entry = get_object_or_404(
        offered_to(person_of(request), campaign, timezone.now()), alias=request.POST.get("bot", "")
    )
    scenario = get_object_or_404(campaign.scenarios.filter(is_practice=False), key=request.POST.get("scenario", ""))
    opening = partial(
        resume_or_open_chosen_dialogue,
        campaign=campaign,
        tester=person_of(request),
        entry=entry,
        scenario=scenario,
        at=timezone.now(),
    )
    return _opened(request, campaign, opening)


@for_roles(Role.TESTER)
@form_on("tester-list")
def consent(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    version = whole_or_none(request.POST.get("version", "")) or 0
    try:
        give_consent(campaign=campaign, person=person_of(request), version=version, at=timezone.now())
    except ConsentChanged as changed:
        messages.warning(request, str(changed))
    return redirect("tester-list", slug=campaign.slug)


def _opened(
    request: HttpRequest, campaign: Campaign, opening: Callable[[], Dialogue], not_offered: str = NOT_OFFERED
) -> HttpResponse:
    """Leads to the dialogue that `opening` gives, or back to the list, which says why there is none."""
    try:
        return redirect("console", dialogue_id=opening().pk)
    except (PausedTester, ConsentMissing):
        # The list says why, or what is to be agreed to.
        pass
    except NotOffered:
        messages.warning(request, _(not_offered))
    except NotTestingNow as refused:
        messages.warning(request, refused.closed.message)
    except Refusal:
        messages.warning(request, limit_sentence(campaign))
    return redirect("tester-list", slug=campaign.slug)


def limit_sentence(campaign: Campaign) -> str:
    text = _("You have as many open dialogues as this campaign allows (%(n)d). End one of them first.")
    return text % {"n": campaign.open_dialogues_per_tester}


@_as_tester
@form_on("console")
def open_another(request: HttpRequest, dialogue_id: UUID) -> HttpResponse:
    """Opens what the tester can do instead of a dialogue whose system fails; that one stays on their list."""
    dialogue = get_object_or_404(tested_by(person_of(request)), pk=dialogue_id)
    campaign = campaign_for(person_of(request), dialogue.assignment.campaign.slug, Role.TESTER)
    return _opened(
        request,
        campaign,
        partial(open_instead, dialogue=dialogue, tester=person_of(request), at=timezone.now()),
        gettext_noop("Nothing else can be begun now."),
    )


@_as_tester
@require_GET
def console(request: HttpRequest, dialogue_id: UUID) -> HttpResponse:
    person, at = person_of(request), timezone.now()
    own = tested_by(person).select_related("assignment__campaign__rubric")
    dialogue = get_object_or_404(own, pk=dialogue_id)
    assignment, campaign = dialogue.assignment, dialogue.assignment.campaign
    require_role(person, campaign, Role.TESTER)
    rows = assignment_places(person, campaign, at=at)
    more = {
        "number": next((row.number for row in rows if row.assignment.pk == assignment.pk), 0),
        "n_done": sum(row.state == DONE for row in rows),
        "n_rows": len(rows),
        "all_bar": bar(len(rows), CONSOLE_BAR_PX),
    }
    list_url = reverse("tester-list", args=[campaign.slug])
    return console_page(
        request, dialogue, list_url, more,
        hasAnother=has_another(rows, campaign, person, dialogue, at),
        isPaused=dialogue.is_open and assignment.entry.paused_at is not None,
    )  # fmt: skip


def console_page(
    request: HttpRequest, dialogue: Dialogue, list_url: str, more: Mapping[str, Any], **settings: Any
) -> HttpResponse:
    """The console of a dialogue (`with_names`); `list_url` is where its reader comes from."""
    assignment, campaign = dialogue.assignment, dialogue.assignment.campaign
    scenario = assignment.scenario
    state = state_of(dialogue.pk)
    kinds = [(subtask.index, subtask.kind) for subtask in state.subtasks]
    parts = card_parts(kinds, scenario.facts)
    policy, budget = turn_policy_of(campaign), dialogue.budget()
    is_first = dialogue.turn_cap is not None or dialogue.subtask_index == 1
    return render(
        request,
        "testing_console/console.html",
        {
            "dialogue": dialogue,
            "campaign": campaign,
            "scenario": scenario,
            "alias": assignment.entry.alias,
            "parts": [(part, in_turns(policy, subtask)) for part, subtask in zip(parts, state.subtasks, strict=True)],
            "general": general_facts([kind for _, kind in kinds], scenario.facts),
            "items": items_of(scenario.items, dialogue.ticked),
            "tables": fact_tables(scenario.facts),
            "budget": Budget(
                policy.turns(budget.spent, is_first=is_first), policy.turns(budget.cap, is_first=is_first)
            ),
            "list_url": list_url,
            **more,
            "comment_limit": COMMENT_LIMIT,
            "problem_limit": PROBLEM_LIMIT,
            "score_form": score_form(campaign.rubric, parts, scenario.skill),
            "settings": _settings(dialogue, request.user.get_username(), list_url) | settings,
            "notices": standing_notices(campaign, timezone.now()),
            "strings": console_strings(fault_policy_of(campaign)),
        },
    )


@for_roles(Role.TESTER)
@require_GET
def practice(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """The console with a system that plays in the browser: there is no row of this dialogue, and none is made."""
    dialogue = Dialogue(turn_cap=CAP, opened_at=timezone.now())
    list_url = reverse("tester-list", args=[campaign.slug])
    parts = practice_parts()
    settings = _settings_of_any(dialogue, campaign, request.user.get_username(), list_url) | {
        "alias": _("Practice"),
        "flagged": [],
        "practice": practice_settings(campaign.rubric),
    }
    return render(
        request,
        "testing_console/console.html",
        {
            "dialogue": dialogue,
            "campaign": campaign,
            "scenario": practice_scenario(),
            "alias": settings["alias"],
            "bot_name": _("Assignments"),
            "is_practice": True,
            "parts": parts,
            "budget": Budget(0, CAP),
            "list_url": list_url,
            "comment_limit": COMMENT_LIMIT,
            "problem_limit": PROBLEM_LIMIT,
            "score_form": score_form(campaign.rubric, [part for part, _state in parts]),
            "settings": settings,
            "strings": console_strings(),
        },
    )


def in_turns(policy: TurnPolicy, subtask: SubtaskState) -> SubtaskState:
    """The subtask as the page shows it, in the turns that its campaign counts."""
    used, cap = policy.turns_of_part(subtask.index, subtask.turns_used, subtask.turn_cap)
    return replace(subtask, turns_used=used, turn_cap=cap)


def _settings(dialogue: Dialogue, username: str, list_url: str) -> dict[str, Any]:
    """What the console's scripts know from the start of a dialogue that is stored."""
    flagged = dialogue.turns.filter(flag__isnull=False).values_list("number", flat=True)
    return _settings_of_any(dialogue, dialogue.assignment.campaign, username, list_url) | {
        "alias": dialogue.assignment.entry.alias,
        "isScored": dialogue.scored_at is not None,
        "flagged": list(flagged),
        "reviewPage": review_page_of(dialogue),
        "endsWhenUsed": dialogue.assignment.campaign.tester_may_end == ALL_USED,
        "takesReports": True,
    }


def _settings_of_any(dialogue: Dialogue, campaign: Campaign, username: str, list_url: str) -> dict[str, Any]:
    """What they know of a practice dialogue, too."""
    return {
        "dialogue": str(dialogue.pk),
        "person": username,
        "list": list_url,
        "openedAt": dialogue.opened_at.timestamp(),
        "now": timezone.now().timestamp(),
        "closedAt": dialogue.closed_at.timestamp() if dialogue.closed_at else None,
        "textLimit": MESSAGE_LIMIT,
        "replyLimit": REPLY_LIMIT,
        "slowAfterMs": SLOW_SHOWN_MS,
        "asksForScores": campaign.testers_score,
    }


def review_page_of(dialogue: Dialogue) -> str:
    """Where the dialogue is scored if the form beside the chat cannot ask for all that its rubric asks; else empty."""
    assignment = dialogue.assignment
    if not needs_transcript(assignment.campaign.rubric, assignment.scenario.skill):
        return ""
    return f"/reviews/{dialogue.pk}/"


@for_roles(Role.ORGANIZER)
@require_GET
def problems(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """What testers reported and flagged, but for dialogues that an interest closes; the open reports first."""
    closed = Q(dialogue__assignment__entry__in=barred_entries(person_of(request)))
    reported = Problem.objects.filter(~closed, dialogue__assignment__campaign=campaign).select_related(
        "reported_by", "turn", "dialogue__assignment__entry", "dialogue__assignment__scenario"
    )
    flagged = Turn.objects.filter(~closed, flag__isnull=False, dialogue__assignment__campaign=campaign).select_related(
        "flag", "dialogue__tester", "dialogue__assignment__entry", "dialogue__assignment__scenario"
    )
    return render(
        request,
        "testing_console/problems.html",
        {
            "campaign": campaign,
            "unsettled": reported.filter(settled_at=None),
            "settled": reported.exclude(settled_at=None),
            "flagged": flagged.order_by("-flag__at"),
        },
    )


@for_roles(Role.ORGANIZER)
@form_on("problems")
def settle(request: HttpRequest, campaign: Campaign, problem_id: int) -> HttpResponse:
    problem = get_object_or_404(Problem, pk=problem_id, dialogue__assignment__campaign=campaign)
    settle_problem(problem=problem, at=timezone.now(), by=person_of(request))
    return redirect("problems", slug=campaign.slug)
