"""The organizer's pages of scenarios: the table, the form of one, how the tester sees it, and taking one out."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access import person_of
from accounts.form_routes import form_on
from campaigns.access import for_roles
from campaigns.actions.loading_scenarios import parts_of
from campaigns.actions.scenarios import IsNeeded, remove_scenario, store_scenario, usual_cap
from campaigns.calendar import NotNow
from campaigns.labels import FACTS, KINDS
from campaigns.models import Campaign, Role, Scenario
from campaigns.planning.plan_sizes import PlanTooLarge
from dialogues.queries import void_assignments
from organizing.scenarios.fact_rows import VALUE_KINDS
from organizing.scenarios.forms import BLANK, ScenarioForm, draft_of, form_of, spec_of, typed_in
from organizing.scenarios.listing import rows_of
from reading.checking import BadFile
from reading.findings import Finding
from testing_console.goal_card import card_parts, fact_tables, general_facts, items_of

CARD = "organizing/scenarios/_as_tester.html"
# Name, label, rows of the field, and a hint: what stands first, the English that is optional, and what few need.
Field = tuple[str, Any, int, Any]
CHINESE: Sequence[Field] = (
    ("title_zh", gettext_lazy("Title"), 1, ""),
    ("instructions_zh", gettext_lazy("Instructions"), 4, gettext_lazy("What the tester is to do; folded after the first turn.")),
    ("opening", gettext_lazy("Opening sentence"), 2, gettext_lazy("What the tester may begin with; systems may be told it.")),
)  # fmt: skip
ENGLISH: Sequence[Field] = (
    ("title_en", gettext_lazy("Title in English"), 1, ""),
    ("instructions_en", gettext_lazy("Instructions in English"), 4, ""),
    ("opening_en", gettext_lazy("Opening sentence in English"), 2, gettext_lazy("Only shown to testers.")),
)
OTHERS: Sequence[Field] = (
    ("skill", gettext_lazy("Skill"), 1, gettext_lazy("Which criteria and quota it belongs to; may be empty.")),
    ("items", gettext_lazy("Items to use"), 3, gettext_lazy("One per line.")),
    ("context", gettext_lazy("Context for the system"), 5, gettext_lazy("Lines like policy.refund = 7, or JSON; testers do not see it.")),
)  # fmt: skip
FIXED = ("opening", *(name for name, *_rest in OTHERS))


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
    return _act(request, campaign, typed_in(request.POST), None)


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def scenario_page(request: HttpRequest, campaign: Campaign, scenario: str) -> HttpResponse:
    stored = scenario_of(campaign, scenario)
    if request.method != "POST":
        return _form(request, campaign, form_of(stored), stored)
    return _act(request, campaign, typed_in(request.POST, stored), stored)


def _act(request: HttpRequest, campaign: Campaign, form: ScenarioForm, stored: Scenario | None) -> HttpResponse:
    """Draws the goal card of what is typed, adds, moves or removes a row, or stores the scenario."""
    act = request.POST.get("act")
    if act == "draw":
        return render(request, CARD, goal_of(campaign, *draft_of(campaign, form)))
    if act:
        return _form(request, campaign, form.rearranged(act), stored)
    if stored is None and campaign.scenarios.filter(key=form.texts["key"].strip()).exists():
        taken = Finding("key", _("is the key of another scenario"))
        return _form(request, campaign, replace(form, problems={"key": [taken]}), None)
    try:
        written = store_scenario(
            campaign=campaign, spec=spec_of(form), by=person_of(request), at=timezone.now(),
            void=void_assignments(campaign),
        )  # fmt: skip
    except BadFile as bad:
        return _form(request, campaign, form.refused(bad), stored)
    except (NotNow, PlanTooLarge) as refused:
        messages.error(request, str(refused))
        return _form(request, campaign, form, stored)
    messages.success(request, _("The scenario %(key)s is stored.") % {"key": written.key})
    return redirect("scenario", slug=campaign.slug, scenario=written.key)


def _form(request: HttpRequest, campaign: Campaign, form: ScenarioForm, stored: Scenario | None) -> HttpResponse:
    has_begun = stored is not None and stored.has_begun()

    def fields(declared: Sequence[Field]) -> list[tuple[Any, ...]]:
        return [
            (*one, form.texts[one[0]], form.problems.get(one[0], []), has_begun and one[0] in FIXED) for one in declared
        ]

    def rows(name: str) -> list[tuple[int, Any, list[Finding]]]:
        return [
            (number, row, form.problems.get(f"{name}[{number}]", [])) for number, row in enumerate(getattr(form, name))
        ]

    shown = {
        "campaign": campaign,
        "scenario": stored,
        "has_begun": has_begun,
        "form": form,
        "problems": {name or "other": found for name, found in form.problems.items()},
        "chinese": fields(CHINESE),
        "english": fields(ENGLISH),
        "others": fields(OTHERS),
        "parts": rows("parts"),
        "facts": rows("facts"),
        "tables": rows("tables"),
        "blank": BLANK,
        "usual_cap": usual_cap(campaign),
        "known_kinds": KINDS,
        "known_facts": FACTS,
        "value_kinds": VALUE_KINDS,
        "card": render_to_string(CARD, goal_of(campaign, *draft_of(campaign, form)), request),
    }
    return render(request, "organizing/scenarios/form.html", shown, status=422 if form.problems else 200)


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
    stored = scenario_of(campaign, scenario)
    shown = goal_of(campaign, stored, parts_of(stored))
    return render(request, "organizing/scenarios/preview.html", shown)


def goal_of(campaign: Campaign, scenario: Scenario, parts: Sequence[tuple[str, int | None]]) -> dict[str, Any]:
    kinds = [(number, kind) for number, (kind, _cap) in enumerate(parts, start=1)]
    states = [
        {"status": "open" if number == 1 else "waiting", "turn_cap": cap, "turns_used": 0}
        for number, (_kind, cap) in enumerate(parts, start=1)
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
