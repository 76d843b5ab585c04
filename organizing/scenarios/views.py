"""The organizer's pages of scenarios: the table, the form of one, how the tester sees it, and taking one out."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access import person_of
from accounts.form_routes import form_on
from campaigns.access import for_roles
from campaigns.actions.scenarios import IsNeeded, remove_scenario, store_scenario
from campaigns.calendar import NotNow
from campaigns.models import Campaign, Role, Scenario
from campaigns.plan_sizes import PlanTooLarge
from dialogues.queries import void_assignments
from organizing.scenarios.forms import ScenarioForm, form_of, spec_of, typed_in, with_problems
from organizing.scenarios.listing import rows_of
from reading.checking import BadFile
from reading.findings import Finding
from testing_console.goal_card import card_parts, fact_tables, general_facts, items_of

# Column, label, rows of the field, and a hint.
FIELDS = (
    ("title_zh", gettext_lazy("Title in Chinese"), 1, ""),
    ("title_en", gettext_lazy("Title in English"), 1, ""),
    ("opening", gettext_lazy("Opening sentence"), 2, gettext_lazy("What the tester may begin with; systems may be told it.")),
    ("opening_en", gettext_lazy("Opening sentence in English"), 2, gettext_lazy("Only shown to testers.")),
    ("instructions_zh", gettext_lazy("Instructions in Chinese"), 4, ""),
    ("instructions_en", gettext_lazy("Instructions in English"), 4, ""),
    ("subtasks", gettext_lazy("Subtasks in order"), 3, gettext_lazy("One per line with its turn cap: flight: 20")),
    ("facts", gettext_lazy("Facts on the goal card"), 8, gettext_lazy("Lines like flight.from = 北京, or JSON; a list of objects is a table to look up.")),
    ("items", gettext_lazy("Items to use"), 3, gettext_lazy("One per line.")),
    ("context", gettext_lazy("Context for the system"), 5, gettext_lazy("Lines or JSON; testers do not see it.")),
    ("practice", gettext_lazy("For practice"), 1, gettext_lazy("yes: teams try their own systems on it, testers never meet it.")),
    ("skill", gettext_lazy("Skill"), 1, gettext_lazy("Which criteria and quota it belongs to; may be empty.")),
)  # fmt: skip


def scenario_of(campaign: Campaign, key: str) -> Scenario:
    return get_object_or_404(campaign.scenarios.declared().prefetch_related("subtasks"), key=key)


@for_roles(Role.ORGANIZER)
@require_GET
def scenarios(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return render(request, "organizing/scenarios/list.html", {"campaign": campaign, "rows": rows_of(campaign)})


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def add(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    if request.method != "POST":
        return _form(request, campaign, form_of(None), None)
    typed = typed_in(request.POST)
    if campaign.scenarios.filter(key=typed["key"].strip()).exists():
        taken = Finding("key", _("is the key of another scenario"))
        return _form(request, campaign, ScenarioForm(typed, {"key": [taken]}), None)
    return _store(request, campaign, typed, None)


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def scenario_page(request: HttpRequest, campaign: Campaign, scenario: str) -> HttpResponse:
    stored = scenario_of(campaign, scenario)
    if request.method != "POST":
        return _form(request, campaign, form_of(stored), stored)
    return _store(request, campaign, typed_in(request.POST, stored.key), stored)


def _store(request: HttpRequest, campaign: Campaign, typed: dict[str, str], stored: Scenario | None) -> HttpResponse:
    try:
        written = store_scenario(
            campaign=campaign, spec=spec_of(typed), by=person_of(request), at=timezone.now(),
            void=void_assignments(campaign),
        )  # fmt: skip
    except BadFile as bad:
        return _form(request, campaign, with_problems(typed, bad), stored)
    except (NotNow, PlanTooLarge) as refused:
        messages.error(request, str(refused))
        return _form(request, campaign, ScenarioForm(typed), stored)
    messages.success(request, _("The scenario %(key)s is stored.") % {"key": written.key})
    return redirect("scenario", slug=campaign.slug, scenario=written.key)


def _form(request: HttpRequest, campaign: Campaign, form: ScenarioForm, stored: Scenario | None) -> HttpResponse:
    fields = [
        (name, label, rows, hint, form.typed[name], form.problems.get(name, [])) for name, label, rows, hint in FIELDS
    ]
    return render(
        request,
        "organizing/scenarios/form.html",
        {
            "campaign": campaign,
            "scenario": stored,
            "has_begun": stored is not None and stored.has_begun(),
            "form": form,
            "fields": fields,
            "key_problems": form.problems.get("key", []),
            "other_problems": form.problems.get("", []),
        },
        status=422 if form.problems else 200,
    )


@for_roles(Role.ORGANIZER)
@form_on("scenario")
def remove(request: HttpRequest, campaign: Campaign, scenario: str) -> HttpResponse:
    stored = scenario_of(campaign, scenario)
    try:
        remove_scenario(scenario=stored, by=person_of(request), at=timezone.now(), void=void_assignments(campaign))
    except IsNeeded:
        messages.error(request, _("Dialogues were opened about %(key)s: it stays.") % {"key": scenario})
        return redirect("scenario", slug=campaign.slug, scenario=scenario)
    except NotNow as over:
        messages.error(request, str(over))
        return redirect("scenario", slug=campaign.slug, scenario=scenario)
    messages.success(request, _("The scenario %(key)s is removed.") % {"key": scenario})
    return redirect("scenarios", slug=campaign.slug)


@for_roles(Role.ORGANIZER)
@require_GET
def preview(request: HttpRequest, campaign: Campaign, scenario: str) -> HttpResponse:
    """The goal card as the console shows it to a tester before the first turn."""
    return render(request, "organizing/scenarios/preview.html", goal_of(campaign, scenario_of(campaign, scenario)))


def goal_of(campaign: Campaign, scenario: Scenario) -> dict[str, Any]:
    subtasks = list(scenario.subtasks.all())
    kinds = [(subtask.position, subtask.kind) for subtask in subtasks]
    states = [
        {"status": "open" if number == 1 else "waiting", "turn_cap": one.turn_cap, "turns_used": 0}
        for number, one in enumerate(subtasks, start=1)
    ]
    return {
        "campaign": campaign,
        "scenario": scenario,
        "alias": "K1",
        "dialogue": {"turns_used": 0},
        "parts": list(zip(card_parts(kinds, scenario.facts), states, strict=True)),
        "general": general_facts([kind for _index, kind in kinds], scenario.facts),
        "items": items_of(scenario.items, []),
        "tables": fact_tables(scenario.facts),
    }
